import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { DueHeap } from '../../src/sagas/dueHeap.ts';

const NEVER = Number.POSITIVE_INFINITY;
const moment = fc.oneof({ arbitrary: fc.nat({ max: 20 }), weight: 9 }, fc.constant(NEVER));
const step = fc.oneof(
  { arbitrary: fc.record({ push: moment }), weight: 3 },
  { arbitrary: fc.record({ takeBy: moment }), weight: 2 },
);

describe('a heap of what is due', () => {
  it.prop([fc.array(step, { maxLength: 80 })])(
    'gives the first of what is in it once that is due, each once, whatever came and went before',
    (steps) => {
      const heap = new DueHeap<number>();
      const held = new Map<number, number>();
      for (const [item, one] of steps.entries()) {
        if ('push' in one) {
          heap.push(one.push, item);
          held.set(item, one.push);
        } else {
          const first = Math.min(...held.values());
          const due = heap.takeDue(one.takeBy);
          if (held.size === 0 || first > one.takeBy) assert.equal(due, undefined);
          else {
            assert.ok(due);
            assert.deepEqual([due.at, held.get(due.item)], [first, first]);
            held.delete(due.item);
          }
        }
        assert.equal(heap.first, Math.min(...held.values()));
        assert.equal(heap.size, held.size);
      }
    },
  );

  it.prop([fc.array(fc.nat({ max: 1_000 }), { maxLength: 200 })])(
    'gives all back in their order',
    (times) => {
      const heap = new DueHeap<number>();
      for (const time of times) heap.push(time, time);
      const given = times.map(() => heap.takeDue(NEVER)?.at);
      assert.deepEqual(
        given,
        times.toSorted((one, other) => one - other),
      );
    },
  );
});
