import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  advanceExecution,
  cancelExecution,
  resumeExecution,
  startExecution,
} from '../../../src/commands/workflows/executions.ts';
import { workflowDefinition } from '../../../src/events/workflowDefinition.ts';
import type { WorkflowEvent } from '../../../src/events/workflows.ts';
import { type StepRecord, execution as view } from '../../../src/projections/workflows/execution.ts';
import { fold, given, NOW } from '../../support/given.ts';

const execution = { executionId: 'e', workflowId: 'w' };
const definition = workflowDefinition().parse({
  name: 'w',
  steps: [{ id: 's', type: 'WAIT', duration: 1_000 }],
});
const start = { ...execution, definition, input: { n: 1 }, instanceId: 'one', generation: 0 };
const started: WorkflowEvent = { type: 'workflow.execution.started', data: start };
const erased: WorkflowEvent = {
  type: 'workflow.execution.started',
  data: { ...start, definition: null, input: null },
};
const resumed: WorkflowEvent = {
  type: 'workflow.execution.resumed',
  data: { ...execution, instanceId: 'two' },
};
const place = { ...execution, stepId: 's' };
const begun: WorkflowEvent = { type: 'workflow.step.started', data: { ...place, attempt: 1 } };
const completed: WorkflowEvent = { type: 'workflow.step.completed', data: { ...place, output: 1 } };
const skipped: WorkflowEvent = { type: 'workflow.step.skipped', data: place };
const failed: WorkflowEvent = {
  type: 'workflow.step.failed',
  data: { ...place, attempt: 1, error: 'No', retryAt: null },
};
const retried: WorkflowEvent = {
  type: 'workflow.step.failed',
  data: { ...place, attempt: 1, error: 'No', retryAt: 7 },
};
const over: WorkflowEvent = { type: 'workflow.execution.completed', data: { ...execution, output: {} } };
const broken: WorkflowEvent = {
  type: 'workflow.execution.failed',
  data: { ...execution, stepId: null, code: 'ERASED', error: 'Gone' },
};
const cancelled: WorkflowEvent = { type: 'workflow.execution.cancelled', data: execution };

const by = (instanceId: string, event: WorkflowEvent) => ({ executionId: 'e', instanceId, event });

describe('starting an execution', () => {
  it('keeps what it is made of', () => given(startExecution).when(start).gives(started));
  it('does nothing the second time', () => given(startExecution, started).when(start).givesNothing());
});

describe('advancing an execution', () => {
  it('is for the process that has it', () => {
    given(advanceExecution, started).when(by('one', begun)).gives(begun);
    given(advanceExecution, started).when(by('two', begun)).isRefused('EXECUTION_OVER');
    given(advanceExecution, started, resumed).when(by('one', begun)).isRefused('EXECUTION_OVER');
    given(advanceExecution, started, resumed).when(by('two', begun)).gives(begun);
  });

  for (const end of [completed, skipped, failed])
    it(`does nothing to a step after ${end.type}`, () => {
      for (const late of [begun, completed, failed])
        given(advanceExecution, started, begun, end).when(by('one', late)).givesNothing();
    });

  it('goes on with a step that failed and is tried again', () => {
    given(advanceExecution, started, begun, retried).when(by('one', begun)).gives(begun);
  });

  for (const end of [over, broken, cancelled])
    it(`is refused after ${end.type}`, () => {
      given(advanceExecution, started, end).when(by('one', completed)).isRefused('EXECUTION_OVER');
    });

  it('takes nothing but an end when what it works on was erased', () => {
    given(advanceExecution, erased).when(by('one', completed)).isRefused('EXECUTION_ERASED');
    given(advanceExecution, erased).when(by('one', broken)).gives(broken);
  });
});

describe('taking over an execution', () => {
  const take = { executionId: 'e', from: 'one', instanceId: 'two' };
  it('makes it the work of another process', () => given(resumeExecution, started).when(take).gives(resumed));
  it('does nothing when it was taken over, or is over', () => {
    given(resumeExecution, started, resumed).when(take).givesNothing();
    given(resumeExecution, started, over).when(take).givesNothing();
    given(resumeExecution).when(take).givesNothing();
  });
});

describe('an execution that ended before its steps did', () => {
  const waits: WorkflowEvent = { type: 'workflow.wait.begun', data: { ...place, until: NOW + 1_000 } };

  for (const end of [cancelled, broken])
    it(`has none that waits or is to be tried again after ${end.type}`, () => {
      for (const before of [[waits], [begun], [begun, retried]]) {
        const step: StepRecord | undefined = fold(view, [started, ...before, end]).steps.s;
        assert.deepEqual([step?.state, step?.endedAt, step?.until], ['cancelled', NOW, null]);
      }
    });

  it('keeps what came of those that were over', () => {
    assert.equal(fold(view, [started, begun, completed, cancelled]).steps.s?.state, 'completed');
  });
});

describe('cancelling an execution', () => {
  const cancel = { executionId: 'e' };
  it('ends it, once', () => {
    given(cancelExecution, started).when(cancel).gives(cancelled);
    given(cancelExecution, started, cancelled).when(cancel).givesNothing();
  });
  it('is refused where there is none, or it is over', () => {
    given(cancelExecution).when(cancel).isRefused('EXECUTION_UNKNOWN');
    given(cancelExecution, started, over).when(cancel).isRefused('EXECUTION_OVER');
    given(cancelExecution, started, broken).when(cancel).isRefused('EXECUTION_OVER');
  });
});

describe('what is known of a step', () => {
  const known = (...events: readonly WorkflowEvent[]) => fold(view, [started, ...events]).steps.s;
  const nothing = {
    ...{ state: 'running', attempts: 0, failures: 0, startedAt: NOW, endedAt: null },
    ...{ until: null, output: null, error: null, isPublished: false },
  } as const;
  const published: WorkflowEvent = {
    type: 'workflow.topic.published',
    data: { ...place, topic: 't', payload: {} },
  };

  it('is how often it was begun', () => {
    const again: WorkflowEvent = { type: 'workflow.step.started', data: { ...place, attempt: 2 } };
    assert.deepEqual(known(begun), { ...nothing, attempts: 1 });
    assert.deepEqual(known(begun, retried, again), { ...nothing, attempts: 2, failures: 1, error: 'No' });
  });
  it('is that it waits', () =>
    assert.deepEqual(known(begun, retried), {
      ...{ ...nothing, state: 'waiting', until: 7 },
      ...{ attempts: 1, failures: 1, error: 'No' },
    }));
  it('is that it was passed by', () =>
    assert.deepEqual(known(skipped), { ...nothing, state: 'skipped', endedAt: NOW }));
  it('is that it has told its topic', () =>
    assert.deepEqual(known(begun, published), { ...nothing, attempts: 1, isPublished: true }));
  it('is what it gave', () =>
    assert.deepEqual(known(begun, completed), {
      ...{ ...nothing, state: 'completed', attempts: 1 },
      ...{ endedAt: NOW, output: 1 },
    }));
});
