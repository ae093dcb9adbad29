import assert from 'node:assert/strict';
import { test } from 'vitest';
import { SettableClock } from '../../../src/clock.ts';
import { startInstance, stopInstance } from '../../../src/commands/system/instances.ts';
import { workflowDefinition } from '../../../src/events/workflowDefinition.ts';
import { SagaRuntime } from '../../../src/sagas/runtime.ts';
import { resumeExecutions } from '../../../src/sagas/workflows/resume.ts';
import { WorkflowProcess } from '../../application/workflows/process.ts';
import { begun, Witness } from '../../support/sagas.ts';
import { SharedStore } from '../../support/sharedStore.ts';

const steps = [{ id: 'call', type: 'ACTION', tool: 'tool' }];
const definition = workflowDefinition().parse({ name: 'w', steps });

test('what a process that stopped had under way goes on elsewhere, and only that', async () => {
  const shared = new SharedStore();
  const clock = new SettableClock(1_000_000);
  const begin = (runTool: () => Promise<unknown>) =>
    WorkflowProcess.start({ adapter: shared.hold().adapter, clock, definition, runTool });
  const under = new Witness<string>();
  const never = () => {
    under.add('way');
    return new Promise<never>(() => {});
  };
  const [one, two, three] = [await begin(never), await begin(never), await begin(async () => 'done')];
  const { store, views, runner, instanceId } = three.context;
  const start = ({ executions }: WorkflowProcess, executionId: string) =>
    executions.start({ userId: 'ann', correlationId: 'c', workflowId: 'w', executionId, input: {} });
  for (const executionId of ['e1', 'e2']) await start(one, executionId);
  await start(two, 'e3');
  await under.count(3);
  await begun(store, 'resume-executions');

  const onFailure = (_what: string, error: unknown) => assert.fail(String(error));
  const sagas = [resumeExecutions(() => views, three.executions)];
  const runtime = new SagaRuntime({ store, runner, sagas, instanceId, onFailure });
  runtime.start();
  const first = { instanceId: one.context.instanceId };
  const system = { userId: 'system', correlationId: 'c' };
  await runner.run(startInstance, { ...first, version: '1', pid: 1 }, system);
  await runner.run(stopInstance, first, system);
  const find = (executionId: string) => three.executions.find({ userId: 'ann', executionId });
  const signal = new AbortController().signal;
  for (const executionId of ['e1', 'e2']) {
    const wanted = { userId: 'ann', executionId };
    const { phase } = await three.executions.settled(wanted, clock.read() + 60_000, signal);
    assert.equal(phase, 'completed');
  }
  await runtime.stop();
  assert.equal((await find('e3')).instanceId, two.context.instanceId);
});
