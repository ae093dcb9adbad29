import assert from 'node:assert/strict';
import { fc, test as property } from '@fast-check/vitest';
import { test } from 'vitest';
import {
  measureHearing,
  measureSpeaking,
  speakSentences,
  wrongWords,
} from '../../../src/application/voice/benchmark.ts';

const RATE = 16_000;
const wanted = new AbortController().signal;

/** Time passes while something speaks or hears, and not otherwise. */
class Engine {
  now = 0;
  readonly #secondsOf = (text: string) => text.length / 20;

  async *speak(text: string) {
    const samples = new Int16Array(RATE * this.#secondsOf(text)).fill(5_000);
    this.now += 100;
    yield { samples: new Int16Array(160) };
    this.now += 50;
    yield { samples };
    this.now += 250 * this.#secondsOf(text);
  }

  async listen() {
    let heard = 0;
    return {
      hear: (samples: Int16Array) => {
        heard += samples.length;
      },
      end: async () => {
        this.now += (heard / RATE) * 500;
        return { text: heard < 30_000 ? 'GOOD MORNING' : 'my sister plays, the cello' };
      },
    };
  }
}

test('what speaks is measured by its pace, and by its first sound that can be heard', async () => {
  const engine = new Engine();
  const { realTimeFactor, firstAudioMs } = await measureSpeaking(engine, () => engine.now, wanted);
  assert.equal(firstAudioMs, 150);
  assert.ok(realTimeFactor > 0.25 && realTimeFactor < 0.35, `${realTimeFactor}`);
});

test('what hears is measured by its pace, and by the words that it gets wrong', async () => {
  const engine = new Engine();
  const spoken = await speakSentences(engine, wanted);
  const english = await measureHearing(engine, spoken, { now: () => engine.now, knowsEnglish: true });
  assert.equal(english.realTimeFactor, 0.5);
  assert.ok((english.wordErrorRate ?? 0) > 0.5 && (english.wordErrorRate ?? 1) < 1);
  const other = await measureHearing(engine, spoken, { now: () => engine.now, knowsEnglish: false });
  assert.deepEqual(other, { realTimeFactor: 0.5 });
});

test('words are wrong that were changed, left out or put in', () => {
  const wrong = (said: string, heard: string) => wrongWords(said.split(' '), heard.split(' '));
  assert.equal(wrong('turn on the light', 'turn on the light'), 0);
  assert.equal(wrong('turn on the light', 'turn of the light'), 1);
  assert.equal(wrong('turn on the light', 'on the light now'), 2);
});

const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });

property.prop([words, words, words])('words that are wrong are a distance', (one, other, third) => {
  assert.equal(wrongWords(one, one), 0);
  assert.equal(wrongWords(one, other), wrongWords(other, one));
  assert.ok(wrongWords(one, other) <= Math.max(one.length, other.length));
  assert.ok(wrongWords(one, third) <= wrongWords(one, other) + wrongWords(other, third));
});
