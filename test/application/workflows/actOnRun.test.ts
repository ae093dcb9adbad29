import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { actOnRun } from '../../../src/application/workflows/actOnRun.ts';
import { SettableClock } from '../../../src/clock.ts';
import { workflowDefinition } from '../../../src/events/workflowDefinition.ts';
import { Witness } from '../../support/sagas.ts';
import { SharedStore } from '../../support/sharedStore.ts';
import { WorkflowProcess } from './process.ts';

const steps = [{ id: 'call', type: 'ACTION', tool: 'tool', input: { given: '{{ input }}' } }];
const definition = workflowDefinition().parse({ name: 'w', steps });
const asked = { workflowId: 'w' };

describe('a topic that asks for a workflow', () => {
  it('has it executed once for each occasion, however often that is told', async () => {
    const { act, calls } = await attended(async () => 'done');
    for (const id of ['o1', 'o1', 'o2']) await act(asked, id);
    assert.deepEqual(calls.items, [{ given: {} }, { given: {} }]);
  });

  it('gives it what it is told', async () => {
    const { act, calls } = await attended(async () => 'done');
    await act({ ...asked, input: { name: 'Ann' } }, 'o1');
    assert.deepEqual(calls.items, [{ given: { name: 'Ann' } }]);
  });

  it('fails when it fails', async () => {
    const { act } = await attended(async () => {
      throw new Error('no such thing');
    });
    await assert.rejects(act(asked, 'o1'), { code: 'WORKFLOW_FAILED', message: 'call: no such thing' });
  });

  it('is done after a minute, also when that is not', async () => {
    const { act, clock, calls } = await attended(() => new Promise<never>(() => {}));
    const acted = act(asked, 'o1');
    await calls.count(1);
    clock.advance(60_000);
    await acted;
  });

  it('is done when nobody waits any more', async () => {
    const { act, calls } = await attended(() => new Promise<never>(() => {}));
    const leaving = new AbortController();
    const acted = act(asked, 'o1', leaving.signal);
    await calls.count(1);
    leaving.abort();
    await acted;
  });
});

async function attended(tool: () => Promise<unknown>) {
  const clock = new SettableClock(1_000_000);
  const calls = new Witness<unknown>();
  const runTool = (_name: string, input: unknown) => {
    calls.add(input);
    return tool();
  };
  const { adapter } = new SharedStore().hold();
  const { executions } = await WorkflowProcess.start({ adapter, clock, definition, runTool });
  const actor = actOnRun(async () => executions, clock.read);
  const asked = { userId: 'ann', origin: 'schedule', source: 'task', sessionId: null } as const;
  const act = (payload: unknown, id: string, signal = new AbortController().signal) =>
    actor.act(payload, { ...asked, id, correlationId: 'c', late: false, signal });
  return { act, calls, clock };
}
