import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'vitest';
import { ProcessSpeaking } from '../../../src/gateways/speech/processEngines.ts';

const speech = new URL('../../../src/gateways/speech/', import.meta.url).href;
const never = new AbortController().signal;
const options = { id: 'one', engine: 'sherpa', spec: {}, voices: [], mostMegabytes: 400 } as const;

/** Asks everything that starts a program, twice: while no file can be opened any more, and once some can. */
const WITHOUT_HANDLES = `
  import { closeSync, openSync } from 'node:fs';
  import { ProcessSpeaking } from '${speech}processEngines.ts';
  import { Pocketsphinx } from '${speech}pocketsphinx.ts';
  import { recordingParts } from '${speech}recordings.ts';

  const script = new URL('${new URL('badEngine.ts', import.meta.url).href}');
  const speaking = new ProcessSpeaking({ ...${JSON.stringify(options)}, script });
  const pocketsphinx = new Pocketsphinx({ program: 'true' });
  const { signal } = new AbortController();
  const told = (work) => work.catch(({ name, message }) => name + ': ' + message);
  const speak = async () => {
    for await (const { samples } of speaking.speak('Some words.', { rate: 16_000, signal })) return samples.length;
  };
  const hear = async () => {
    const listening = await pocketsphinx.listen({ onWords: () => undefined, onLost: () => undefined });
    return (await listening.end()).text;
  };
  const open = async () => (await recordingParts(new Uint8Array(10), 'audio/ogg', signal)) ?? 'none';
  const all = () => Promise.all([told(speak()), told(hear()), told(open())]);

  const held = [];
  try {
    while (true) held.push(openSync('/dev/null'));
  } catch {}
  const without = await all();
  for (const handle of held) closeSync(handle);
  console.log(JSON.stringify({ held: held.length, without, again: await all() }));
  await speaking.stop();
  await pocketsphinx.stop();
`;

describe('programs that hear and speak', () => {
  it('are not started without handles for files; that ends nothing, and they are when there are some', async () => {
    const node = [process.execPath, '--input-type=module', '--eval', WITHOUT_HANDLES];
    const child = spawn('sh', ['-c', 'ulimit -n 100 && exec "$@"', 'sh', ...node], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
    assert.equal(child.exitCode, 0);
    const { held, without, again } = JSON.parse(said);
    assert.ok(held > 20, `${held}`);
    const why = 'EngineLost: it could not be started';
    assert.deepEqual(
      [without, again],
      [
        [why, why, 'none'],
        [1_600, '', 'none'],
      ],
    );
  });

  it('start in a folder with spaces and other letters', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hark of Zoë 100% '));
    const script = join(folder, 'an engine.mjs');
    await writeFile(
      script,
      `import { serve } from '${speech}engines/host.ts';
      serve(async () => ({
        facts: {},
        async *speak() { yield { rate: 16_000, samples: new Int16Array(160), words: [] }; },
      }));`,
    );
    const engine = new ProcessSpeaking({ ...options, script: pathToFileURL(script) });
    let samples = 0;
    for await (const piece of engine.speak('Some words.', { rate: 16_000, signal: never }))
      samples += piece.samples.length;
    assert.equal(samples, 160);
    await engine.stop();
    await rm(folder, { recursive: true });
  });
});
