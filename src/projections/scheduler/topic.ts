import { readerOf } from '../../events/definition.ts';
import { taskFired } from '../../events/scheduler.ts';
import { topicPublished } from '../../events/workflows.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';

/** An event of these types is published under the topic that it names; every other one under its type. */
const naming = [taskFired, topicPublished] as const;
const readNaming = readerOf(naming);
const namingTypes: ReadonlySet<string> = new Set(naming.map(({ type }) => type));

export function topicOf(event: StoredEvent): string {
  return readNaming(event)?.data.topic ?? event.type;
}

/** What has to be looked at to find these topics. What names its topic may be published under any. */
export function typesOf(patterns: readonly string[], eventTypes: readonly string[]): ReadonlySet<string> {
  return new Set([...eventTypes.filter((type) => matches(patterns, type)), ...namingTypes]);
}

/** For an event of one of those types. */
export function isAmong(patterns: readonly string[], event: StoredEvent): boolean {
  return !namingTypes.has(event.type) || isOfTopics(patterns, event);
}

/** The same for an event of whatever type. */
export function isOfTopics(patterns: readonly string[], event: StoredEvent): boolean {
  return matches(patterns, event.type) || matches(patterns, topicOf(event));
}

/** What has to be looked at to find what `isPublishedAs`. */
export function typesPublishedAs(name: string): ReadonlySet<string> {
  return new Set([name, ...namingTypes]);
}

/** Whether this is its type, or the topic under which it was published. */
export function isPublishedAs(name: string, event: StoredEvent): boolean {
  return event.type === name || topicOf(event) === name;
}

function matches(patterns: readonly string[], topic: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? topic.startsWith(pattern.slice(0, -1)) : topic === pattern,
  );
}
