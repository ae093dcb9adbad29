import { readSchedulerEvent, schedulerEvents } from '../../events/scheduler.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';

export const schedulerTypes: readonly string[] = schedulerEvents.map(({ type }) => type);

/** The task that an event has to do with. */
export function taskIn(stored: StoredEvent): readonly string[] {
  const event = readSchedulerEvent(stored);
  return event ? [event.data.taskId] : [];
}
