import { HarkError } from '../errors.ts';
import type { RawEvent } from './adapter.ts';
import type { Position } from './port.ts';

/** Events of another log are taken in where this one ends, each right after the one before. */
export function refuseOutOfOrder(events: readonly RawEvent[], head: Position): void {
  const first = events[0];
  if (first && first.position !== head + 1)
    throw new HarkError('TARGET_EXISTS', { message: 'Events are imported into an empty log, in order' });
  if (events.some(({ position }, index) => position !== head + 1 + index))
    throw new HarkError('LOG_DAMAGED', { message: 'The events to import have gaps' });
}
