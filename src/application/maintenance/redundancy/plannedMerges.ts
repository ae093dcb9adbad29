import type { Merge } from '../../../commands/memory/sweep/mergeRedundant.ts';
import { isVouchedFor } from '../../../commands/memory/sweep/steps.ts';
import type { Sweep } from '../../../commands/memory/upkeep.ts';
import type { Conclusions } from '../../../folds/memory/conclusions.ts';
import type { Pace } from '../pace.ts';
import { findRedundant } from './findRedundant.ts';
import type { MergeCandidate } from './planMerges.ts';

/** What step 3 is to do, as the memory is now. What somebody took back is left as it is. */
export async function plannedMerges(
  memory: Conclusions,
  sweep: Pick<Sweep, 'timestamp' | 'thresholds'>,
  pace: Pace,
  signal: AbortSignal,
): Promise<readonly Merge[]> {
  const candidates: MergeCandidate[] = [];
  for (const { id, text, type, confidence, createdAt, status } of Object.values(memory.conclusions)) {
    if (!pace.hasTime()) await pace.pause();
    if (status !== 'active' || isVouchedFor(memory, id, sweep)) continue;
    candidates.push({ id, text: text ?? '', type, confidence, createdAt });
  }
  const planned = await findRedundant(candidates, sweep.thresholds.similarity, pace, signal);
  return planned.map(({ loser, winner, like, similarity }) => ({
    conclusionId: candidates[loser]?.id ?? '',
    mergedInto: candidates[winner]?.id ?? '',
    similarTo: candidates[like]?.id ?? '',
    similarity,
  }));
}
