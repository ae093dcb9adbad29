import type { UserMemory } from '../../../commands/memory/state.ts';
import type { Merge } from '../../../commands/memory/sweep/mergeRedundant.ts';
import { fairShare, hasTime } from '../../../fairShare.ts';
import { findRedundant } from './findRedundant.ts';
import type { Candidate } from './planMerges.ts';

/** What step 3 is to do, as the memory is now. */
export async function plannedMerges(
  { conclusions }: UserMemory,
  least: number,
  signal: AbortSignal,
): Promise<readonly Merge[]> {
  const candidates: Candidate[] = [];
  for (const { id, text, type, confidence, createdAt, status } of Object.values(conclusions)) {
    if (!hasTime()) await fairShare();
    if (status === 'active') candidates.push({ id, text: text ?? '', type, confidence, createdAt });
  }
  const planned = await findRedundant(candidates, least, signal);
  return planned.map(({ loser, winner, like, similarity }) => ({
    conclusionId: candidates[loser]?.id ?? '',
    mergedInto: candidates[winner]?.id ?? '',
    similarTo: candidates[like]?.id ?? '',
    similarity,
  }));
}
