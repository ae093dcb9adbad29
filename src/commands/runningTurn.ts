import { HarkError } from '../errors.ts';
import { conversationsErasedBy, readConversationErasure } from '../events/episodes.ts';
import { memoryErased, memoryStream } from '../events/memory.ts';
import type { EventReader, Position } from '../store/port.ts';

/** A turn that has something done while it runs. */
export interface RunningTurn {
  /** With which all that is said in it is forgotten. */
  readonly conversationId: string;
  /** Where its message is in the log; not there where the log was away then. */
  readonly receivedAt?: Position | undefined;
}

/**
 * An erasure wins over a turn that still runs: of what is said there nothing is to be known any more, and nothing that
 * it has done is kept. What the log holds since its message is looked through, which lies in memory as a rule: nobody
 * has to note for ever what was erased.
 */
export async function refuseErased(
  store: Pick<EventReader, 'readStream'>,
  userId: string,
  { conversationId, receivedAt }: RunningTurn,
  until: Position,
): Promise<void> {
  const since = { afterPosition: receivedAt ?? until, untilPosition: until };
  for await (const events of store.readStream(memoryStream(userId), since))
    for (const event of events) {
      const erasure = readConversationErasure(event);
      const isErased =
        event.type === memoryErased.type ||
        (erasure !== undefined && conversationsErasedBy(erasure).includes(conversationId));
      if (isErased) throw new HarkError('TURN_OVER');
    }
}
