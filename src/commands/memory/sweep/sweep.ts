import { isAhead } from '../../../clock.ts';
import { REPORTS_KEPT_MS } from '../../../events/maintenance.ts';
import type { MemoryDataOf, MemoryEvent } from '../../../events/memory.ts';
import type { Conclusions } from '../../../folds/memory/conclusions.ts';
import type { KnownEpisodes } from '../episodes.ts';
import { defineMemoryCommand } from '../state.ts';
import type { Maintained } from '../upkeep.ts';
import { type Mentions, type Swept, steps } from './steps.ts';

export type StartSweep = Pick<MemoryDataOf<'memory.maintenance.started'>, 'by' | 'thresholds'>;

/** Nobody is shown the report of a sweep that began so long ago. */
const LONGEST_BREAK_MS = REPORTS_KEPT_MS / 2;

/**
 * Begins a sweep, unless one has begun and was cut off: that one goes on, if it is not long ago. It measures how old
 * things are, so its time is that of the clock, though the last report may have a later one.
 */
export const startSweep = defineMemoryCommand<StartSweep>({
  name: 'memory.startSweep',
  decide(
    { conclusions, episodes, upkeep }: Conclusions & KnownEpisodes & Maintained,
    { by, thresholds },
    { now, newId },
  ): readonly MemoryEvent[] {
    const { sweep } = upkeep;
    const goesOn = sweep && now - sweep.timestamp < LONGEST_BREAK_MS && !isAhead(sweep.timestamp, now);
    if (goesOn) return [];
    const data = {
      sweepId: newId(),
      timestamp: firstFree(now, upkeep.reportTimes),
      by,
      thresholds,
      conclusionCount: Object.values(conclusions).filter(({ status }) => status === 'active').length,
      episodeCount: Object.keys(episodes).length,
    };
    const failed = sweep && { sweepId: sweep.sweepId, code: 'INTERRUPTED' };
    return [
      ...(failed ? [{ type: 'memory.maintenance.failed' as const, data: failed }] : []),
      { type: 'memory.maintenance.started', data },
    ];
  },
});

/** Reports are asked for by their time. */
function firstFree(now: number, reportTimes: readonly number[]): number {
  const taken = new Set(reportTimes);
  let free = now;
  while (taken.has(free)) free++;
  return free;
}

export interface TakeStep {
  readonly sweepId: string;
  readonly step: keyof typeof steps;
  /** A part of what the step looks at. */
  readonly ids: readonly string[];
  readonly mentions?: Mentions | undefined;
}

/** A part of one step of the sweep that goes on; of another one, nothing is done any more. */
export const takeStep = defineMemoryCommand<TakeStep>({
  name: 'memory.takeStep',
  decide(memory: Swept, { sweepId, step, ids, mentions }): readonly MemoryEvent[] {
    const { sweep } = memory.upkeep;
    if (sweep?.sweepId !== sweepId) return [];
    return steps[step].decide(memory, sweep, ids, mentions);
  },
});

interface EndSweep {
  readonly sweepId: string;
  readonly durationMs: number;
  /** Counted beside the log, since that takes its time; the rest is counted as the events are. */
  readonly stale: number;
  readonly danglingSources: number;
}

/** The report. */
export const endSweep = defineMemoryCommand<EndSweep>({
  name: 'memory.endSweep',
  decide({ upkeep }: Maintained, { sweepId, durationMs, stale, danglingSources }): readonly MemoryEvent[] {
    const { sweep } = upkeep;
    if (sweep?.sweepId !== sweepId) return [];
    const { counts, pipeline } = sweep;
    const data = {
      sweepId,
      timestamp: sweep.timestamp,
      durationMs,
      conclusionsExamined: sweep.conclusionCount,
      episodesChecked: sweep.episodeCount,
      summary: { ...counts, stale, danglingSources, contradictionPipeline: pipeline },
      firstVersion: sweep.firstVersion,
    };
    return [{ type: 'memory.maintenance.completed', data }];
  },
});

interface FailSweep {
  readonly sweepId: string;
  readonly code: string;
}

export const failSweep = defineMemoryCommand<FailSweep>({
  name: 'memory.failSweep',
  decide: ({ upkeep }: Maintained, failed): readonly MemoryEvent[] =>
    upkeep.sweep?.sweepId === failed.sweepId ? [{ type: 'memory.maintenance.failed', data: failed }] : [],
});
