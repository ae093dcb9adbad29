import assert from 'node:assert/strict';
import { afterAll, describe, it } from 'vitest';
import type { Spoken } from '../../../src/gateways/speech/engine.ts';
import { speakWith } from '../../../src/gateways/speech/speaking.ts';
import { SpeechEngines } from '../../../src/gateways/speech/speechEngines.ts';

const wanted = { stt: 'auto', tts: 'auto', voice: 'auto', wakePhrases: '' };
const engines = new SpeechEngines({
  clients: { clientFor: async () => undefined },
  installed: async () => [],
  wanted: () => wanted,
});
afterAll(() => engines.stop());

const never = new AbortController().signal;

async function spoken(text: string, options: { rate?: number; voice?: string; speed?: number } = {}) {
  const pieces: Spoken[] = [];
  for await (const piece of speakWith(await engines.speaking(), text, {
    rate: 16_000,
    signal: never,
    ...options,
  }))
    pieces.push(piece);
  const samples = Int16Array.from(pieces.flatMap((piece) => [...piece.samples]));
  return { pieces, samples, words: pieces.flatMap(({ words }) => words) };
}

function loudness(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
}

describe('flite', () => {
  it('speaks a sentence, with its words in order and in time', async () => {
    const { samples, words } = await spoken('Good morning, Ada. Your train leaves at nine.');
    const seconds = samples.length / 16_000;
    assert.ok(seconds > 2 && seconds < 6, `${seconds} s`);
    assert.ok(loudness(samples) > 1_000);
    assert.deepEqual(
      words.map(({ word }) => word),
      ['Good', 'morning,', 'Ada.', 'Your', 'train', 'leaves', 'at', 'nine.'],
    );
    for (const [at, { start, end }] of words.entries()) {
      assert.ok(start < end && end <= seconds);
      assert.ok(start >= (words[at - 1]?.end ?? 0));
    }
  });

  it('begins with sound, not with silence', async () => {
    const { samples } = await spoken('Hello there.');
    assert.ok(samples.findIndex((sample) => Math.abs(sample) > 500) < 800, 'within 50 ms');
  });

  it('speaks at the rate that is asked for, as long', async () => {
    const [low, middle, high] = [8_000, 16_000, 24_000].map(
      async (rate) => (await spoken('One two three.', { rate })).samples.length / rate,
    );
    assert.ok(Math.abs(((await low) ?? 0) - ((await middle) ?? 0)) < 0.01);
    assert.ok(Math.abs(((await high) ?? 0) - ((await middle) ?? 0)) < 0.01);
  });

  it('has several voices, and another for a name that it does not know', async () => {
    const lengths = new Set<number>();
    for (const voice of ['slt', 'rms', 'awb', 'kal16', 'kal'])
      lengths.add((await spoken('The same words.', { voice })).samples.length);
    assert.equal(lengths.size, 5);
    const unknown = (await spoken('The same words.', { voice: 'marin' })).samples;
    assert.deepEqual(unknown, (await spoken('The same words.')).samples);
  });

  it('speaks faster and slower', async () => {
    const [slow, plain, fast] = [0.5, 1, 2].map(
      async (speed) => (await spoken('The same words.', { speed })).samples.length,
    );
    assert.ok(((await slow) ?? 0) > 1.5 * ((await plain) ?? 0));
    assert.ok(((await fast) ?? 0) < 0.7 * ((await plain) ?? 0));
  });

  it('says nothing where there is nothing to say', async () => {
    for (const text of ['', '…', ' \n', '🎉']) assert.equal((await spoken(text)).samples.length, 0);
  });

  it('ends early when it is cancelled', async () => {
    const cancelled = new AbortController();
    let pieces = 0;
    const asked = { rate: 16_000, signal: cancelled.signal };
    for await (const _ of speakWith(
      await engines.speaking(),
      'A long sentence of words. '.repeat(50),
      asked,
    )) {
      pieces++;
      cancelled.abort();
    }
    assert.equal(pieces, 1);
    assert.ok((await spoken('It is there for the next.')).samples.length > 0);
  });
});
