import { conclusionEmbedded } from '../../events/conclusions.ts';
import type { PastEvent } from '../../events/definition.ts';
import { conversationImported, vectorsMade } from '../../events/episodes.ts';
import { type MemoryEvent, profileEmbedded, readMemoryEvent } from '../../events/memory.ts';

/** Of vectors and imported words it is enough that they are there: to open them would take as long as all the rest. */
const unopened: ReadonlySet<string> = new Set([
  vectorsMade.type,
  conclusionEmbedded.type,
  profileEmbedded.type,
  conversationImported.type,
]);

/**
 * An event of a user's memory, for a fold. Vectors and imported words stay closed; undefined where those were
 * forgotten, and for an event of another area.
 */
export function readFolded(stored: PastEvent): MemoryEvent | undefined {
  if (!unopened.has(stored.type)) return readMemoryEvent(stored);
  const sealed = stored.isOpen ? undefined : stored.sealed;
  if (sealed) return sealed.erased ? undefined : readMemoryEvent({ type: stored.type, data: sealed.data });
  const event = readMemoryEvent(stored);
  return event && isForgotten(event) ? undefined : event;
}

function isForgotten({ type, data }: MemoryEvent): boolean {
  switch (type) {
    case 'memory.vectors.made':
    case 'memory.profile.embedded':
      return data.vectors === null;
    case 'memory.conclusion.embedded':
      return data.vector === null;
    case 'memory.conversation.imported':
      return data.turns === null;
    default:
      return false;
  }
}
