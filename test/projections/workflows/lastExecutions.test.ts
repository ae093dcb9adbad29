import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { eventCatalog } from '../../../src/events/catalog.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { lastExecutions, lastExecutionsOf } from '../../../src/projections/workflows/lastExecutions.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { NOW } from '../../support/given.ts';
import { range } from '../../support/range.ts';

const of = (executionId: string) => ({ executionId, workflowId: 'digest' });
const started = (executionId: string): NewEvent => ({
  type: 'workflow.execution.started',
  data: {
    ...of(executionId),
    definition: null,
    input: null,
    generation: 0,
    instanceId: 'one',
  },
});
const ended = (executionId: string, as: 'completed' | 'failed' | 'cancelled'): NewEvent => ({
  type: `workflow.execution.${as}`,
  data: {
    ...of(executionId),
    ...(as === 'completed' ? { output: null } : {}),
    ...(as === 'failed' ? { stepId: null, code: 'ERASED', error: 'gone' } : {}),
  },
});

async function last(...events: readonly NewEvent[]) {
  const log = await Log.open(new MemoryAdapter(), eventCatalog);
  const views = new ProjectionRuntime(log, [lastExecutions]);
  await views.start();
  const who = { userId: '__proto__', correlationId: 'test', causationId: null, at: NOW };
  for (const event of events) await log.append({ ...who, stream: 'run', expected: 'any', events: [event] });
  return { own: lastExecutionsOf(views, '__proto__'), others: lastExecutionsOf(views, 'ben') };
}

describe('what a user has executed lately', () => {
  it('is the newest first, with how each ended, and nothing of others', async () => {
    const endings = ['completed', 'failed', 'cancelled'] as const;
    const past = endings.flatMap((as) => [started(as), ended(as, as)]);
    const { own, others } = await last(...past, started('runs'));
    assert.deepEqual(
      own.map(({ executionId, ending, endTime }) => [executionId, ending, endTime]),
      [
        ['runs', null, null],
        ['cancelled', 'cancelled', NOW],
        ['failed', 'failed', NOW],
        ['completed', 'completed', NOW],
      ],
    );
    assert.deepEqual(others, []);
  });

  it('is 200 that are over, and all that are not', async () => {
    const over = range(0, 202).flatMap((n) => [started(`e${n}`), ended(`e${n}`, 'completed')]);
    const { own } = await last(started('runs'), ...over);
    assert.equal(own.length, 201);
    assert.deepEqual(
      [own[0]?.executionId, own[199]?.executionId, own[200]?.executionId],
      ['e201', 'e2', 'runs'],
    );
  });

  it('is not changed by the end of one that made room', async () => {
    assert.deepEqual((await last(ended('gone', 'failed'))).own, []);
  });
});
