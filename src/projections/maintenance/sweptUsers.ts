import { maintenanceCompleted } from '../../events/maintenance.ts';
import { conclusionDrawn, episodeCreated } from '../../events/memory.ts';
import { instanceStarted } from '../../events/system.ts';
import { defineProjection } from '../projection.ts';

interface SweptUser {
  /** When something was first remembered of the user, or the last sweep began. */
  since: number;
  sweeps: number;
}

interface SweptUsers {
  readonly byUser: Record<string, SweptUser>;
  /** When hark was first started on this log. */
  startedAt: number | null;
  lastMaintenanceAt: number | null;
  totalSweeps: number;
}

/** Of whom anything is remembered, and when that was last swept. */
export const sweptUsers = defineProjection<SweptUsers>({
  name: 'maintenance.sweptUsers',
  version: 1,
  handles: [episodeCreated.type, conclusionDrawn.type, maintenanceCompleted.type, instanceStarted.type],
  initial: () => ({ byUser: {}, startedAt: null, lastMaintenanceAt: null, totalSweeps: 0 }),
  apply(state, { type, data, at, userId }) {
    if (type === instanceStarted.type) {
      state.startedAt ??= at;
      return;
    }
    const user = state.byUser[userId ?? ''] ?? { since: at, sweeps: 0 };
    state.byUser[userId ?? ''] = user;
    if (type !== maintenanceCompleted.type) return;
    user.since = maintenanceCompleted.data.parse(data).timestamp;
    user.sweeps++;
    state.lastMaintenanceAt = at;
    state.totalSweeps++;
  },
});
