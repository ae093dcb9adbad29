import { memoryEventTypes, readMemoryEvent } from '../../events/memory.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';

export const memoryTypes: readonly string[] = [...memoryEventTypes];

/** The episodes and conclusions that an event may have changed, of those that can still be seen at all. */
export function touchedBy(stored: StoredEvent): readonly string[] {
  const event = readMemoryEvent(stored);
  if (!event) return [];
  const { data } = event;
  return [
    ...('episodeId' in data && data.episodeId !== null ? [data.episodeId] : []),
    ...('episodes' in data ? data.episodes.map(({ episodeId }) => episodeId) : []),
    ...('conclusionId' in data ? [data.conclusionId] : []),
    ...('supersededBy' in data ? [data.supersededBy] : []),
    ...('mergedInto' in data ? [data.mergedInto] : []),
    ...('contradicts' in data ? [data.contradicts] : []),
    ...('conclusionIds' in data ? data.conclusionIds : []),
  ];
}
