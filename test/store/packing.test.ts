import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import type { RawAppend, UnplacedEvent } from '../../src/store/adapter.ts';
import { packAppends, unpackAppends } from '../../src/store/sqlite/packing.ts';

const PLAIN = { noNullPrototype: true };
const text = fc.string({ maxLength: 20 });
const bytes = fc.uint8Array({ maxLength: 40 });
const event: fc.Arbitrary<UnplacedEvent> = fc.record(
  {
    type: text,
    schema: fc.nat(),
    at: fc.nat(),
    userId: fc.option(text),
    correlationId: text,
    causationId: fc.option(text),
    subject: fc.option(text),
    data: text,
    sealed: fc.option(bytes),
  },
  PLAIN,
);
const append: fc.Arbitrary<RawAppend> = fc.record(
  {
    stream: text,
    expected: fc.oneof(fc.nat(), fc.constantFrom('new' as const, 'exists' as const, 'any' as const)),
    commandId: fc.option(text),
    userId: fc.option(text),
    at: fc.nat(),
    keys: fc.array(fc.record({ subject: text, bytes, madeAfter: fc.option(fc.nat()) }, PLAIN), {
      maxLength: 2,
    }),
    forgets: fc.array(text, { maxLength: 2 }),
    events: fc.array(event, { maxLength: 4 }),
  },
  PLAIN,
);

describe('what travels to the writer', () => {
  it.prop([fc.array(append, { maxLength: 5 })])('arrives as it was sent', (appends) =>
    assert.deepEqual(unpackAppends(structuredClone(packAppends(appends))), appends),
  );

  it('takes nothing along of the memory around it', () => {
    const memory = Buffer.alloc(64 * 1_024);
    const part = memory.subarray(100, 150);
    const sent = fc.sample(append, 10).map((one) => ({
      ...one,
      events: one.events.map((each) => ({ ...each, sealed: part })),
    }));
    const { sealed } = packAppends(sent);
    assert.equal(sealed.buffer.byteLength, sent.flatMap(({ events }) => events).length * part.length);
  });
});
