import assert from 'node:assert/strict';
import { EMPTY } from 'rxjs';
import { describe, it } from 'vitest';
import { looks } from '../../../src/sagas/dueTimes.ts';
import { overdueAmong } from '../../../src/sagas/memory/retention.ts';
import { playDue } from '../../support/virtualTime.ts';

const HOUR = 3_600_000;

describe('what has been kept for long enough', () => {
  const due = (...given: Parameters<typeof overdueAmong>) =>
    overdueAmong(...given).due.map(({ userId, streams }) => [userId, ...streams]);

  it('is found by user, each once, with the streams that it is in', () => {
    const expiries = {
      'memory-ann': { userId: 'ann', at: 100 },
      'entities-ann': { userId: 'ann', at: 50 },
      'memory-bob': { userId: 'bob', at: 101 },
    };
    assert.deepEqual(due({ expiries, ended: [{ userId: 'ann', at: 0 }] }, 50, 100), [
      ['ann', 'memory-ann', 'entities-ann'],
    ]);
  });

  it('is talk too, once it has been over for as long as episodes are kept', () => {
    const ended = [
      { userId: 'ann', at: 50 },
      { userId: 'bob', at: 51 },
    ];
    assert.deepEqual(due({ expiries: {}, ended }, 50, 100), [['ann']]);
    assert.equal(overdueAmong({ expiries: {}, ended }, 50, 100).due[0]?.endedBy, 50);
  });

  it('is looked for at once, and then every hour', () => {
    const expiries: Record<string, { userId: string; at: number }> = {
      'memory-ann': { userId: 'ann', at: 0 },
      'memory-bob': { userId: 'bob', at: HOUR + 1 },
    };
    playDue('a 119m 59s 999ms b 59m 59s 999ms |', {
      saga: () => ({
        name: 'sample',
        on: looks((now) => overdueAmong({ expiries, ended: [] }, HOUR, now)),
        key: () => 'memory',
        react: () => EMPTY,
      }),
      tell: ({ userId }) => userId.charAt(0),
      answer: ({ streams: [stream = ''] }) => {
        delete expiries[stream];
        return EMPTY;
      },
      stopAt: 3 * HOUR,
    });
  });
});
