import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { Reading } from '../../parts/states.tsx';
import { bytesText } from '../../words/format.ts';
import { words } from './words.ts';

/** What the service runs on: looked at for whoever opens it. */
export function Machine() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="metric" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.machine}</summary>
      {isOpen ? <Facts /> : null}
    </details>
  );
}

function Facts() {
  const process = useResource('GET /api/system/info', {});
  const hardware = useResource('GET /api/system/capabilities', {});
  const { nodeVersion, platform, arch, ports } = process.data.value ?? {};
  const { cpu, memory, gpu } = hardware.data.value ?? {};
  if (!ports || !cpu || !memory) return <Reading of={process.refusal.value ? process : hardware} />;
  const facts = {
    [words.system]: `${platform} ${arch}, Node.js ${nodeVersion}`,
    [words.processor]: `${cpu.cores} × ${cpu.model}`,
    [words.memory]: words.freeOf(bytesText(1e6 * memory.availableMb), bytesText(1e6 * memory.totalMb)),
    [words.graphics]: gpu?.type ?? '–',
    [words.ports]: Object.entries(ports)
      .map(([name, port]) => `${name} ${port ?? '–'}`)
      .join(', '),
  };
  return (
    <dl class="pairs">
      {Object.entries(facts).map(([name, fact]) => [<dt key={name}>{name}</dt>, <dd key={fact}>{fact}</dd>])}
    </dl>
  );
}
