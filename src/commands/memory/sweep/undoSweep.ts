import { entryOf } from '../../../entryOf.ts';
import type { MemoryEvent } from '../../../events/memory.ts';
import type { Conclusions } from '../../../folds/memory/conclusions.ts';
import { pairOf } from '../../../folds/memory/contradictions.ts';
import type { KnownEpisodes } from '../episodes.ts';
import { defineMemoryCommand } from '../state.ts';

interface UndoSweep {
  /** Its changes as the log has them, in their order. */
  readonly changes: readonly MemoryEvent[];
}

type Undone = Pick<KnownEpisodes, 'episodes'> & Conclusions;

/**
 * Takes back what a sweep did to each conclusion and episode, as far as that still holds: what somebody or another
 * sweep has changed since stays as it is.
 */
export const undoSweep = defineMemoryCommand<UndoSweep>({
  name: 'memory.undoSweep',
  decide: (memory: Undone, { changes }, { now }): readonly MemoryEvent[] => [
    ...restoredConclusions(memory, changes, now),
    ...changes.flatMap((change) => taken(memory, change) ?? []),
  ],
});

/** Each once, with the confidence that it had before. */
function restoredConclusions(
  { conclusions, aside }: Undone,
  changes: readonly MemoryEvent[],
  now: number,
): readonly MemoryEvent[] {
  const restored = new Map<string, { conclusionId: string; confidence?: number }>();
  for (const { type, data } of changes) {
    const isOfOne = 'conclusionId' in data;
    const conclusion = isOfOne ? entryOf(conclusions, data.conclusionId) : undefined;
    if (!conclusion) continue;
    const { id: conclusionId, status, confidence, stale } = conclusion;
    const before = restored.get(conclusionId) ?? { conclusionId };
    const isKept = (entryOf(aside, conclusionId) ?? Number.POSITIVE_INFINITY) > now;
    if (type === 'memory.conclusion.decayed' && confidence === data.to && (status === 'active' || isKept))
      restored.set(conclusionId, { confidence: data.from, ...before });
    else if (type === 'memory.conclusion.flagged' && data.stale && stale && status === 'active')
      restored.set(conclusionId, before);
    else if (type === 'memory.conclusion.pruned' && status === 'pruned' && isKept)
      restored.set(conclusionId, before);
    else if (type === 'memory.conclusion.merged' && conclusion.supersededBy === data.mergedInto && isKept)
      restored.set(conclusionId, before);
  }
  return Array.from(restored.values(), (data) => ({ type: 'memory.conclusion.restored', data }));
}

/** What is no matter of one conclusion alone. */
function taken({ episodes, contradictions }: Undone, { type, data }: MemoryEvent): MemoryEvent | undefined {
  if (type === 'memory.episode.flagged') {
    const { episodeId } = data;
    const isFlagged = entryOf(episodes, episodeId)?.flagged;
    return isFlagged ? { type: 'memory.episode.unflagged', data: { episodeId } } : undefined;
  }
  if (type !== 'memory.contradiction.detected') return undefined;
  const { conclusionId, contradicts } = data;
  const contradiction = entryOf(contradictions, pairOf(conclusionId, contradicts));
  if (!contradiction || contradiction.settled) return undefined;
  return {
    type: 'memory.contradiction.settled',
    data: { conclusionId, contradicts, as: 'no-contradiction' },
  };
}
