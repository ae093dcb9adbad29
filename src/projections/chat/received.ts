import { isEvent } from '../../events/definition.ts';
import { messageReceived, receivedAs } from '../../events/turns.ts';
import type { EventReader } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';

/** The message with which a turn of this user began. */
export async function findReceived(store: EventReader, userId: string, turnId: string) {
  const found = await store.findCommand(receivedAs(userId, turnId));
  if (!found) return undefined;
  const { position: until } = found;
  // What is over when it begins ends with the same append.
  for await (const { events } of store.readAll({ after: until - 2, until, userId })) {
    const event = events.flatMap(receivedIn).find(({ data }) => data.turnId === turnId);
    if (event) return event;
  }
  return undefined;
}

function receivedIn(stored: StoredEvent) {
  return isEvent(stored, messageReceived) ? [stored] : [];
}
