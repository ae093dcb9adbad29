import type { SweepSummary } from '../../../events/maintenance.ts';
import type { MemoryEvent } from '../../../events/memory.ts';
import { defineCommand } from '../../command.ts';
import { entryOf, memoryStream, type UserMemory, userMemory } from '../state.ts';
import type { Sweep } from '../upkeep.ts';

interface EndSweep {
  readonly sweepId: string;
  readonly durationMs: number;
}

/** The report: what the sweep has done is counted as its events are. */
export const endSweep = defineCommand<EndSweep, UserMemory>({
  name: 'memory.endSweep',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide(memory, { sweepId, durationMs }): readonly MemoryEvent[] {
    const { sweep } = memory.upkeep;
    if (sweep?.sweepId !== sweepId) return [];
    const data = {
      sweepId,
      timestamp: sweep.timestamp,
      durationMs,
      conclusionsExamined: sweep.conclusionCount,
      episodesChecked: sweep.episodeCount,
      summary: summaryOf(memory, sweep),
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

function summaryOf(
  { conclusions, episodes }: UserMemory,
  { counts, decayed, pipeline }: Sweep,
): SweepSummary {
  let stale = Object.keys(decayed).length;
  let danglingSources = 0;
  for (const { id, status, stale: isStale, sources } of Object.values(conclusions)) {
    if (status !== 'active') continue;
    // With no confidence left there is nothing to decay.
    if (isStale && !decayed[id]) stale++;
    for (const source of sources) if (!entryOf(episodes, source)) danglingSources++;
  }
  return { ...counts, stale, danglingSources, contradictionPipeline: pipeline };
}
