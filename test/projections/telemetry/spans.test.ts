import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { sweepSpans } from '../../../src/projections/telemetry/sweepSpans.ts';
import type { TracedEvent } from '../../../src/projections/telemetry/traced.ts';
import { workflowSpans } from '../../../src/projections/telemetry/workflowSpans.ts';

/** An event a second, from the first on. */
function story(...events: readonly (readonly [type: string, data: object])[]): readonly TracedEvent[] {
  return events.map(([type, data], place) => ({
    ...{ type, data, at: place * 1_000, id: `s@${place + 1}` },
    ...{ correlationId: 'c', causationId: null },
  }));
}

const execution = { executionId: 'x', workflowId: 'digest' };
const step = (stepId: string) => ({ ...execution, stepId });

describe('the spans of an execution', () => {
  it('are the whole and each attempt at a step, with their own times', () => {
    const spans = workflowSpans(
      story(
        ['workflow.execution.started', execution],
        ['workflow.step.started', { ...step('fetch'), attempt: 1 }],
        ['workflow.step.failed', { ...step('fetch'), attempt: 1 }],
        ['workflow.step.started', { ...step('fetch'), attempt: 2 }],
        ['workflow.step.completed', step('fetch')],
        ['workflow.step.started', { ...step('tell'), attempt: 1 }],
        ['workflow.execution.failed', { ...execution, code: 'STEP_FAILED' }],
      ),
    );
    assert.deepEqual(
      spans.map(({ name, startMs, endMs, error }) => [name, startMs, endMs, error]),
      [
        ['workflow_step fetch', 1_000, 2_000, 'STEP_FAILED'],
        ['workflow_step fetch', 3_000, 4_000, undefined],
        ['workflow_step tell', 5_000, 6_000, 'STEP_FAILED'],
        ['invoke_workflow digest', 0, 6_000, 'STEP_FAILED'],
      ],
    );
    const whole = spans.at(-1);
    assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, 4);
    for (const part of spans.slice(0, -1)) assert.equal(part.parentSpanId, whole?.spanId);
  });

  it('are none before it is over', () => {
    assert.deepEqual(workflowSpans(story(['workflow.execution.started', execution])), []);
  });
});

describe('the spans of a sweep', () => {
  it('are the whole and what it changed, and nothing that others did meanwhile', () => {
    const spans = sweepSpans(
      story(
        ['memory.maintenance.started', { sweepId: 's' }],
        ['memory.conclusion.decayed', { sweepId: 's', conclusionId: 'a' }],
        ['memory.conclusion.drawn', { conclusionId: 'b' }],
        ['memory.conclusion.merged', { sweepId: 's', conclusionId: 'c' }],
        ['memory.maintenance.failed', { sweepId: 's', code: 'INTERNAL' }],
      ),
      's',
    );
    assert.deepEqual(
      spans.map(({ name, attributes }) => [name, attributes['gen_ai.memory.record.id']]),
      [
        ['update_memory memory', 'a'],
        ['update_memory memory', 'c'],
        ['invoke_workflow memory_sweep', undefined],
      ],
    );
    assert.equal(spans.at(-1)?.error, 'INTERNAL');
  });
});
