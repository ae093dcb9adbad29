import type { SlotName } from '../vocabulary.ts';

/** What the agent is asked by something else than a user. */
export interface Question {
  readonly userId: string;
  readonly correlationId: string;
  /** The same when it is asked again after it was cut off: what was answered by then is not asked for twice. */
  readonly id: string;
  /** The workflow and its step. */
  readonly source: string;
  readonly text: string;
  /** In place of who hark says it is. */
  readonly system?: string;
  readonly slot?: SlotName;
  readonly schema?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  /** Nobody waits any longer; the turn goes on, and whoever asks again gets its reply. */
  readonly signal: AbortSignal;
  /** Nobody wants the reply any more: the turn ends. */
  readonly timeUp: AbortSignal;
}
