import type { EventOf } from '../../events/definition.ts';
import type { contradictionDetected, PipelineFigures } from '../../events/maintenance.ts';
import type { Conclusion } from '../../folds/memory/conclusion.ts';
import type { Pace } from './pace.ts';

/** What a sweep asks about contradictions, after what says the same has been merged. */
export interface ContradictionSearch {
  readonly userId: string;
  /** All that is believed at the moment, in no order. Read them, do not change them. */
  readonly conclusions: readonly Conclusion[];
  readonly correlationId: string;
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

/** Two that cannot both be so, and why it is thought so. */
type Contradiction = Omit<EventOf<typeof contradictionDetected>['data'], 'sweepId'>;

export interface ContradictionsFound {
  /** Each pair at most once, in either direction; the sweep says only what was never said before. */
  readonly confirmed: readonly Contradiction[];
  readonly pipeline: PipelineFigures;
}

/**
 * Step 5 of a sweep. It may take as long as it has to: nothing else waits for it, and a sweep that is cut off asks
 * again. What throws ends the sweep; what can be done without (a model that is not there) should not throw.
 */
export interface ContradictionFinder {
  find(search: ContradictionSearch): Promise<ContradictionsFound>;
}
