import type { MemoryEvent } from '../../../events/memory.ts';
import { defineCommand } from '../../command.ts';
import type { DataOf } from '../remembered.ts';
import { memoryStream, type UserMemory, userMemory } from '../state.ts';

export type StartSweep = Pick<DataOf<'memory.maintenance.started'>, 'by' | 'thresholds'>;

/** Begins a sweep, unless one has begun and was cut off: that one goes on. */
export const startSweep = defineCommand<StartSweep, UserMemory>({
  name: 'memory.startSweep',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide({ conclusions, episodes, upkeep }, { by, thresholds }, { now, newId }): readonly MemoryEvent[] {
    if (upkeep.sweep) return [];
    const last = upkeep.reports.at(-1)?.timestamp ?? 0;
    const data = {
      sweepId: newId(),
      timestamp: Math.max(now, last + 1),
      by,
      thresholds,
      conclusionCount: Object.values(conclusions).filter(({ status }) => status === 'active').length,
      episodeCount: Object.keys(episodes).length,
    };
    return [{ type: 'memory.maintenance.started', data }];
  },
});
