import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/fields.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Reading } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { numberText } from '../../words/format.ts';
import { type ImportedFrom, type ImportReport, importMemory } from './importingFrom.ts';
import { words } from './words.ts';

interface Looked {
  readonly from: ImportedFrom;
  readonly report: ImportReport;
}

/** Memory from elsewhere: first what would come in, then, when somebody says so, the same for good. */
export function Importing({ onClose }: { readonly onClose: () => void }) {
  const [looked, setLooked] = useState<Looked>();
  const [isBusy, setBusy] = useState(false);
  const run = async (from: ImportedFrom, dryRun: boolean) => {
    setBusy(true);
    const report = await attempt(() => importMemory(from, dryRun));
    setBusy(false);
    return report;
  };
  const look = async (from: ImportedFrom) => {
    const report = await run(from, true);
    if (report) setLooked({ from, report });
  };
  const keep = async ({ from }: Looked) => {
    const report = await run(from, false);
    if (!report) return;
    onClose();
    tell(`${words.importDone}: ${countsIn(report).join(', ')}`);
  };
  return (
    <Dialog title={words.importTitle} onClose={onClose} wide>
      {looked ? (
        <Preview looked={looked} isBusy={isBusy} onKeep={keep} onBack={() => setLooked(undefined)} />
      ) : (
        <>
          <p class="quiet">{words.importAbout}</p>
          <Choose onChoose={look} />
          {isBusy ? <p role="status">{words.importing}</p> : null}
        </>
      )}
    </Dialog>
  );
}

function Choose({ onChoose }: { readonly onChoose: (from: ImportedFrom) => Promise<void> }) {
  const read = useResource('GET /api/memory/sources', {});
  const sources = read.data.value?.sources.filter(({ available, items }) => available && items > 0);
  return (
    <>
      <Field label={words.importFile} hint={words.importFileHint}>
        {(ties) => (
          <input
            {...ties}
            type="file"
            accept=".ndjson,.jsonl,.json"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file) void attempt(async () => onChoose({ name: file.name, text: await file.text() }));
            }}
          />
        )}
      </Field>
      <h3>{words.importFrom}</h3>
      {sources ? null : <Reading of={read} />}
      {sources?.length === 0 ? <p class="quiet">{words.importNoSources}</p> : null}
      <div class="actions">
        {sources?.map(({ id, name, items }) => (
          <button key={id} type="button" onClick={() => void onChoose({ source: id })}>
            {words.importSource(name, items)}
          </button>
        ))}
      </div>
    </>
  );
}

interface PreviewProps {
  readonly looked: Looked;
  readonly isBusy: boolean;
  readonly onKeep: (looked: Looked) => Promise<void>;
  readonly onBack: () => void;
}

function Preview({ looked, isBusy, onKeep, onBack }: PreviewProps) {
  const { report } = looked;
  const { preview, issues, imported, skipped } = report;
  const nothing = skipped > 0 ? words.importNothing : words.importUnusable;
  return (
    <div role="status">
      <h3>{imported === 0 ? nothing : words.importWould}</h3>
      <ul class="extent">
        {countsIn(report).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {preview.length > 0 ? (
        <>
          <h3>{words.importFirst}</h3>
          {preview.map(({ kind, text }, index) => (
            <blockquote key={index} class="quoted">
              <span class="quiet small">{kind}</span> <Plain text={text} most={300} />
            </blockquote>
          ))}
        </>
      ) : null}
      {issues.length > 0 ? (
        <details open={imported === 0}>
          <summary>{words.importIssues}</summary>
          <ul>
            {issues.map(({ item, message }, index) => (
              <li key={index}>
                <Plain text={`${item}: ${message}`} most={300} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      <div class="actions end">
        <button type="button" onClick={onBack}>
          {words.importAnother}
        </button>
        <button
          type="button"
          class="main"
          disabled={isBusy || imported === 0}
          onClick={() => void onKeep(looked)}
        >
          {isBusy ? words.importing : words.importKeep}
        </button>
      </div>
    </div>
  );
}

const counted = ['episodes', 'conclusions', 'entities', 'skipped', 'conflicts', 'failed'] as const;

function countsIn(report: ImportReport): readonly string[] {
  return counted.flatMap((kind) =>
    report[kind] > 0 ? [`${words.importCounts[kind]}: ${numberText(report[kind])}`] : [],
  );
}
