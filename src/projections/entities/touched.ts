import { entityEventTypes, readEntityEvent } from '../../events/entities.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';

export const entityChanges: readonly string[] = [...entityEventTypes];

/** The entities that an event may have changed, of those that can still be seen at all. */
export function touchedBy(stored: StoredEvent): readonly string[] {
  const event = readEntityEvent(stored);
  if (!event) return [];
  const { data } = event;
  return [
    ...('entityId' in data ? [data.entityId] : []),
    ...('mergedId' in data ? [data.mergedId] : []),
    ...('entityIds' in data ? [...data.entityIds, ...data.changedIds] : []),
    ...('from' in data ? [data.from, data.to] : []),
  ];
}
