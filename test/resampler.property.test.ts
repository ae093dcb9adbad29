import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe, it } from 'vitest';
import { Resampler } from '../src/resampler.ts';

const rates = [8_000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000];
const rate = fc.constantFrom(...rates);

function tone(hertz: number, rate: number, seconds: number): Int16Array {
  return Int16Array.from(
    { length: rate * seconds },
    (_, at) => 10_000 * Math.sin((2 * Math.PI * hertz * at) / rate),
  );
}

function resampled(samples: Int16Array, from: number, to: number, piece: number): Int16Array {
  const resampler = new Resampler(from, to);
  const out: number[] = [];
  for (let at = 0; at < samples.length; at += piece)
    out.push(...resampler.push(samples.subarray(at, at + piece)));
  return Int16Array.from([...out, ...resampler.end()]);
}

function strength(samples: Int16Array): number {
  const middle = samples.subarray(samples.length >> 2, (3 * samples.length) >> 2);
  return Math.sqrt(middle.reduce((sum, sample) => sum + sample ** 2, 0) / middle.length);
}

describe('another rate', () => {
  test.prop([rate, rate, fc.integer({ min: 1, max: 2_000 })], { numRuns: 40 })(
    'is the same sound, as long, whatever pieces it comes in',
    (from, to, piece) => {
      const samples = tone(440, from, 0.2);
      const whole = resampled(samples, from, to, samples.length);
      assert.deepEqual(resampled(samples, from, to, piece), whole);
      assert.equal(whole.length, Math.ceil((samples.length * to) / from));
      const expected = tone(440, to, 0.2);
      const edge = to / 50;
      for (let at = edge; at < whole.length - edge; at++)
        assert.ok(Math.abs((whole[at] ?? 0) - (expected[at] ?? 0)) < 150, `${from} to ${to} at ${at}`);
    },
  );

  it('leaves out what the lower rate cannot hold, rather than mirror it', () => {
    assert.ok(strength(resampled(tone(10_000, 24_000, 0.5), 24_000, 16_000, 480)) < 20);
    assert.ok(strength(resampled(tone(3_000, 24_000, 0.5), 24_000, 16_000, 480)) > 6_900);
  });
});
