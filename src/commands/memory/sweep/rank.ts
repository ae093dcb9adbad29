import type { Conclusion } from '../../../folds/memory/conclusion.ts';

/** What decides which of two stays. None of it changes when others are merged. */
export type Ranked = Pick<Conclusion, 'id' | 'type' | 'confidence' | 'createdAt'>;

const authority = { corrected: 2, explicit: 1, inferred: 0 } as const;

/** The more certain one; else what the user said rather than what was inferred, and what was there first. */
export function outranks(one: Ranked, other: Ranked): boolean {
  const difference =
    one.confidence - other.confidence ||
    authority[one.type] - authority[other.type] ||
    other.createdAt - one.createdAt;
  return difference === 0 ? one.id < other.id : difference > 0;
}
