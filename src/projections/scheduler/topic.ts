import { taskFired } from '../../events/scheduler.ts';
import { topicPublished } from '../../events/workflows.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';

/** An event of these types is published under the topic that it names; every other one under its type. */
export const naming: ReadonlySet<string> = new Set([taskFired.type, topicPublished.type]);

export function topicOf(event: StoredEvent): string {
  if (event.type === taskFired.type) return taskFired.data.parse(event.data).topic;
  return event.type === topicPublished.type ? topicPublished.data.parse(event.data).topic : event.type;
}
