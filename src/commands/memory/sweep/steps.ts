import { entryOf } from '../../../entryOf.ts';
import type { MemoryEvent } from '../../../events/memory.ts';
import type { Conclusion } from '../../../folds/memory/conclusion.ts';
import type { Conclusions } from '../../../folds/memory/conclusions.ts';
import type { KnownEpisodes } from '../episodes.ts';
import type { Maintained, Sweep } from '../upkeep.ts';

/** The parts of memory that a sweep looks at. */
export type Swept = KnownEpisodes & Conclusions & Maintained;

const DAY_MS = 24 * 60 * 60_000;

/**
 * One step of a sweep, as far as it looks at one thing after the other: whatever part of them was decided on before,
 * the rest comes out the same.
 */
interface Step {
  /** All that the step looks at. */
  ids(memory: Swept): readonly string[];
  /** Pure, and quick: whether anything may happen to it. */
  isDue(memory: Swept, sweep: Sweep, id: string): boolean;
  /** Pure: what is to happen to some of them, as the memory is. */
  decide(memory: Swept, sweep: Sweep, ids: readonly string[], mentions?: Mentions): readonly MemoryEvent[];
}

/** Which episodes anything believed comes from, looked up beforehand: to go through all takes its time. */
export interface Mentions {
  readonly asOf: number;
  readonly episodes: ReadonlySet<string>;
}

/** Stays the same for as long as nothing but flags of orphans is appended: they change no mention. */
export function mentionsAsOf({ upkeep }: Maintained): number {
  return upkeep.events - (upkeep.sweep?.counts.orphans ?? 0);
}

/** Pruned is no longer believed; what another took the place of was, and is part of what is. */
export function mentionedBy({ status, sources }: Conclusion): readonly string[] {
  return status === 'pruned' ? [] : sources;
}

/** Of a step that looks at each by itself. */
function each(
  ids: Step['ids'],
  decide: (memory: Swept, sweep: Sweep, id: string) => MemoryEvent | undefined,
): Step {
  return {
    ids,
    isDue: (memory, sweep, id) => decide(memory, sweep, id) !== undefined,
    decide: (memory, sweep, some) => some.flatMap((id) => decide(memory, sweep, id) ?? []),
  };
}

const conclusionIds = ({ conclusions }: Conclusions) => Object.keys(conclusions);

/** Step 1: what was not heard of for long is stale, and what was heard of again is not. */
const stale = each(conclusionIds, (memory, sweep, id) => {
  const conclusion = activeOne(memory, id);
  if (!conclusion) return undefined;
  const { sweepId, timestamp, thresholds } = sweep;
  const isStale = isOld(memory, conclusion, sweep);
  if (isStale === conclusion.stale) return undefined;
  const unseenDays = Math.floor((timestamp - heardOfAt(memory, conclusion)) / DAY_MS);
  const data = { sweepId, conclusionId: id, stale: isStale, unseenDays, limitDays: thresholds.staleDays };
  return { type: 'memory.conclusion.flagged', data };
});

/** Step 2: what is stale is less certain after each sweep, once a sweep. */
const decay = each(conclusionIds, (memory, sweep, id) => {
  const conclusion = activeOne(memory, id);
  if (!conclusion || Object.hasOwn(sweep.decayed, id) || !isOld(memory, conclusion, sweep)) return undefined;
  const { decayFactor: factor } = sweep.thresholds;
  const { confidence: from } = conclusion;
  const to = from * factor;
  if (to >= from) return undefined;
  const data = { sweepId: sweep.sweepId, conclusionId: id, from, to, factor };
  return { type: 'memory.conclusion.decayed', data };
});

/** Step 4: episodes that matter little and that nothing which is believed comes from. */
const orphans: Step = {
  ids: ({ episodes }) => Object.keys(episodes),
  isDue({ episodes }, { thresholds }, id) {
    const episode = entryOf(episodes, id);
    return episode !== undefined && !episode.flagged && episode.importance < thresholds.orphanImportance;
  },
  decide(memory, sweep, ids, mentions) {
    const isCurrent = mentions?.asOf === mentionsAsOf(memory);
    const mentioned = isCurrent ? mentions.episodes : mentionedNow(memory);
    const { sweepId, thresholds } = sweep;
    const limit = thresholds.orphanImportance;
    return ids
      .filter((id) => orphans.isDue(memory, sweep, id) && !mentioned.has(id))
      .map((episodeId) => {
        const importance = memory.episodes[episodeId]?.importance ?? 0;
        return { type: 'memory.episode.flagged', data: { sweepId, episodeId, importance, limit } };
      });
  },
};

/** Step 6: what has become too uncertain. What somebody took back is given its time. */
const prune = each(conclusionIds, (memory, sweep, id) => {
  const conclusion = activeOne(memory, id);
  const { sweepId, timestamp, thresholds } = sweep;
  const { pruneBelow: limit, retentionDays } = thresholds;
  if (!conclusion || conclusion.confidence >= limit || isVouchedFor(memory, id, sweep)) return undefined;
  const restorableUntil = timestamp + retentionDays * DAY_MS;
  const data = { sweepId, conclusionId: id, confidence: conclusion.confidence, limit, restorableUntil };
  return { type: 'memory.conclusion.pruned', data };
});

export const steps = { stale, decay, orphans, prune } as const;

export function activeOne({ conclusions }: Conclusions, id: string): Conclusion | undefined {
  const conclusion = entryOf(conclusions, id);
  return conclusion?.status === 'active' ? conclusion : undefined;
}

function mentionedNow({ conclusions }: Conclusions): ReadonlySet<string> {
  return new Set(Object.values(conclusions).flatMap(mentionedBy));
}

function isOld(memory: Conclusions, conclusion: Conclusion, { timestamp, thresholds }: Sweep): boolean {
  return timestamp - heardOfAt(memory, conclusion) > thresholds.staleDays * DAY_MS;
}

/** What was said long before it came here counts from then on: else it would be gone in a few nights. */
function heardOfAt({ restored }: Conclusions, { id, createdAt, lastEvidenceAt }: Conclusion): number {
  return Math.max(createdAt, lastEvidenceAt, entryOf(restored, id) ?? 0);
}

/** Somebody who takes something back means it: put aside again the next night, it would be no use. */
export function isVouchedFor(
  { restored }: Conclusions,
  id: string,
  { timestamp, thresholds }: Pick<Sweep, 'timestamp' | 'thresholds'>,
): boolean {
  const restoredAt = entryOf(restored, id);
  return restoredAt !== undefined && timestamp - restoredAt <= thresholds.staleDays * DAY_MS;
}
