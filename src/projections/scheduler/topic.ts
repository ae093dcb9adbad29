import { taskFired } from '../../events/scheduler.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';

/** An event of this type is published under the topic of its task; every other one under its type. */
export const FIRED = taskFired.type;

export function topicOf(event: StoredEvent): string {
  return event.type === FIRED ? taskFired.data.parse(event.data).topic : event.type;
}
