import { HarkError } from '../../errors.ts';
import type { SweptUsers } from '../../projections/maintenance/sweptUsers.ts';

const LONGEST_REST_MS = 48 * 60 * 60_000;

/** What health says of the sweeps; throws where none was made for too long. */
export function sweepsInWords(
  { startedAt, lastMaintenanceAt, totalSweeps }: SweptUsers,
  now: number,
): string {
  if (now - (lastMaintenanceAt ?? startedAt ?? now) > LONGEST_REST_MS)
    throw new HarkError('CHECK_FAILED', { message: 'No sweep for more than 48 hours' });
  if (lastMaintenanceAt === null) return 'No sweep yet';
  return `${totalSweeps} ${totalSweeps === 1 ? 'sweep' : 'sweeps'}, the last at ${new Date(lastMaintenanceAt).toISOString()}`;
}

export function deferredSweep(reason: string): HarkError {
  const message = 'The machine is busy; try again later';
  return new HarkError('RESOURCES_BUSY', { message, body: { errorCode: 'RESOURCES_BUSY', message, reason } });
}

export function unavailableSweep(message: string): HarkError {
  return new HarkError('PROFILE_DISCONNECTED', {
    message,
    body: { errorCode: 'PROFILE_DISCONNECTED', message },
  });
}
