import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import { isHarkError } from '../../../src/errors.ts';
import { encodeEvent, MessageReader } from '../../../src/interfaces/wyoming/framing.ts';

const event = fc.record({
  type: fc.stringMatching(/^[a-z-]{1,20}$/),
  data: fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.oneof(fc.string(), fc.integer(), fc.boolean())),
  payload: fc.uint8Array({ maxLength: 300 }),
});

/** In pieces of these lengths, over and over. */
function* piecesOf(bytes: Buffer, lengths: readonly number[]): Iterable<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });

describe('messages of the Wyoming protocol', () => {
  test.prop([fc.array(event, { maxLength: 8 }), lengths])(
    'come out as they went in, in whatever pieces they came',
    (events, sizes) => {
      const bytes = Buffer.concat(events.map(({ type, data, payload }) => encodeEvent(type, data, payload)));
      const reader = new MessageReader();
      const read = Array.from(piecesOf(bytes, sizes)).flatMap((piece) => reader.push(piece));
      assert.deepEqual(
        read.map(({ type, data, payload }) => ({
          type,
          data: { ...data },
          payload: Uint8Array.from(payload),
        })),
        events.map(({ type, data, payload }) => ({ type, data: { ...data }, payload })),
      );
      assert.equal(reader.isWithin, false);
    },
  );

  test.prop([fc.uint8Array({ maxLength: 2_000 }), lengths])(
    'are told from anything else, which is refused and nothing worse',
    (bytes, sizes) => {
      const reader = new MessageReader();
      try {
        for (const piece of piecesOf(Buffer.from(bytes), sizes)) reader.push(piece);
      } catch (error) {
        assert.ok(isHarkError(error, 'BAD_REQUEST'));
      }
    },
  );

  const refused: Readonly<Record<string, string>> = {
    'a line without an end': 'x'.repeat(65_537),
    'a request of a browser': 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'a payload beyond what is taken': '{"type":"audio-chunk","payload_length":1048577}\n',
    'a length that is none': '{"type":"audio-chunk","payload_length":-1}\n',
    'a length of half a byte': '{"type":"audio-chunk","data_length":1.5}\n',
    'data that are a list': '{"type":"ping","data_length":2}\n[]',
    'no type': '{"data":{}}\n',
  };
  for (const [what, text] of Object.entries(refused)) {
    test(`${what} is refused`, () => {
      assert.throws(
        () => new MessageReader().push(Buffer.from(text)),
        (error) => isHarkError(error, 'BAD_REQUEST'),
      );
    });
  }

  test('data may stand in the line, and what follows it wins', () => {
    const text =
      '{"type":"ping","data":{"text":"a","more":1},"data_length":12,"payload_length":null}\n{"text":"b"}';
    const [told] = new MessageReader().push(Buffer.from(text));
    assert.deepEqual({ ...told?.data }, { text: 'b', more: 1 });
  });

  test('what nests deep costs no more than its length', () => {
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    assert.equal(new MessageReader().push(Buffer.from(`{"type":"ping","data":${deep}}\n`)).length, 1);
  });
});
