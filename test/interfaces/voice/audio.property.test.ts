import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import { type AudioFormat, AudioReader, AudioWriter } from '../../../src/interfaces/voice/audio/formats.ts';
import { aLaw, muLaw } from '../../../src/interfaces/voice/audio/g711.ts';

const samples = fc.int16Array({ maxLength: 3_000 });
describe('telephone audio', () => {
  // From the tables of ITU-T G.711, as 16 bits.
  const known = [
    [muLaw, [0x00, 0x80, 0x7f, 0xff, 0x8f, 0x10], [-32_124, 32_124, 0, 0, 16_764, -15_996]],
    [aLaw, [0x2a, 0xaa, 0x55, 0xd5, 0x80, 0x00], [-32_256, 32_256, -8, 8, 5_504, -5_504]],
  ] as const;
  test.each(known)('is what the recommendation says', (law, codes, values) => {
    assert.deepEqual(
      Array.from(law.decode(Uint8Array.from(codes))),
      Array.from(values, (value) => value),
    );
  });

  test('comes back as the same code', () => {
    const all = Uint8Array.from({ length: 256 }, (_, code) => code);
    assert.deepEqual(aLaw.encode(aLaw.decode(all)), all);
    // Nothing below zero and nothing above it are one sample of 16 bits.
    assert.deepEqual(
      muLaw.encode(muLaw.decode(all)),
      all.map((code) => (code === 0x7f ? 0xff : code)),
    );
  });

  test.prop([samples])('is as near as its steps are wide', (given) => {
    for (const law of [muLaw, aLaw]) {
      const back = law.decode(law.encode(given));
      for (const [at, value] of given.entries())
        assert(
          Math.abs((back[at] ?? 0) - value) <= Math.max(16, Math.abs(value) / 16),
          `${value} ${back[at]}`,
        );
    }
  });
});

test.prop([fc.uint8Array({ maxLength: 500 }), fc.nat(3)])(
  'bytes at any address are the same audio',
  (bytes, offset) => {
    const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
    const moved = Buffer.concat([Buffer.alloc(offset), even]).subarray(offset);
    const format: AudioFormat = { type: 'audio/pcm', rate: 16_000 };
    const heard = new AudioReader(format).read(moved);
    assert.deepEqual(new Uint8Array(new AudioWriter(format).write(heard, 16_000)), even);
  },
);

test('half a sample is none', () => {
  assert.throws(
    () => new AudioReader({ type: 'audio/pcm', rate: 24_000 }).read(new Uint8Array(3)),
    RangeError,
  );
});
