import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import type { SherpaModel } from '../../../src/gateways/speech/sherpaModel.ts';
import { SpeechEngines } from '../../../src/gateways/speech/speechEngines.ts';
import { KeptSpotting } from '../../../src/gateways/speech/spotting.ts';
import { silence, spoken, withFlite } from '../../support/voice/speech.ts';
import { WAKE_MODEL } from '../../support/voice/testModels.ts';

const folder = await mkdtemp(join(tmpdir(), 'hark-wake-'));
const made: SpeechEngines[] = [];
afterAll(async () => {
  await Promise.all(made.map((engines) => engines.stop()));
  await rm(folder, { recursive: true });
});

function enginesFor(wakePhrases: string, files: SherpaModel['files'] = WAKE_MODEL.files) {
  const engines = new SpeechEngines({
    clients: { clientFor: async () => undefined },
    installed: async () => [{ ...WAKE_MODEL, files }],
    wanted: () => ({ stt: 'auto', tts: 'auto', voice: 'auto', wakePhrases }),
  });
  made.push(engines);
  return engines;
}

async function phrasesOf(engines: SpeechEngines) {
  return (await engines.waiting())?.keywords.map(({ phrase }) => phrase);
}

function listen(engines: SpeechEngines) {
  const detected: { readonly phrase: string; readonly atMs: number }[] = [];
  const next = { told: Promise.withResolvers<void>() };
  const spotting = new KeptSpotting({
    find: () => engines.waiting(),
    onDetected: (phrase, atMs) => {
      detected.push({ phrase, atMs });
      next.told.resolve();
      next.told = Promise.withResolvers();
    },
  });
  const hear = (...sounds: readonly Int16Array[]) => {
    for (const sound of sounds)
      for (let at = 0; at < sound.length; at += 320) spotting.hear(sound.subarray(at, at + 320));
  };
  return { detected, spotting, hear, next };
}

describe('wake words', { ...withFlite }, () => {
  it('are heard where they are said, each time, and nothing else is', async () => {
    const engines = enginesFor('hey anna, Hello Alex,good morning');
    const { detected, spotting, hear } = listen(engines);
    hear(silence(500), await spoken('what time is it'), silence(500), await spoken('hey anna'), silence(800));
    hear(await spoken('turn on the light in the kitchen'), await spoken('good evening anna'), silence(500));
    const before = await spoken('hello alex');
    hear(before, silence(700), await spoken('hey anna', 'awb'));
    await spotting.end();
    assert.deepEqual(
      detected.map(({ phrase }) => phrase),
      ['hey anna', 'Hello Alex', 'hey anna'],
    );
    const [first] = detected;
    const from = 1_000 + ((await spoken('what time is it')).length / 16_000) * 1_000;
    assert.ok(first && first.atMs > from && first.atMs < from + 2_000, `${first?.atMs} ms`);
    spotting.close();
  });

  it('are those that the model can write', async () => {
    assert.deepEqual(
      await phrasesOf(enginesFor('hey hark, hey anna,, ▁good ▁mor ning @guten morgen, ▁x @x')),
      ['hey anna', 'guten morgen'],
    );
    assert.deepEqual(await phrasesOf(enginesFor('')), []);
  });

  it('are heard again by a new process, when the first was killed', async () => {
    const engines = enginesFor('hey anna');
    const { detected, spotting, hear, next } = listen(engines);
    hear(await spoken('hey anna'), silence(700));
    await next.told.promise;
    const pid = (await engines.waiting())?.engine.pid;
    assert.ok(pid !== undefined);
    process.kill(pid, 'SIGKILL');
    const again = next.told.promise;
    while (detected.length === 1) {
      hear(await spoken('hey anna'), silence(700));
      await Promise.race([again, new Promise((resolve) => setImmediate(resolve))]);
    }
    assert.notEqual((await engines.waiting())?.engine.pid, pid);
    spotting.close();
  });

  it('a broken model ends its process alone, and says so', async () => {
    const encoder = join(folder, 'broken.onnx');
    await writeFile(encoder, 'no model');
    const engines = enginesFor('hey anna', { ...WAKE_MODEL.files, encoder });
    const { spotting, hear, detected } = listen(engines);
    hear(silence(100));
    while ((await engines.waiting())?.engine.lastFailure === undefined)
      await new Promise((resolve) => setImmediate(resolve));
    assert.match((await engines.waiting())?.engine.lastFailure ?? '', /^it ended with /);
    await spotting.end();
    assert.deepEqual(detected, []);
    spotting.close();
  });

  it('without the file of its pieces, it can hear none', async () => {
    const engines = enginesFor('hey anna', { ...WAKE_MODEL.files, tokens: join(folder, 'none.txt') });
    assert.deepEqual(await phrasesOf(engines), []);
  });
});
