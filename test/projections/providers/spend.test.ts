import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { spend } from '../../../src/projections/providers/spend.ts';
import { replied, stepTaken } from '../../support/chatFacts.ts';
import { range } from '../../support/range.ts';
import { viewAfterOf } from '../../support/viewAfter.ts';

describe('what users have asked of models', () => {
  test('adds up steps and replies, and nothing that no model said', async () => {
    const byRule = replied('rule');
    const rule = { ...byRule, data: { ...byRule.data, provider: null, model: null } };
    const { byUser } = await viewAfterOf('__proto__', spend, stepTaken('one'), replied('one'), rule);
    const { days, sessions } = byUser['user __proto__'] ?? { days: [], sessions: [] };
    const counted = days.map(({ models }) => models.map(({ requests }) => requests));
    assert.deepEqual(counted, [[2]]);
    assert.deepEqual(days[0]?.models, sessions[0]?.models);
  });

  test('keeps the hundred sessions that were last spoken in', async () => {
    const turn = (session: number) => {
      const { type, data } = replied(`turn-${session}`);
      return { type, data: { ...data, sessionId: `s${session}` } };
    };
    const events = [...range(0, 100), 0, 100].map(turn);
    const { byUser } = await viewAfterOf('ann', spend, ...events);
    const ids = byUser['user ann']?.sessions.map(({ sessionId }) => sessionId);
    assert.equal(ids?.length, 100);
    assert.deepEqual([ids?.at(0), ids?.at(-2), ids?.at(-1)], ['s2', 's0', 's100']);
  });
});
