import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { defineEvent, type EventOf, personal, readerOf } from './definition.ts';
import { workflowDefinition } from './workflowDefinition.ts';

/*
 * An execution is one run of a workflow, from what it is given to what it gives.
 *
 *   execution.started ─► (step.skipped | step.started ─► step.failed… ─► step.completed | wait.begun ─► step.completed)…
 *                                                                               ─► execution.completed
 *                                                                               ├► execution.failed
 *                                                                               └► execution.cancelled
 *
 * A step that was started and neither failed nor was completed is started again by whoever goes on with the
 * execution; one that was completed never is. Texts are sealed under a key of the execution.
 */

const execution = lazily(() => ({ executionId: z.string(), workflowId: z.string() }));
const step = lazily(() => ({ ...execution(), stepId: z.string() }));
const subject = ({ executionId }: { executionId: string }) => `run-${executionId}`;
const text = lazily(() => personal(z.string()));
const values = lazily(() => personal(z.record(z.string(), z.unknown())));

/** Under this id an execution was started, so that the same one is not started twice. */
export function startedAs(userId: string, executionId: string): string {
  return `execution:${userId}:${executionId}`;
}

export const executionStarted = defineEvent('workflow.execution.started', {
  data: () =>
    z.object({
      ...execution(),
      /** As it was then: what the file says later does not matter to this execution. */
      definition: personal(workflowDefinition()),
      input: values(),
      /** How many executions, each begun while the one before it ran, led to this one in quick succession. */
      generation: z.number(),
      /** The process that runs it, until it is lost or stops. */
      instanceId: z.string(),
    }),
  subject,
});

/** Another process goes on with it. */
export const executionResumed = defineEvent('workflow.execution.resumed', {
  data: () => z.object({ ...execution(), instanceId: z.string() }),
  subject,
});

export const stepStarted = defineEvent('workflow.step.started', {
  data: () => z.object({ ...step(), attempt: z.number() }),
  subject,
});

export const stepCompleted = defineEvent('workflow.step.completed', {
  data: () => z.object({ ...step(), output: personal(z.unknown()) }),
  subject,
});

/** What is in it is published under its topic. */
export const topicPublished = defineEvent('workflow.topic.published', {
  data: () => z.object({ ...step(), topic: z.string(), payload: values() }),
  subject,
});

/** Its condition did not hold. */
const stepSkipped = defineEvent('workflow.step.skipped', { data: () => z.object(step()), subject });

export const stepFailed = defineEvent('workflow.step.failed', {
  data: () =>
    z.object({
      ...step(),
      attempt: z.number(),
      error: text(),
      /** When it is tried again; null after the last attempt. */
      retryAt: z.number().nullable(),
    }),
  subject,
});

export const waitBegun = defineEvent('workflow.wait.begun', {
  data: () => z.object({ ...step(), until: z.number() }),
  subject,
});

const executionCompleted = defineEvent('workflow.execution.completed', {
  data: () => z.object({ ...execution(), output: values() }),
  subject,
});

const executionFailed = defineEvent('workflow.execution.failed', {
  data: () =>
    z.object({
      ...execution(),
      /** Null where it was none of its steps. */
      stepId: z.string().nullable(),
      code: z.enum(['STEP_FAILED', 'OUTPUT_INVALID', 'ERASED']),
      error: text(),
    }),
  subject,
});

const executionCancelled = defineEvent('workflow.execution.cancelled', {
  data: () => z.object(execution()),
  subject,
});

export const executionEndings = [executionCompleted, executionFailed, executionCancelled] as const;

/** Its user's: the same id of another user is another execution. No id has a dot. */
export function executionStream(userId: string, { executionId }: { readonly executionId: string }): string {
  return `run-${userId}.${executionId}`;
}

export const workflowEvents = [
  executionStarted,
  executionResumed,
  stepStarted,
  topicPublished,
  stepCompleted,
  stepSkipped,
  stepFailed,
  waitBegun,
  ...executionEndings,
] as const;

export type WorkflowEvent = EventOf<(typeof workflowEvents)[number]>;

export const workflowEventTypes: ReadonlySet<string> = new Set(workflowEvents.map(({ type }) => type));

/** An event of this area as what it is; undefined for one of another. */
export const readWorkflowEvent = readerOf(workflowEvents);
