import type { MemoryDataOf, MemoryEvent } from '../../../events/memory.ts';
import type { Conclusions } from '../../../folds/memory/conclusions.ts';
import { defineMemoryCommand } from '../state.ts';
import type { Maintained, Sweep } from '../upkeep.ts';
import { outranks } from './rank.ts';
import { activeOne, isVouchedFor } from './steps.ts';

const DAY_MS = 24 * 60 * 60_000;

export type Merge = Pick<
  MemoryDataOf<'memory.conclusion.merged'>,
  'conclusionId' | 'mergedInto' | 'similarTo' | 'similarity'
>;

interface MergeRedundant {
  readonly sweepId: string;
  /** What says the same was found beside the log: each is looked at again, as it is now. */
  readonly merges: readonly Merge[];
}

/** Step 3: of two that say the same the more certain one stays, and takes the sources of the other. */
export const mergeRedundant = defineMemoryCommand<MergeRedundant>({
  name: 'memory.mergeRedundant',
  decide(memory: Conclusions & Maintained, { sweepId, merges }): readonly MemoryEvent[] {
    const { sweep } = memory.upkeep;
    if (sweep?.sweepId !== sweepId) return [];
    const restorableUntil = sweep.timestamp + sweep.thresholds.retentionDays * DAY_MS;
    return merges
      .filter((merge) => isStillSo(memory, sweep, merge))
      .map((merge) => ({
        type: 'memory.conclusion.merged',
        data: { sweepId, ...merge, restorableUntil },
      }));
  },
});

function isStillSo(memory: Conclusions, sweep: Sweep, { conclusionId, mergedInto }: Merge): boolean {
  const loser = activeOne(memory, conclusionId);
  const winner = activeOne(memory, mergedInto);
  return (
    loser !== undefined &&
    winner !== undefined &&
    outranks(winner, loser) &&
    !winner.contradicts.includes(loser.id) &&
    ![loser, winner].some(({ id }) => isVouchedFor(memory, id, sweep))
  );
}
