import { type MemoryDataOf, type MemoryEvent, memoryStream } from '../../../events/memory.ts';
import { defineCommand } from '../../command.ts';
import { type UserMemory, userMemory } from '../state.ts';
import type { Sweep } from '../upkeep.ts';
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
export const mergeRedundant = defineCommand<MergeRedundant, UserMemory>({
  name: 'memory.mergeRedundant',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide(memory, { sweepId, merges }): readonly MemoryEvent[] {
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

function isStillSo(memory: UserMemory, sweep: Sweep, { conclusionId, mergedInto }: Merge): boolean {
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
