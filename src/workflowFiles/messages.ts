import type { WorkflowDefinition } from '../events/workflowDefinition.ts';
import type { Problem } from '../schemas/jsonSchema.ts';
import type { Json } from '../schemas/messages.ts';

/** What an expression may name. */
export interface Variables {
  readonly input: Json;
  /** Outputs by step; null for a step that gave none. */
  readonly steps: Json;
  /** What went wrong, by step, where the execution went on all the same. */
  readonly errors: Json;
  readonly execution: { readonly id: string; readonly workflowId: string; readonly startTime: number };
}

/** What the thread is asked. */
export type Job =
  | { readonly kind: 'read'; readonly file: string; readonly text: string }
  | { readonly kind: 'holds'; readonly expression: string; readonly variables: Variables }
  | { readonly kind: 'fill'; readonly template: unknown; readonly variables: Variables }
  | { readonly kind: 'check'; readonly schema: Json; readonly value: unknown };

export type JobResult = { readonly definition: WorkflowDefinition } | { readonly value: unknown } | Problem;
