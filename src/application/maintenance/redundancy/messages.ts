import type { MergeCandidate } from './planMerges.ts';

/** Some of the candidates; the last ones come with what is wanted of all. */
export interface CandidatesPart {
  readonly candidates: readonly MergeCandidate[];
  readonly least?: number;
}

/** Of each planned merge the loser, the winner, whom it is like and how much, one after the other. */
export type PlanReply = Float64Array;
