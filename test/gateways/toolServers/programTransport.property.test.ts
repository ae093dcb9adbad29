import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { Lines } from '../../../src/gateways/toolServers/programTransport.ts';

const byte = fc.oneof(fc.constant(10), fc.constant(13), fc.integer({ min: 0, max: 255 }));
const bytes = fc.uint8Array({ maxLength: 60 });

const onTooLong = () => {
  throw new Error('too long');
};

describe('the lines of a program', () => {
  it.prop([fc.array(byte, { maxLength: 200 }), fc.array(fc.nat(20))])(
    'are the same, however they are cut',
    (all, cuts) => {
      const whole = Buffer.from(all);
      const lines = new Lines(1_000, onTooLong);
      const found: string[] = [];
      let from = 0;
      for (const length of [...cuts, whole.length]) {
        for (const line of lines.endedBy(whole.subarray(from, from + length)))
          found.push(line.toString('latin1'));
        from += length;
      }
      assert.deepEqual(found, whole.toString('latin1').split('\n').slice(0, -1));
    },
  );

  it.prop([fc.array(bytes, { maxLength: 8 }), fc.integer({ min: 1, max: 80 })])(
    'are as long as they may be, ended or not, and no longer',
    (chunks, most) => {
      const lines = new Lines(most, onTooLong);
      const read = () => chunks.flatMap((chunk) => [...lines.endedBy(Buffer.from(chunk))]);
      const longest = Math.max(
        0,
        ...Buffer.concat(chunks)
          .toString('latin1')
          .split('\n')
          .map(({ length }) => length),
      );
      if (longest > most) assert.throws(read, /too long/);
      else read();
    },
  );
});
