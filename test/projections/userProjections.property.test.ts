import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import { StoreCommandRunner } from '../../src/commands/runner.ts';
import { changePreferences } from '../../src/commands/settings/changePreferences.ts';
import {
  changeWebhook,
  createWebhook,
  recordDelivery,
  removeWebhook,
} from '../../src/commands/webhooks/webhook.ts';
import {
  advanceExecution,
  cancelExecution,
  startExecution,
} from '../../src/commands/workflows/executions.ts';
import { isHarkError } from '../../src/errors.ts';
import { eventCatalog } from '../../src/events/catalog.ts';
import { workflowDefinition } from '../../src/events/workflowDefinition.ts';
import type { WorkflowEvent } from '../../src/events/workflows.ts';
import { foldedUntil } from '../../src/folds/streamFold.ts';
import type { UserProjection } from '../../src/projections/projection.ts';
import { ProjectionRuntime } from '../../src/projections/runtime.ts';
import { preferences } from '../../src/projections/settings/preferences.ts';
import { webhook } from '../../src/projections/webhooks/webhook.ts';
import { execution } from '../../src/projections/workflows/execution.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { NOW } from '../support/given.ts';

type Act = (runner: StoreCommandRunner) => Promise<unknown>;

const who = { userId: 'ann', correlationId: 'test' };
const secret = { iv: 'i', tag: 't', data: 'd' };
const webhookId = 'w';
const run = { executionId: 'e', workflowId: 'w' };
const definition = workflowDefinition().parse({
  name: 'w',
  steps: [{ id: 'one', type: 'WAIT', duration: 1 }],
});
const failure = { reason: 'HTTP_500', isGone: false, notBefore: 0 };

const chosen: fc.Arbitrary<Act> = fc
  .record({ language: fc.constantFrom('en', 'de'), persistMemory: fc.boolean() }, { requiredKeys: [] })
  .map(
    (given): Act =>
      (runner) =>
        runner.run(changePreferences, { preferences: given }, who),
  );

const kept: fc.Arbitrary<Act> = fc.oneof(
  fc.constant<Act>((runner) =>
    runner.run(createWebhook, { webhookId, url: 'https://a.example', topics: ['memory.*'], secret }, who),
  ),
  fc
    .record({
      changes: fc.record(
        { url: fc.constantFrom('https://b.example', 'https://c.example'), topics: fc.constant(['a', 'b']) },
        { requiredKeys: [] },
      ),
      status: fc.constantFrom('active' as const, 'paused' as const, undefined),
    })
    .map(
      (change): Act =>
        (runner) =>
          runner.run(changeWebhook, { webhookId, ...change }, who),
    ),
  fc.constantFrom(failure, { ...failure, isGone: true }, null).map(
    (one): Act =>
      (runner) =>
        runner.run(recordDelivery, { webhookId, position: 1, failure: one }, who),
  ),
  fc.constant<Act>((runner) => runner.run(removeWebhook, { webhookId }, who)),
);

const place = fc.constantFrom('one', 'two').map((stepId) => ({ ...run, stepId }));
const happened: fc.Arbitrary<WorkflowEvent> = fc.oneof(
  place.map((of) => ({ type: 'workflow.step.started' as const, data: { ...of, attempt: 1 } })),
  place.map((of) => ({ type: 'workflow.step.completed' as const, data: { ...of, output: of.stepId } })),
  place.map((of) => ({ type: 'workflow.step.skipped' as const, data: of })),
  place.map((of) => ({ type: 'workflow.wait.begun' as const, data: { ...of, until: NOW } })),
  fc.tuple(place, fc.constantFrom(NOW, null)).map(([of, retryAt]) => ({
    type: 'workflow.step.failed' as const,
    data: { ...of, attempt: 1, error: 'no', retryAt },
  })),
);

const executed: fc.Arbitrary<Act> = fc.oneof(
  fc.constant<Act>((runner) =>
    runner.run(startExecution, { ...run, definition, input: {}, instanceId: 'i', generation: 0 }, who),
  ),
  happened.map(
    (event): Act =>
      (runner) =>
        runner.run(advanceExecution, { executionId: 'e', instanceId: 'i', event }, who),
  ),
  fc.constant<Act>((runner) => runner.run(cancelExecution, { executionId: 'e' }, who)),
);

/** What may be refused, as anything may that nobody has begun. */
async function attempt(act: Promise<unknown>): Promise<void> {
  await act.catch((error) => assert.ok(isHarkError(error), `${error}`));
}

/** At every moment: as its own events add up, for who follows them and for who reads them for the first time. */
async function isFold<Which extends readonly string[]>(
  acts: readonly Act[],
  projection: UserProjection<unknown, Which>,
  ...which: Which
): Promise<void> {
  const log = await Log.open(new MemoryAdapter(), eventCatalog);
  const runner = new StoreCommandRunner({ store: log, clock: () => NOW, newId: String });
  const followed = new ProjectionRuntime(log, []);
  const stream = projection.stream('ann', ...which);
  for (const act of acts) {
    await attempt(act(runner));
    const folded = await foldedUntil(log, projection, stream);
    assert.deepEqual(await followed.of(projection, 'ann', ...which), folded);
    assert.deepEqual(await new ProjectionRuntime(log, []).of(projection, 'ann', ...which), folded);
  }
}

describe('a projection of one user', () => {
  test.prop([fc.array(chosen)])('is what they chose', (acts) => isFold(acts, preferences));
  test.prop([fc.array(kept)])('is a webhook, as its events tell of it', (acts) =>
    isFold(acts, webhook, webhookId),
  );
  test.prop([fc.array(executed)])('is an execution, as its events tell of it', (acts) =>
    isFold(acts, execution, 'e'),
  );
});
