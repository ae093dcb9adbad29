import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { FairQueue } from '../src/fairQueue.ts';

const owners = ['ada', 'ben', 'cleo'];

describe('a fair queue', () => {
  const pushes = fc.array(fc.constantFrom(...owners), { maxLength: 40 });

  it.prop([pushes])(
    'keeps the order of each, and lets nobody wait for more than one of each other',
    (pushed) => {
      const queue = new FairQueue<{ owner: string; number: number }>();
      for (const [number, owner] of pushed.entries()) queue.push(owner, { owner, number });
      const taken = Array.from({ length: pushed.length }, () => queue.shift());
      assert.equal(queue.shift(), undefined);
      for (const owner of owners) {
        const own = taken.filter((one) => one?.owner === owner).map((one) => one?.number ?? -1);
        assert.deepEqual(
          own,
          own.toSorted((one, other) => one - other),
        );
        assert.equal(own.length, pushed.filter((one) => one === owner).length);
        const first = taken.findIndex((one) => one?.owner === owner);
        assert.ok(first < owners.length, 'each comes in the first round');
      }
    },
  );

  it('leaves out what was removed', () => {
    const queue = new FairQueue<string>();
    for (const item of ['one', 'two']) queue.push('ada', item);
    queue.remove('ada', 'one');
    queue.remove('ada', 'one');
    queue.remove('ben', 'one');
    assert.equal(queue.waitingOf('ada'), 1);
    assert.deepEqual([queue.shift(), queue.shift(), queue.waitingOf('ada')], ['two', undefined, 0]);
  });
});
