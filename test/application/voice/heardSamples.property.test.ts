import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import { HeardSamples } from '../../../src/application/voice/heardSamples.ts';

const WINDOW = 512;
const KEPT = 3 * 16_000;
const MOST_KEPT = 300 * 16_000;

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('add' as const), samples: fc.integer({ min: 1, max: 40_000 }) }),
  },
  fc.record({ do: fc.constant('skip' as const), samples: fc.integer({ min: 0, max: 100_000 }) }),
  fc.record({ do: fc.constant('listen' as const), ago: fc.integer({ min: 0, max: KEPT }) }),
  fc.record({ do: fc.constant('rest' as const) }),
);

describe('what a microphone heard', () => {
  test.prop([fc.array(step, { maxLength: 25 })])(
    'comes in windows, and can be heard again from where somebody listens, or for three seconds',
    (steps) => {
      let from: number | undefined;
      const heard = new HeardSamples(() => from);
      const came: { readonly at: number; readonly samples: Int16Array }[] = [];
      let count = 0;
      const parts: Int16Array[] = [];
      const windows: Int16Array[] = [];
      for (const one of steps) {
        if (one.do === 'listen') from = Math.max(0, count - one.ago);
        else if (one.do === 'rest') from = undefined;
        else if (one.do === 'skip') heard.skip(one.samples);
        else {
          const samples = new Int16Array(one.samples).map((_, index) => count + index);
          came.push({ at: count, samples });
          heard.add(
            samples,
            (part) => void parts.push(part),
            (window) => void windows.push(window),
          );
        }
        if (one.do === 'add' || one.do === 'skip') count += one.samples;
        assert.equal(heard.count, count);
        const since = from ?? Math.max(0, count - KEPT);
        const expected = came.map(({ at, samples }) => samples.subarray(Math.max(0, since - at)));
        assert.ok(bytesOf(heard.since(since)).equals(bytesOf(expected)));
      }
      const all = bytesOf(came.map(({ samples }) => samples));
      assert.ok(bytesOf(parts).equals(all));
      assert.ok(windows.every(({ length }) => length === WINDOW));
      assert.ok(bytesOf(windows).equals(all.subarray(0, all.length - (all.length % (2 * WINDOW)))));
    },
  );

  test('is kept for five minutes at most, whoever listens', () => {
    const heard = new HeardSamples(() => 0);
    const second = new Int16Array(16_000);
    for (let at = 0; at < 310; at++) heard.add(second.fill(at), ignore, ignore);
    const kept = heard.since(0);
    const { length } = bytesOf(kept);
    assert.ok(length >= 2 * MOST_KEPT && length <= 2 * (MOST_KEPT + WINDOW), `${length} bytes`);
    assert.equal(kept.at(-1)?.at(-1), 309);
  });
});

function bytesOf(all: readonly Int16Array[]): Buffer {
  return Buffer.concat(
    all.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  );
}

function ignore(): void {}
