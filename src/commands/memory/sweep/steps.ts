import type { MemoryEvent } from '../../../events/memory.ts';
import type { Conclusion } from '../remembered.ts';
import { entryOf, type UserMemory } from '../state.ts';
import type { Sweep } from '../upkeep.ts';

const DAY_MS = 24 * 60 * 60_000;

type Decision = (id: string) => MemoryEvent | undefined;

/**
 * One step of a sweep, as far as it looks at one thing after the other: whatever part of them was decided on before,
 * the rest comes out the same.
 */
interface Step {
  /** All that the step looks at. */
  ids(memory: UserMemory): readonly string[];
  /** Pure: what is to happen to each, as the memory is. */
  decide(memory: UserMemory, sweep: Sweep): Decision;
}

/** Step 1: what was not heard of for long is stale, and what was heard of again is not. */
const stale: Step = {
  ids: ({ conclusions }) => Object.keys(conclusions),
  decide: (memory, sweep) => (id) => {
    const known = activeOne(memory, id);
    if (!known) return undefined;
    const { sweepId, timestamp, thresholds } = sweep;
    const isStale = isOld(memory, known, sweep);
    if (isStale === known.stale) return undefined;
    const unseenDays = Math.floor((timestamp - heardOfAt(memory, known)) / DAY_MS);
    const data = { sweepId, conclusionId: id, stale: isStale, unseenDays, limitDays: thresholds.staleDays };
    return { type: 'memory.conclusion.flagged', data };
  },
};

/** Step 2: what is stale is less certain after each sweep, once a sweep. */
const decay: Step = {
  ids: stale.ids,
  decide: (memory, sweep) => (id) => {
    const known = activeOne(memory, id);
    if (!known || sweep.decayed[id] || !isOld(memory, known, sweep)) return undefined;
    const { decayFactor: factor } = sweep.thresholds;
    const { confidence: from } = known;
    const to = from * factor;
    if (to >= from) return undefined;
    const data = { sweepId: sweep.sweepId, conclusionId: id, from, to, factor };
    return { type: 'memory.conclusion.decayed', data };
  },
};

/** Step 4: episodes that matter little and that nothing which is believed comes from. */
const orphans: Step = {
  ids: ({ episodes }) => Object.keys(episodes),
  decide(memory, { sweepId, thresholds }) {
    const limit = thresholds.orphanImportance;
    const mentioned = new Set(believedOnes(memory).flatMap(({ sources }) => sources));
    return (id) => {
      const known = entryOf(memory.episodes, id);
      if (!known || known.flagged || known.importance >= limit || mentioned.has(id)) return undefined;
      return {
        type: 'memory.episode.flagged',
        data: { sweepId, episodeId: id, importance: known.importance, limit },
      };
    };
  },
};

/** Step 6: what has become too uncertain. What somebody took back is given its time. */
const prune: Step = {
  ids: stale.ids,
  decide: (memory, sweep) => (id) => {
    const known = activeOne(memory, id);
    const { sweepId, timestamp, thresholds } = sweep;
    const { pruneBelow: limit, retentionDays } = thresholds;
    if (!known || known.confidence >= limit || isVouchedFor(memory, known, sweep)) return undefined;
    const restorableUntil = timestamp + retentionDays * DAY_MS;
    const data = { sweepId, conclusionId: id, confidence: known.confidence, limit, restorableUntil };
    return { type: 'memory.conclusion.pruned', data };
  },
};

export const steps = { stale, decay, orphans, prune } as const;

export function activeOne({ conclusions }: UserMemory, id: string): Conclusion | undefined {
  const known = entryOf(conclusions, id);
  return known?.status === 'active' ? known : undefined;
}

/** All but what was pruned: what another one took the place of was believed, and is part of what is. */
function believedOnes({ conclusions }: UserMemory): readonly Conclusion[] {
  return Object.values(conclusions).filter(({ status }) => status !== 'pruned');
}

function isOld(memory: UserMemory, known: Conclusion, { timestamp, thresholds }: Sweep): boolean {
  return timestamp - heardOfAt(memory, known) > thresholds.staleDays * DAY_MS;
}

function heardOfAt({ upkeep }: UserMemory, { id, lastEvidenceAt }: Conclusion): number {
  return Math.max(lastEvidenceAt, upkeep.restored[id] ?? 0);
}

/** Somebody who takes something back means it: pruned again the next night, it would be no use. */
function isVouchedFor({ upkeep }: UserMemory, { id }: Conclusion, { timestamp, thresholds }: Sweep): boolean {
  const restoredAt = upkeep.restored[id];
  return restoredAt !== undefined && timestamp - restoredAt <= thresholds.staleDays * DAY_MS;
}
