import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, describe, it } from 'vitest';
import type { HearingEngine, SpeakingEngine } from '../../../src/gateways/speech/engine.ts';
import { EngineLost } from '../../../src/gateways/speech/engineProcess.ts';
import { KeptRecognition } from '../../../src/gateways/speech/hearing.ts';
import { ProcessHearing, ProcessSpeaking } from '../../../src/gateways/speech/processEngines.ts';
import { speakWith } from '../../../src/gateways/speech/speaking.ts';
import { isRunning } from './isRunning.ts';

const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

const script = new URL('./badEngine.ts', import.meta.url);
const never = new AbortController().signal;
const asked = { rate: 16_000, signal: never };

function options(spec: object) {
  return {
    ...({ id: 'bad', engine: 'sherpa', script, spec, voices: [] } as const),
    mostMegabytes: 400,
    silenceMs: 2_000,
  };
}

function speaking(spec: object): ProcessSpeaking {
  const engine = new ProcessSpeaking(options(spec));
  stops.push(() => engine.stop());
  return engine;
}

function hearing(spec: object): ProcessHearing {
  const engine = new ProcessHearing(options(spec));
  stops.push(() => engine.stop());
  return engine;
}

async function pieces(engines: readonly SpeakingEngine[]): Promise<number> {
  let count = 0;
  for await (const _ of speakWith(engines, 'Some words.', asked)) count++;
  return count;
}

/** Hears the word that it is told to. */
const good: HearingEngine = {
  prepare: async () => undefined,
  ...{ id: 'good', engine: 'pocketsphinx', broken: undefined, lastFailure: undefined },
  stop: async () => undefined,
  listen: async () => {
    let heard = 0;
    return {
      hear: (samples) => {
        heard += samples.length;
      },
      end: async () => ({ text: `${heard} samples`, words: [] }),
      cancel: () => undefined,
    };
  },
};

const faults = [
  ['hangs', /does not answer/],
  ['babbles', /something else than frames/],
  ['eats', /more than 400 MB/],
  ['ends', /ended with code 7/],
  ['aborts', /ended with SIGABRT/],
] as const;

describe('an engine', () => {
  for (const [does, why] of faults) {
    it.concurrent(`that ${does} while it speaks is ended, and says so`, async () => {
      const engine = speaking({ does });
      await assert.rejects(pieces([engine]), { code: 'TTS_UNAVAILABLE' });
      assert.match(engine.lastFailure ?? '', why);
      assert.equal(engine.pid, undefined);
      assert.equal(engine.broken, undefined, 'the first time it is tried again at once');
      await assert.rejects(pieces([engine]), { code: 'TTS_UNAVAILABLE' });
      assert.match(engine.broken ?? '', why, 'the second time it has a pause');
    });

    it.concurrent(`that ${does} while it hears is followed by another, with all that was heard`, async () => {
      const engine = hearing({ does });
      const recognition = new KeptRecognition(async () => [engine, good], {});
      for (let piece = 0; piece < 10; piece++) recognition.hear(new Int16Array(320));
      assert.equal((await recognition.end()).text, '3200 samples');
      assert.match(engine.lastFailure ?? '', why);
    });
  }

  it('that cannot be opened says why, without where, and the next one speaks', async () => {
    const engine = speaking({ starts: 'never' });
    const other = speaking({ does: 'ends' });
    await assert.rejects(pieces([engine, other]), 'the other one speaks, and ends');
    assert.match(engine.lastFailure ?? '', /code 3: the model model\.onnx is broken/);
    assert.match(other.lastFailure ?? '', /code 7/);
  });

  it('without any that works, nothing is heard, and that is said', async () => {
    await assert.rejects(new KeptRecognition(async () => [], {}).end(), { code: 'STT_UNAVAILABLE' });
    const broken = hearing({ starts: 'never' });
    await assert.rejects(new KeptRecognition(async () => [broken], {}).end(), { code: 'STT_UNAVAILABLE' });
  });

  it('that is busy is asked once, and the next one hears', async () => {
    let asked = 0;
    const busy: HearingEngine = {
      ...good,
      listen: async () => {
        asked++;
        throw new EngineLost('too many speak at once');
      },
    };
    const recognition = new KeptRecognition(async () => [busy, good], {});
    recognition.hear(new Int16Array(320));
    assert.deepEqual([(await recognition.end()).text, asked], ['320 samples', 1]);
    const alone = new KeptRecognition(async () => [busy], {});
    await assert.rejects(alone.end(), { code: 'STT_UNAVAILABLE' });
    assert.equal(asked, 5, 'where there is no other, it is asked again');
  });

  it('is killed with the service that started it, also when that is killed and the engine hangs', async () => {
    const url = new URL('../../../src/gateways/speech/processEngines.ts', import.meta.url);
    const program = `import { ProcessSpeaking } from ${JSON.stringify(url.href)};
      const engine = new ProcessSpeaking({ ...${JSON.stringify(options({ does: 'hangs' }))},
        silenceMs: 60_000, script: new URL(${JSON.stringify(script.href)}) });
      const asked = { rate: 16_000, signal: new AbortController().signal };
      for await (const _ of engine.speak('Some words.', asked)) console.log(engine.pid);`;
    const service = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface(service.stdout), 'line');
    const pid = Number(line);
    assert.ok(isRunning(pid));
    service.kill('SIGKILL');
    while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve));
  });

  it('that is prepared runs before it is asked, and ends when nobody asks', async () => {
    const engine = new ProcessSpeaking({ ...options({}), idleMs: 100 });
    stops.push(() => engine.stop());
    await engine.prepare();
    const { pid = 0 } = engine;
    assert.ok(isRunning(pid));
    while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(engine.lastFailure, undefined);
  });

  it('is gone when it was stopped', async () => {
    const engine = speaking({});
    const spoken = pieces([engine]).catch(() => undefined);
    while (engine.pid === undefined) await new Promise((resolve) => setImmediate(resolve));
    const { pid } = engine;
    await engine.stop();
    await spoken;
    assert.equal(isRunning(pid), false);
  });

  it('that was cancelled does not work on', async () => {
    const cancelled = new AbortController();
    const engine = speaking({});
    let count = 0;
    for await (const _ of speakWith([engine], 'Some words.', { rate: 16_000, signal: cancelled.signal })) {
      count++;
      cancelled.abort();
    }
    assert.equal(count, 1);
    assert.equal(engine.lastFailure, undefined);
    new KeptRecognition(async () => [good], {}).cancel();
  });
});
