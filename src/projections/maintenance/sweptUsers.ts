import { conclusionDrawn } from '../../events/conclusions.ts';
import { episodeCreated } from '../../events/episodes.ts';
import { maintenanceCompleted } from '../../events/maintenance.ts';
import { instanceStarted } from '../../events/system.ts';
import { defineProjection } from '../projection.ts';

interface SweptUser {
  readonly userId: string;
  /** When something was first remembered of the user, or the last sweep began. */
  since: number;
  /** Where in the stream the last report is. */
  lastReport?: number;
}

export interface SweptUsers {
  /** A user may be called `__proto__`, a stream not. */
  readonly byStream: Record<string, SweptUser>;
  /** When hark was first started on this log. */
  startedAt: number | null;
  lastMaintenanceAt: number | null;
  totalSweeps: number;
}

/** Of whom anything is remembered, and when that was last swept. */
export const sweptUsers = defineProjection({
  name: 'maintenance.sweptUsers',
  version: 3,
  handles: [episodeCreated, conclusionDrawn, maintenanceCompleted, instanceStarted],
  initial: (): SweptUsers => ({ byStream: {}, startedAt: null, lastMaintenanceAt: null, totalSweeps: 0 }),
  // Only of one that tells of a sweep what it says is asked: to open the words of all others would take long.
  apply(state, event) {
    const { stream, at, owner: userId } = event;
    if (event.type === instanceStarted.type) {
      state.startedAt ??= at;
      return;
    }
    const user = state.byStream[stream] ?? { userId, since: at };
    state.byStream[stream] = user;
    if (event.type !== maintenanceCompleted.type) return;
    user.since = event.data.timestamp;
    user.lastReport = event.version;
    state.lastMaintenanceAt = at;
    state.totalSweeps++;
  },
});
