import assert from 'node:assert/strict';
import { it } from 'vitest';
import { answerPending } from '../../../src/application/scheduler/pendingByRule.ts';

const base = { conversationId: 'c', turnId: 't', durationMs: 1 };
const task = { id: 'x', name: 'call mum', eventTopic: 'agent.reminder.requested' };
const step = (callId: string, result: string, failed = false) => ({
  ...{ step: 1, parts: [], reasoning: null, calls: [] },
  returns: [{ ...base, callId, result, failed }],
});
const listed = step(
  'by-rule-pending-1',
  `${JSON.stringify([task])}\n[Cut here: 2 more. Ask for those of one status]`,
);

it('a reminder is told as cancelled only where it was', () => {
  const told = (failed: boolean) =>
    answerPending(
      'Cancel my reminder.',
      { steps: [listed, step('by-rule-pending-2', 'Task x cancelled', failed)] },
      'en',
    )?.text;
  assert.equal(told(false), 'I have cancelled this:\n- call mum');
  assert.equal(told(true), 'That did not work.');
});
