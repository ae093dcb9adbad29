import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe, it } from 'vitest';
import {
  BadFrame,
  FrameReader,
  frameOf,
  samplesBody,
  samplesOf,
  speechBody,
  speechOf,
} from '../../../src/gateways/speech/frames.ts';

const frame = fc.record({
  kind: fc.integer({ min: 0, max: 255 }),
  job: fc.nat(0xffffffff),
  body: fc.uint8Array({ maxLength: 300 }),
});

describe('frames over a pipe', () => {
  test.prop([fc.array(frame, { maxLength: 20 }), fc.integer({ min: 1, max: 400 })])(
    'come out as they went in, whatever pieces the pipe makes of them',
    (frames, size) => {
      const all = Buffer.concat(frames.flatMap(({ kind, job, body }) => frameOf(kind, job, body)));
      const reader = new FrameReader();
      const read = [];
      for (let at = 0; at < all.length; at += size)
        for (const { kind, job, body } of reader.take(all.subarray(at, at + size)))
          read.push({ kind, job, body: Uint8Array.from(body) });
      assert.deepEqual(
        read,
        frames.map(({ kind, job, body }) => ({ kind, job, body })),
      );
    },
  );

  test.prop([fc.int16Array({ maxLength: 200 }), fc.array(fc.string(), { maxLength: 5 })])(
    'carry samples and words as they are',
    (samples, words) => {
      assert.deepEqual(samplesOf(samplesBody(samples)), samples);
      assert.deepEqual(speechOf(speechBody(words, samples)), { words, samples });
    },
  );

  it('refuses lengths that nothing has', () => {
    const reader = new FrameReader();
    assert.throws(() => [...reader.take(Buffer.from('this is no frame at all'))], BadFrame);
    assert.throws(() => speechOf(Buffer.from([255, 255, 0, 0, 1])), BadFrame);
  });
});
