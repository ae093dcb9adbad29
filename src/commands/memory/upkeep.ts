import { MOST_REPORTS, type PipelineFigures, REPORTS_KEPT_MS } from '../../events/maintenance.ts';
import type { MemoryDataOf, MemoryEvent } from '../../events/memory.ts';

type Counts = Record<'contradictions' | 'orphans' | 'redundant' | 'pruned' | 'decayed', number>;

/** In their order, as they are numbered in the specification. */
export const sweepSteps = { stale: 1, decay: 2, merge: 3, orphans: 4, contradictions: 5, prune: 6 } as const;
type SweepStep = keyof typeof sweepSteps;

/** A sweep that has begun and not ended: all that it takes to go on with it. */
export interface Sweep extends MemoryDataOf<'memory.maintenance.started'> {
  readonly firstVersion: number;
  readonly counts: Counts;
  readonly decayed: Record<string, true>;
  /** The last step of which anything has been done. */
  step: number;
  pipeline: PipelineFigures;
}

/** How far a sweep has come, and when others were. */
export interface Upkeep {
  sweep: Sweep | null;
  /** Of the reports that are shown, by which they are asked for; the oldest first. */
  reportTimes: readonly number[];
  /** Events of the stream so far, and so the version of the last. */
  events: number;
}

export interface Maintained {
  readonly upkeep: Upkeep;
}

export function noUpkeep(): Upkeep {
  return { sweep: null, reportTimes: [], events: 0 };
}

/** What an event means for the sweep that goes on. Changes it in place. */
export function applyToUpkeep({ upkeep }: Maintained, event: MemoryEvent, at: number): void {
  const { sweep } = upkeep;
  switch (event.type) {
    case 'memory.maintenance.started':
      upkeep.sweep = begun(event.data, upkeep.events);
      return;
    case 'memory.conclusion.flagged':
      reach(sweep, 'stale');
      return;
    case 'memory.conclusion.decayed':
      reach(sweep, 'decay', 'decayed');
      if (sweep) sweep.decayed[event.data.conclusionId] = true;
      return;
    case 'memory.conclusion.merged':
      reach(sweep, 'merge', 'redundant');
      return;
    case 'memory.episode.flagged':
      reach(sweep, 'orphans', 'orphans');
      return;
    case 'memory.contradiction.detected':
      reach(sweep, 'contradictions', 'contradictions');
      return;
    case 'memory.contradictions.sought':
      reach(sweep, 'prune');
      if (sweep) sweep.pipeline = event.data.pipeline;
      return;
    case 'memory.conclusion.pruned':
      reach(sweep, 'prune', 'pruned');
      return;
    case 'memory.maintenance.completed':
      upkeep.sweep = null;
      upkeep.reportTimes = [...upkeep.reportTimes, event.data.timestamp]
        .filter((timestamp) => at - timestamp < REPORTS_KEPT_MS)
        .slice(-MOST_REPORTS);
      return;
    case 'memory.maintenance.failed':
      upkeep.sweep = null;
      return;
    case 'memory.erased':
      // A sweep that goes on comes to its end, although it finds nothing any more.
      upkeep.reportTimes = [];
  }
}

export const NO_PIPELINE: PipelineFigures = {
  candidatesSelected: 0,
  nliConfirmed: 0,
  llmConfirmed: 0,
  stageLatencyMs: { stage1: 0, stage2: 0, stage3: 0 },
};

function begun(started: MemoryDataOf<'memory.maintenance.started'>, firstVersion: number): Sweep {
  const counts = { contradictions: 0, orphans: 0, redundant: 0, pruned: 0, decayed: 0 };
  return { ...started, firstVersion, counts, decayed: {}, step: 0, pipeline: NO_PIPELINE };
}

function reach(sweep: Sweep | null, step: SweepStep, counted?: keyof Counts): void {
  if (!sweep) return;
  sweep.step = Math.max(sweep.step, sweepSteps[step]);
  if (counted) sweep.counts[counted]++;
}
