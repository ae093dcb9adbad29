import { entryOf } from '../../entryOf.ts';
import type { Standing } from '../../events/conclusions.ts';
import type { CompletedSweep, ContradictionPipeline } from '../../events/maintenance.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import { type AbsorbedByWinner, absorb, giveBack, partIn, takePart } from './absorbed.ts';
import { type Conclusion, change, type DataOf, type Episode } from './remembered.ts';

export const REPORTS_KEPT_MS = 30 * 24 * 60 * 60_000;
const MOST_REPORTS = 200;

type Counts = Record<'contradictions' | 'orphans' | 'redundant' | 'pruned' | 'decayed', number>;

/** In their order, as they are numbered in the specification. */
export const sweepSteps = { stale: 1, decay: 2, merge: 3, orphans: 4, contradictions: 5, prune: 6 } as const;
type SweepStep = keyof typeof sweepSteps;

/** A sweep that has begun and not ended: all that it takes to go on with it. */
export interface Sweep extends DataOf<'memory.maintenance.started'> {
  readonly firstVersion: number;
  readonly counts: Counts;
  readonly decayed: Record<string, true>;
  /** The last step of which anything has been done. */
  step: number;
  pipeline: ContradictionPipeline;
}

/** What sweeps have to know of the past, beside what is believed. */
export interface Upkeep {
  sweep: Sweep | null;
  /** The oldest first. */
  reports: readonly CompletedSweep[];
  readonly absorbed: AbsorbedByWinner;
  /** By conclusion that a sweep put aside, until when it can be restored. */
  readonly aside: Record<string, number>;
  /** By conclusion, when somebody last took it back. */
  readonly restored: Record<string, number>;
  /** Events of the stream so far, and so the version of the last. */
  events: number;
}

export function noUpkeep(): Upkeep {
  return { sweep: null, reports: [], absorbed: {}, aside: {}, restored: {}, events: 0 };
}

export interface Tended {
  readonly episodes: Record<string, Episode>;
  readonly conclusions: Record<string, Conclusion>;
  readonly upkeep: Upkeep;
}

/** What a maintenance event means for what is remembered. Others mean nothing here. */
export function applySweep({ episodes, conclusions, upkeep }: Tended, event: MemoryEvent, at: number): void {
  const { sweep } = upkeep;
  switch (event.type) {
    case 'memory.maintenance.started':
      upkeep.sweep = begun(event.data, upkeep.events);
      return;
    case 'memory.conclusion.flagged':
      reach(sweep, 'stale');
      change(conclusions, event.data.conclusionId, at, { stale: event.data.stale });
      return;
    case 'memory.conclusion.decayed':
      reach(sweep, 'decay', 'decayed');
      if (sweep) sweep.decayed[event.data.conclusionId] = true;
      change(conclusions, event.data.conclusionId, at, { confidence: event.data.to });
      return;
    case 'memory.conclusion.merged':
      reach(sweep, 'merge', 'redundant');
      merge({ episodes, conclusions, upkeep }, event.data, at);
      return;
    case 'memory.episode.flagged': {
      reach(sweep, 'orphans', 'orphans');
      const known = episodes[event.data.episodeId];
      if (known) episodes[event.data.episodeId] = { ...known, flagged: true };
      return;
    }
    case 'memory.contradiction.detected':
      reach(sweep, 'contradictions', 'contradictions');
      oppose(conclusions, event.data, at);
      return;
    case 'memory.contradictions.sought':
      reach(sweep, 'prune');
      if (sweep) sweep.pipeline = event.data.pipeline;
      return;
    case 'memory.conclusion.pruned':
      reach(sweep, 'prune', 'pruned');
      upkeep.aside[event.data.conclusionId] = event.data.restorableUntil;
      change(conclusions, event.data.conclusionId, at, { status: 'pruned' });
      return;
    case 'memory.maintenance.completed':
      upkeep.sweep = null;
      upkeep.reports = [...upkeep.reports, event.data]
        .filter(({ timestamp }) => at - timestamp < REPORTS_KEPT_MS)
        .slice(-MOST_REPORTS);
      return;
    case 'memory.maintenance.failed':
      upkeep.sweep = null;
  }
}

/** The reports that are still shown at a moment. */
export function reportsAt({ reports }: Upkeep, now: number): readonly CompletedSweep[] {
  return reports.filter(({ timestamp }) => now - timestamp < REPORTS_KEPT_MS);
}

/** What sweeps left of a conclusion; undefined where they have not touched it. */
export function tendedOf({ conclusions, upkeep }: Tended, known: Conclusion): Standing['tended'] {
  const restorableUntil = entryOf(upkeep.aside, known.id);
  const restoredAt = entryOf(upkeep.restored, known.id);
  const tended = {
    ...(restorableUntil === undefined ? {} : { restorableUntil }),
    ...(restoredAt === undefined ? {} : { restoredAt }),
    ...partIn({ conclusions, absorbed: upkeep.absorbed }, known),
  };
  return Object.keys(tended).length === 0 ? undefined : tended;
}

/** How a conclusion that comes from another memory stood there. */
export function takeOver(
  { conclusions, upkeep }: Tended,
  known: Conclusion,
  { restorableUntil, restoredAt, ...part }: NonNullable<Standing['tended']>,
): void {
  if (restorableUntil !== undefined) upkeep.aside[known.id] = restorableUntil;
  if (restoredAt !== undefined) upkeep.restored[known.id] = restoredAt;
  takePart({ conclusions, absorbed: upkeep.absorbed }, known, part);
}

/** Takes back what put a conclusion aside: what it brought along leaves with it, everything else stays. */
export function restore({ episodes, conclusions, upkeep }: Tended, id: string, at: number): void {
  const known = conclusions[id];
  if (!known) return;
  const { absorbed } = upkeep;
  if (known.supersededBy !== null) giveBack({ conclusions, absorbed }, known.supersededBy, id, at);
  delete upkeep.aside[id];
  upkeep.restored[id] = at;
  change(conclusions, id, at, { status: 'active', supersededBy: null, stale: false });
  for (const source of known.sources) {
    const episode = episodes[source];
    if (episode?.flagged) episodes[source] = { ...episode, flagged: false };
  }
}

/** It is not there any more, for nobody. */
export function forgetConclusion({ conclusions, upkeep }: Tended, id: string): void {
  for (const other of conclusions[id]?.contradicts ?? []) {
    const known = conclusions[other];
    if (known) conclusions[other] = { ...known, contradicts: known.contradicts.filter((one) => one !== id) };
  }
  delete conclusions[id];
  delete upkeep.absorbed[id];
  delete upkeep.aside[id];
  delete upkeep.restored[id];
}

export const NO_PIPELINE: ContradictionPipeline = {
  candidatesSelected: 0,
  nliConfirmed: 0,
  llmConfirmed: 0,
  stageLatencyMs: { stage1: 0, stage2: 0, stage3: 0 },
};

function begun(started: DataOf<'memory.maintenance.started'>, firstVersion: number): Sweep {
  const counts = { contradictions: 0, orphans: 0, redundant: 0, pruned: 0, decayed: 0 };
  return { ...started, firstVersion, counts, decayed: {}, step: 0, pipeline: NO_PIPELINE };
}

function reach(sweep: Sweep | null, step: SweepStep, counted?: keyof Counts): void {
  if (!sweep) return;
  sweep.step = Math.max(sweep.step, sweepSteps[step]);
  if (counted) sweep.counts[counted]++;
}

function merge(
  { conclusions, upkeep }: Tended,
  { conclusionId, mergedInto, restorableUntil }: DataOf<'memory.conclusion.merged'>,
  at: number,
): void {
  if (!conclusions[conclusionId] || !conclusions[mergedInto]) return;
  absorb({ conclusions, absorbed: upkeep.absorbed }, mergedInto, conclusionId, at);
  upkeep.aside[conclusionId] = restorableUntil;
  change(conclusions, conclusionId, at, { status: 'merged', supersededBy: mergedInto });
}

function oppose(
  conclusions: Record<string, Conclusion>,
  { conclusionId, contradicts }: DataOf<'memory.contradiction.detected'>,
  at: number,
): void {
  for (const [id, other] of [
    [conclusionId, contradicts],
    [contradicts, conclusionId],
  ] as const) {
    const known = conclusions[id]?.contradicts ?? [];
    if (!known.includes(other)) change(conclusions, id, at, { contradicts: [...known, other] });
  }
}
