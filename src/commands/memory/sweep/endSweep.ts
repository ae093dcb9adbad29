import type { MemoryEvent } from '../../../events/memory.ts';
import { defineMemoryCommand } from '../state.ts';
import type { Maintained } from '../upkeep.ts';

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
