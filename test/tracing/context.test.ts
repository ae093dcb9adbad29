import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { contextOf, named, readTraceparent, spanIdOf, traceparentOf } from '../../src/tracing/context.ts';

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''))
    .filter((digits) => /[1-9a-f]/.test(digits));

describe('the context of a trace', () => {
  it.prop([hex(32), hex(16), fc.boolean()])('of a caller is gone on with', (traceId, parentId, isSampled) => {
    const given = `00-${traceId}-${parentId}-${isSampled ? '01' : '00'}`;
    assert.equal(readTraceparent(given), given);
    assert.deepEqual(contextOf(given), { traceId, parentSpanId: parentId, isSampled });
    assert.equal(traceparentOf(given), given);
    const within = traceparentOf(given, named.turn('t'));
    assert.equal(within, `00-${traceId}-${spanIdOf(traceId, named.turn('t'))}-${isSampled ? '01' : '00'}`);
  });

  it.prop([fc.string()])(
    'of any other correlation id is a trace of its own, always the same',
    (correlationId) => {
      fc.pre(readTraceparent(correlationId) === undefined);
      const { traceId, parentSpanId, isSampled } = contextOf(correlationId);
      assert.match(traceId, /^[0-9a-f]{32}$/);
      assert.deepEqual([parentSpanId, isSampled], [undefined, true]);
      assert.deepEqual(contextOf(correlationId), contextOf(correlationId));
      assert.equal(readTraceparent(traceparentOf(correlationId)), traceparentOf(correlationId));
    },
  );

  it('of what is none is not read', () => {
    const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    for (const none of [
      ...[undefined, 7, '', `ff-${traceId}-${parentId}-01`, `00-${'0'.repeat(32)}-${parentId}-01`],
      ...[
        `00-${traceId}-${'0'.repeat(16)}-01`,
        `00-${traceId.toUpperCase()}-${parentId}-01`,
        `00-${traceId}-01`,
      ],
      `01-${traceId}-${parentId}-01-${'x'.repeat(600)}`,
    ])
      assert.equal(readTraceparent(none), undefined, String(none));
    // A newer version is read as far as it is known.
    assert.equal(readTraceparent(`01-${traceId}-${parentId}-01-more`), `00-${traceId}-${parentId}-01`);
  });
});
