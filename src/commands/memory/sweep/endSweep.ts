import { type MemoryEvent, memoryStream } from '../../../events/memory.ts';
import { defineCommand } from '../../command.ts';
import { type UserMemory, userMemory } from '../state.ts';

interface EndSweep {
  readonly sweepId: string;
  readonly durationMs: number;
  /** Counted beside the log, since that takes its time; the rest is counted as the events are. */
  readonly stale: number;
  readonly danglingSources: number;
}

/** The report. */
export const endSweep = defineCommand<EndSweep, UserMemory>({
  name: 'memory.endSweep',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide({ upkeep }, { sweepId, durationMs, stale, danglingSources }): readonly MemoryEvent[] {
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

export const failSweep = defineCommand<FailSweep, UserMemory>({
  name: 'memory.failSweep',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide: ({ upkeep }, failed): readonly MemoryEvent[] =>
    upkeep.sweep?.sweepId === failed.sweepId ? [{ type: 'memory.maintenance.failed', data: failed }] : [],
});
