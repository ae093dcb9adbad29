import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { z } from 'zod';
import { memorySpans } from '../../../src/projections/telemetry/memorySpans.ts';
import { sweepSpans } from '../../../src/projections/telemetry/sweepSpans.ts';
import type { TracedEvent } from '../../../src/projections/telemetry/traced.ts';
import { turnSpans } from '../../../src/projections/telemetry/turnSpans.ts';
import { workflowSpans } from '../../../src/projections/telemetry/workflowSpans.ts';

/** An event a second, from the first on. */
function story(...events: readonly (readonly [type: string, data: object])[]): readonly TracedEvent[] {
  return events.map(([type, data], place) => ({
    ...{ type, data, at: place * 1_000, id: `s@${place + 1}` },
    ...{ correlationId: 'c', causationId: null },
  }));
}

const fixtures = join(import.meta.dirname, '../../../migrations/events');
const fixture = z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) });

/** The event of a type as the migrations keep it, with other data where that is given. */
function kept(type: string, other: object = {}): readonly [string, object] {
  const { data } = fixture.parse(JSON.parse(readFileSync(join(fixtures, `${type}.v1.json`), 'utf8')));
  return [type, { ...data, ...other }];
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

  it('end with it where it is cancelled in a wait, and say nothing of what is no step', () => {
    const spans = workflowSpans(
      story(
        ['workflow.step.completed', step('before')],
        ['workflow.execution.started', execution],
        ['memory.conclusion.drawn', { conclusionId: 'b' }],
        ['workflow.step.completed', step('never begun')],
        ['workflow.wait.begun', step('sleep')],
        ['workflow.execution.cancelled', execution],
      ),
    );
    assert.deepEqual(
      spans.map(({ name, startMs, endMs, error }) => [name, startMs, endMs, error]),
      [
        ['workflow_step sleep', 4_000, 5_000, 'cancelled'],
        ['invoke_workflow digest', 1_000, 5_000, 'cancelled'],
      ],
    );
    const [, done] = story(
      ['workflow.execution.started', execution],
      ['workflow.execution.completed', execution],
    );
    assert.equal(
      workflowSpans(story(['workflow.execution.started', execution], [done?.type ?? '', execution])).length,
      1,
    );
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

describe('the span of what an event did to memory', () => {
  const done: Readonly<Record<string, string>> = {
    'memory.episode.created': 'create',
    'memory.conclusion.drawn': 'create',
    'memory.profile.changed': 'upsert',
    'memory.conclusion.strengthened': 'update',
    'memory.conclusion.superseded': 'update',
    'memory.conclusion.contradicted': 'update',
    'memory.conclusion.restored': 'update',
    'memory.conclusion.flagged': 'update',
    'memory.conclusion.decayed': 'update',
    'memory.conclusion.merged': 'update',
    'memory.conclusion.pruned': 'update',
    'memory.contradiction.detected': 'update',
    'memory.episode.flagged': 'update',
    'memory.conclusions.erased': 'delete',
    'memory.episodes.erased': 'delete',
    'memory.episodes.expired': 'delete',
    'memory.conversations.expired': 'delete',
    'memory.transcript.erased': 'delete',
    'memory.erased': 'delete',
    'entities.entity.mentioned': 'upsert',
  };
  const types = readdirSync(fixtures)
    .filter((name) => /^(?:memory|entities)\..*\.v1\.json$/.test(name))
    .map((name) => name.replace('.v1.json', ''));

  for (const type of types) {
    const operation = done[type];
    it(`${type}: ${operation ?? 'none, since it changes nothing that is remembered'}`, () => {
      const [event] = story(kept(type));
      const names = memorySpans(event ?? assert.fail()).map(({ name }) => name);
      assert.deepEqual(names, operation === undefined ? [] : [`${operation}_memory memory`]);
    });
  }

  it('is none where it was done to nothing', () => {
    const [event] = story(kept('memory.conclusions.erased', { conclusionIds: [] }));
    assert.deepEqual(memorySpans(event ?? assert.fail()), []);
  });
});

describe('the spans of a turn', () => {
  const ends: Readonly<Record<string, string | undefined>> = {
    'chat.turn.delegated': undefined,
    'chat.turn.failed': 'MODEL_UNAVAILABLE',
    'chat.turn.cancelled': 'cancelled',
    'chat.turn.interrupted': 'interrupted',
  };
  for (const [type, error] of Object.entries(ends))
    it(`end with ${type}, and so does the tool that was under way`, () => {
      const spans = turnSpans(
        story(
          kept('chat.message.received'),
          kept('chat.turn.failed', { turnId: 'another' }),
          kept('chat.tool.called'),
          kept(type),
        ),
        't1',
      );
      assert.equal(spans.at(-1)?.error, error);
      assert.equal(spans.at(-1)?.endMs, 3_000);
      const tools = spans.filter(({ name }) => name === 'execute_tool system.health');
      assert.deepEqual(
        tools.map((tool) => tool.error),
        error === undefined ? [] : [error],
      );
    });

  it('name what failed at a server of tools as MCP does, and what failed here as any other', () => {
    const errors = [true, false].map((isForeign) => {
      const spans = turnSpans(
        story(
          kept('chat.message.received'),
          kept('chat.tool.called'),
          kept('chat.tool.returned', { callId: 'unknown' }),
          kept('chat.tool.returned', { callId: 'c1', failed: true, isForeign }),
          kept('chat.turn.failed'),
        ),
        't1',
      );
      return spans.filter(({ name }) => name.startsWith('execute_tool')).map(({ error }) => error);
    });
    assert.deepEqual(errors, [['tool_error'], ['_OTHER']]);
  });

  it('are none before it is over', () => {
    assert.deepEqual(turnSpans(story(kept('chat.message.received'), kept('chat.tool.called')), 't1'), []);
  });
});
