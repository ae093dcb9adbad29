import type { Embedded } from '../../../application/models.ts';
import type { SlotName } from '../../../vocabulary.ts';

/** Whether work in the background may go on now. */
export interface WorkGuard {
  /** With models of these slots. */
  mayWork(slots: readonly SlotName[]): Promise<{ readonly safe: boolean }>;
  /** With a model in this process. */
  mayCompute(): Promise<{ readonly safe: boolean }>;
}

/** Tells what texts mean, as the model of the `embedding` slot has it. */
export interface MeaningModel {
  /** Under which vectors are kept; undefined without a model. */
  readonly model: string | undefined;
  /** It failed a moment ago: what can wait had better. */
  readonly isResting: boolean;
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
}
