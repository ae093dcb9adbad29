import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import {
  type AudioFrame,
  FrameOrder,
  FrameWriter,
  readFrame,
} from '../../../src/interfaces/voice/audioFrames.ts';

const u32 = fc.oneof(fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1), fc.nat(2 ** 32 - 1));

function frame(given: Partial<AudioFrame>): AudioFrame {
  const usual = { stream: 0, begins: false, ends: false, misses: false, sequence: 0, offset: 0 };
  return { ...usual, audio: new Uint8Array(), ...given };
}

describe('a frame', () => {
  test('has a header of twelve bytes', () => {
    const writer = new FrameWriter(1);
    assert.deepEqual(
      [...writer.write(Uint8Array.of(1, 2, 3, 4), { begins: true })],
      [1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4],
    );
    assert.deepEqual(
      [...writer.write(new Uint8Array(), { ends: true })],
      [1, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2],
    );
  });

  test.prop([fc.uint8Array({ maxLength: 100 })])(
    'is read or refused with words, and nothing else',
    (bytes) => {
      try {
        const { stream, audio } = readFrame(Buffer.from(bytes));
        assert([0, 2].includes(stream) && audio.length === bytes.length - 12);
      } catch (error) {
        assert(error instanceof RangeError);
      }
    },
  );

  test('says which of its flags are set, and passes over others', () => {
    const bytes = Buffer.from([1, 0, 0xff, 0xf8, 0, 0, 0, 7, 0, 0, 1, 0, 9, 9]);
    const { audio, ...facts } = readFrame(bytes);
    assert.deepEqual(facts, {
      ...{ stream: 0, begins: false, ends: false, misses: false },
      ...{ sequence: 7, offset: 256 },
    });
    bytes[3] = 7;
    const { begins, ends, misses } = readFrame(bytes);
    assert.deepEqual([begins, ends, misses, audio.length], [true, true, true, 2]);
  });
});

describe('the order of frames', () => {
  test.prop([u32, u32, fc.array(fc.nat(50), { minLength: 1, maxLength: 40 })])(
    'is kept over the end of the numbers',
    (sequence, offset, lengths) => {
      const order = new FrameOrder();
      let at = offset;
      for (const [number, length] of lengths.entries()) {
        const audio = new Uint8Array(length * 2);
        const placed = order.place(frame({ sequence: (sequence + number) >>> 0, offset: at >>> 0, audio }));
        assert.deepEqual(placed, { is: 'next' });
        at += length;
      }
    },
  );

  test.prop([fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), u32])(
    'tells all that is lost, and nothing else',
    (arrives, start) => {
      const order = new FrameOrder();
      const sizes = arrives.map((_, at) => (at % 7) + 1);
      let place = 0;
      let told = 0;
      let lost = 0;
      let pending = 0;
      let isFirst = true;
      for (const [at, here] of arrives.entries()) {
        const size = sizes[at] ?? 0;
        if (here) {
          const placed = order.place(
            frame({
              sequence: (start + at) >>> 0,
              offset: (start + place) >>> 0,
              audio: new Uint8Array(size * 2),
            }),
          );
          if (placed.is === 'behind a gap') told += (placed.to - placed.from) >>> 0;
          lost += isFirst ? 0 : pending;
          pending = 0;
          isFirst = false;
        } else pending += size;
        place += size;
      }
      assert.equal(told, lost);
    },
  );

  test('passes over what came before, and what comes too late', () => {
    const order = new FrameOrder();
    const audio = new Uint8Array(20);
    assert.equal(order.place(frame({ sequence: 5, offset: 100, audio })).is, 'next');
    assert.equal(order.place(frame({ sequence: 5, offset: 100, audio })).is, 'stale');
    assert.deepEqual(order.place(frame({ sequence: 7, offset: 120, audio })), {
      is: 'behind a gap',
      from: 110,
      to: 120,
    });
    assert.equal(order.place(frame({ sequence: 6, offset: 110, audio })).is, 'stale');
    assert.equal(order.place(frame({ sequence: 8, offset: 130, audio })).is, 'next');
  });

  test('takes a pause between utterances for none, unless something is said to be missing', () => {
    const order = new FrameOrder();
    const audio = new Uint8Array(20);
    order.place(frame({ audio }));
    assert.equal(order.place(frame({ sequence: 1, offset: 5_000, begins: true, audio })).is, 'next');
    const missing = order.place(frame({ sequence: 2, offset: 9_000, begins: true, misses: true, audio }));
    assert.deepEqual(missing, { is: 'behind a gap', from: 5_010, to: 9_000 });
    assert.equal(order.place(frame({ sequence: 4, offset: 9_500, begins: true, audio })).is, 'behind a gap');
    const unknown = order.place(frame({ sequence: 5, offset: 9_510, misses: true, audio }));
    assert.deepEqual(unknown, { is: 'behind a gap', from: 9_510, to: 9_510 });
  });

  test('refuses frames that lie over each other', () => {
    const order = new FrameOrder();
    order.place(frame({ audio: new Uint8Array(20) }));
    assert.throws(() => order.place(frame({ sequence: 1, offset: 9 })), RangeError);
  });
});
