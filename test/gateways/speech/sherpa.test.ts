import assert from 'node:assert/strict';
import { access, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Spoken } from '../../../src/gateways/speech/engine.ts';
import { KeptRecognition } from '../../../src/gateways/speech/hearing.ts';
import type { SherpaModel } from '../../../src/gateways/speech/sherpaModel.ts';
import { speakWith } from '../../../src/gateways/speech/speaking.ts';
import { SpeechEngines } from '../../../src/gateways/speech/speechEngines.ts';
import { skippedFor } from '../../support/skippedFor.ts';

/** A model of a few words, of our own making: see training/speech. */
const RECOGNISER = join(import.meta.dirname, '../../support/voice/recogniser');

const folder = await mkdtemp(join(tmpdir(), 'hark-speech-'));
const made: SpeechEngines[] = [];
afterAll(async () => {
  await Promise.all(made.map((engines) => engines.stop()));
  await rm(folder, { recursive: true });
});

function model(id: string, files: SherpaModel['files'], family = 'zipformer-ctc'): SherpaModel {
  return { id, type: 'stt', family, languages: ['en'], files };
}

const small = model('small', {
  model: join(RECOGNISER, 'model.onnx'),
  tokens: join(RECOGNISER, 'tokens.txt'),
});

function enginesWith(...models: SherpaModel[]): SpeechEngines & { readonly wanted: { stt: string } } {
  const wanted = { stt: 'auto', tts: 'auto', voice: 'auto', wakePhrases: '' };
  const engines = new SpeechEngines({
    clients: { clientFor: async () => undefined },
    installed: async () => models,
    wanted: () => wanted,
  });
  made.push(engines);
  return Object.assign(engines, { wanted });
}

const speaker = enginesWith();
const undisturbed = enginesWith(small);
const never = new AbortController().signal;

async function spoken(text: string): Promise<Int16Array> {
  const pieces: Spoken[] = [];
  for await (const piece of speakWith(await speaker.speaking(), text, { rate: 16_000, signal: never }))
    pieces.push(piece);
  return Int16Array.from(pieces.flatMap(({ samples }) => [...samples]));
}

function say(recognition: KeptRecognition, samples: Int16Array): void {
  for (let at = 0; at < samples.length; at += 320) recognition.hear(samples.subarray(at, at + 320));
}

/** Until somebody listens, as they do a moment after an utterance began. */
async function pidOf(engines: SpeechEngines, id: string): Promise<number> {
  while (true) {
    const pid = (await engines.hearing()).find((engine) => engine.id === id)?.pid;
    if (pid !== undefined) return pid;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const hasRecogniser = await access(join(RECOGNISER, 'model.onnx')).then(
  () => true,
  () => false,
);
const needsIt = skippedFor(hasRecogniser ? false : 'the recogniser that training/speech makes');

describe('models of sherpa', { ...needsIt }, () => {
  const QUESTION = 'what time is it';
  let understood = '';
  beforeAll(async () => {
    if (!hasRecogniser) return;
    const recognition = new KeptRecognition(() => undisturbed.hearing(), {});
    recognition.hear(await spoken(QUESTION));
    understood = (await recognition.end()).text;
    assert.equal(understood, QUESTION);
  });

  it('understand while they hear, with the time of each word', async () => {
    const engines = enginesWith(small);
    const told: string[] = [];
    const recognition = new KeptRecognition(() => engines.hearing(), { onWords: (text) => told.push(text) });
    const samples = await spoken(QUESTION);
    // So much that words are in it, and not all of them.
    const most = Math.floor(samples.length * 0.75);
    say(recognition, samples.subarray(0, most));
    while (told.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const before = told.at(-1) ?? '';
    say(recognition, samples.subarray(most));
    const { text, words } = await recognition.end();
    assert.equal(text, understood);
    assert.ok(text.startsWith(before) && text.length > before.length, 'while it is spoken');
    assert.deepEqual(
      words.map(({ word }) => word),
      understood.split(' '),
    );
    for (const [at, { start, end }] of words.entries()) {
      assert.ok(start < end && end <= samples.length / 16_000 + 0.5);
      assert.ok(start >= (words[at - 1]?.start ?? 0));
    }
  });

  it('understand several at once', async () => {
    const engines = enginesWith(small);
    const texts = [QUESTION, 'good morning', 'stop the music', QUESTION];
    const heard = texts.map(async (text) => {
      const recognition = new KeptRecognition(() => engines.hearing(), {});
      say(recognition, await spoken(text));
      return (await recognition.end()).text;
    });
    const all = await Promise.all(heard);
    assert.deepEqual([all[0], all[3]], [understood, understood]);
  });

  it('are begun anew with all that was said, when they are killed in mid-sentence', async () => {
    const engines = enginesWith(small);
    const samples = await spoken(QUESTION);
    const recognition = new KeptRecognition(() => engines.hearing(), {});
    say(recognition, samples.subarray(0, samples.length >> 1));
    // One that ends before it has loaded is passed over.
    for (const engine of await engines.hearing()) if (engine.id === 'small') await engine.prepare();
    const first = await pidOf(engines, 'small');
    process.kill(first, 'SIGKILL');
    say(recognition, samples.subarray(samples.length >> 1));
    assert.equal((await recognition.end()).text, understood);
    assert.notEqual(await pidOf(engines, 'small'), first);
  });

  it('that are broken end their process alone; another stands in, and they say why', async () => {
    const broken = { model: join(folder, 'broken.onnx'), tokens: join(folder, 'tokens.txt') };
    await writeFile(broken.model, 'no model at all'.repeat(100));
    await copyFile(join(RECOGNISER, 'tokens.txt'), broken.tokens);
    const unreadable = { model: join(RECOGNISER, 'model.onnx'), tokens: join(folder, 'bad-tokens.txt') };
    await writeFile(unreadable.tokens, 'no tokens');
    for (const files of [
      broken,
      unreadable,
      { model: join(folder, 'missing.onnx'), tokens: broken.tokens },
    ]) {
      const engines = enginesWith(model('broken', files), small);
      const recognition = new KeptRecognition(() => engines.hearing(), {});
      say(recognition, await spoken(QUESTION));
      assert.equal((await recognition.end()).text, understood);
      const [first] = await engines.hearing();
      assert.equal(first?.id, 'broken');
      assert.match(first?.lastFailure ?? '', /it ended with/);
      assert.ok(!first?.lastFailure?.includes(folder), 'without the folder');
    }
  });

  it('are changed between utterances, and not within one', async () => {
    const other = { ...small, id: 'other' };
    const engines = enginesWith(small, other);
    const samples = await spoken(QUESTION);
    const recognition = new KeptRecognition(() => engines.hearing(), {});
    say(recognition, samples.subarray(0, 4_000));
    await pidOf(engines, 'small');
    engines.wanted.stt = 'other';
    say(recognition, samples.subarray(4_000));
    assert.equal((await recognition.end()).text, understood);
    assert.deepEqual(
      (await engines.hearing())
        .filter(({ engine }) => engine === 'sherpa')
        .map(({ id, pid }) => [id, pid !== undefined]),
      [
        ['other', false],
        ['small', true],
      ],
    );
  });

  it('are let go when they are deleted, in the middle of an utterance too', async () => {
    const engines = enginesWith(small, { ...small, id: 'other' });
    const samples = await spoken(QUESTION);
    const recognition = new KeptRecognition(() => engines.hearing(), {});
    say(recognition, samples);
    await pidOf(engines, 'small');
    await engines.letGo('small');
    assert.equal((await recognition.end()).text, understood);
  });
});
