import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, test } from 'vitest';
import { VoiceActivity } from '../../../src/gateways/voiceActivity/voiceActivity.ts';
import { temporaryFolder } from '../../support/dataDirectory.ts';
import {
  mixed,
  pinkNoise,
  silence,
  spoken,
  windowsOf,
  withFlite,
  withFliteAndSox,
} from '../../support/voice/speech.ts';

const QUIET = silence(1_000);

describe('telling voices from silence', () => {
  const home = temporaryFolder('silero');

  const opened: VoiceActivity[] = [];
  const start = (options: ConstructorParameters<typeof VoiceActivity>[0] = {}) => {
    const activity = new VoiceActivity(options);
    opened.push(activity);
    return activity;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((activity) => activity.stop()));
  });

  test('hears speech, and nothing before and after it', withFlite, async () => {
    const speech = await spoken('where did I put my keys');
    const found = await heard(start(), [...windowsOf(QUIET), ...windowsOf(speech), ...windowsOf(QUIET)]);
    const [before, after] = [windowsOf(QUIET).length, windowsOf(QUIET).length];
    const within = found.slice(before, found.length - after);
    assert.ok(found.slice(0, before).every((probability) => probability < 0.3));
    assert.ok(found.slice(-after + 10).every((probability) => probability < 0.3));
    assert.ok(within.filter((probability) => probability > 0.5).length > 0.7 * within.length);
  });

  test('hears speech in noise, and takes noise for none', withFliteAndSox, async () => {
    const activity = start();
    const noise = await pinkNoise(4);
    const speech = mixed(await spoken('is the window in the kitchen open'), noise, 10);
    const found = await heard(activity, windowsOf(speech));
    assert.ok(found.filter((probability) => probability > 0.5).length > 0.6 * found.length);
    const alone = await heard(activity, windowsOf(noise));
    assert.ok(alone.filter((probability) => probability > 0.5).length < 0.02 * alone.length);
  });

  test('of many voices at once each is heard as if it were alone', withFlite, async () => {
    const activity = start();
    const texts = [
      'good morning',
      'seven',
      'is it going to rain tomorrow',
      'please stop',
      'yes',
      'no',
      'turn it off',
    ];
    const voices = (await Promise.all(texts.map((text) => spoken(text)))).map((speech) => [
      ...windowsOf(QUIET.subarray(0, 4_000)),
      ...windowsOf(speech),
    ]);
    const alone: (readonly number[])[] = [];
    for (const voice of voices) alone.push(await heard(activity, voice));
    const together = await Promise.all([...voices, ...voices].map((voice) => heard(activity, voice)));
    for (const [index, probabilities] of together.entries()) {
      const expected = alone[index % voices.length] ?? [];
      assert.equal(probabilities.length, expected.length);
      for (const [at, probability] of probabilities.entries())
        assert.ok(Math.abs(probability - (expected[at] ?? 0)) < 0.001);
    }
  });

  test('a minute that comes at once is heard whole, and holds up no other voice', withFlite, async () => {
    const activity = start();
    const long = windowsOf(silence(60_000));
    const all = heard(activity, long);
    const other = await heard(activity, windowsOf(await spoken('and who are you')));
    assert.ok(other.some((probability) => probability > 0.9));
    assert.equal((await all).length, long.length);
  });

  test('what comes beyond a minute at once has an answer too', async () => {
    const windows = windowsOf(silence(90_000));
    assert.equal((await heard(start(), windows)).length, windows.length);
  });

  test(
    'sessions go on when the thread is lost, by loudness, and then by the model again',
    withFlite,
    async () => {
      const news: string[] = [];
      const activity = start({ onNews: (message) => news.push(message) });
      const speech = windowsOf(await spoken('what is the time in Lisbon'));
      const found: number[] = [];
      const voice = activity.open((probability) => found.push(probability));
      await until(voice, found, speech);
      const lost = activity.worker;
      await lost?.terminate();
      assert.deepEqual(news, ['the model that hears voices was lost']);
      assert.equal(activity.status, 'failed');
      found.length = 0;
      for (const window of [...windowsOf(QUIET), ...speech]) voice.hear(window);
      assert.equal(found.length, windowsOf(QUIET).length + speech.length);
      assert.ok((found.at(3) ?? 1) < 0.5);
      assert.ok(found.filter((probability) => probability > 0.5).length > 0.4 * speech.length);
      await comesBack(activity);
      found.length = 0;
      await until(voice, found, speech);
      assert.ok(found.some((probability) => probability > 0.9));
      assert.notEqual(activity.worker, lost);
      voice.close();
    },
  );

  test('a model that is none is said, and does not keep anybody from being heard', async () => {
    const model = join(home, 'broken.onnx');
    writeFileSync(model, 'no model');
    const lost = Promise.withResolvers<string>();
    const activity = start({ model, onNews: lost.resolve });
    const windows = windowsOf(QUIET);
    assert.equal((await heard(activity, windows)).length, windows.length);
    assert.equal(await lost.promise, 'the model that hears voices was lost');
    assert.equal(activity.status, 'failed');
  });

  test('the thread rests when nobody has spoken for a while', async () => {
    const activity = start({ idleMs: 1 });
    await heard(activity, windowsOf(QUIET));
    const { worker } = activity;
    const ended = new Promise((resolve) => worker?.once('exit', resolve));
    worker?.ref();
    await ended;
    assert.equal(activity.status, 'resting');
    assert.equal((await heard(activity, windowsOf(QUIET))).length, windowsOf(QUIET).length);
  });

  test('a session that is closed hears nothing more', async () => {
    const activity = start();
    const found: number[] = [];
    const voice = activity.open((probability) => found.push(probability));
    for (const window of windowsOf(QUIET)) voice.hear(window);
    voice.close();
    voice.hear(QUIET.subarray(0, 512));
    await heard(activity, windowsOf(QUIET));
    assert.deepEqual(found, []);
  });
});

function heard(activity: VoiceActivity, windows: readonly Int16Array[]): Promise<readonly number[]> {
  const found: number[] = [];
  const { promise, resolve } = Promise.withResolvers<readonly number[]>();
  const voice = activity.open((probability) => {
    if (found.push(probability) < windows.length) return;
    voice.close();
    resolve(found);
  });
  for (const window of windows) voice.hear(window);
  return promise;
}

/** All of them heard, on a voice that stays open. */
async function until(
  voice: { hear(window: Int16Array): void },
  found: { readonly length: number },
  windows: readonly Int16Array[],
): Promise<void> {
  for (const window of windows) voice.hear(window);
  while (found.length < windows.length) await new Promise((resolve) => setImmediate(resolve));
}

async function comesBack(activity: VoiceActivity): Promise<void> {
  while (activity.status === 'failed') await new Promise((resolve) => setImmediate(resolve));
}
