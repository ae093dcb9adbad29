import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { DueHeap } from '../../src/sagas/dueHeap.ts';

const step = fc.oneof(
  { arbitrary: fc.record({ push: fc.nat({ max: 20 }) }), weight: 3 },
  { arbitrary: fc.constant('pop' as const), weight: 2 },
);

describe('a heap of what is due', () => {
  it.prop([fc.array(step, { maxLength: 80 })])(
    'gives the first of what is in it, each once, whatever came and went before',
    (steps) => {
      const heap = new DueHeap<number>();
      const held = new Map<number, number>();
      for (const [item, one] of steps.entries()) {
        if (one !== 'pop') {
          heap.push(one.push, item);
          held.set(item, one.push);
        } else {
          const first = Math.min(...held.values());
          assert.equal(heap.first, held.size === 0 ? Number.POSITIVE_INFINITY : first);
          const [time, popped] = heap.pop() ?? [];
          if (held.size === 0) assert.equal(popped, undefined);
          else {
            assert.ok(popped !== undefined);
            assert.deepEqual([time, held.get(popped)], [first, first]);
            held.delete(popped);
          }
        }
        assert.equal(heap.size, held.size);
      }
    },
  );

  it.prop([fc.array(fc.nat({ max: 1_000 }), { maxLength: 200 })])(
    'gives all back in their order',
    (times) => {
      const heap = new DueHeap<number>();
      for (const time of times) heap.push(time, time);
      const given = times.map(() => heap.pop()?.[0]);
      assert.deepEqual(
        given,
        times.toSorted((one, other) => one - other),
      );
    },
  );
});
