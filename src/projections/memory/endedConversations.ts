import { sessionEnded } from '../../events/chat.ts';
import { conversationsExpired } from '../../events/episodes.ts';
import { memoryErased } from '../../events/memory.ts';
import { turnEndings } from '../../events/turnEndings.ts';
import { defineProjection, type Handled } from '../projection.ts';

interface EndedConversations {
  readonly userId: string;
  /** What came to an end after this position has not been looked through. */
  readonly after: number;
  /** When the first of it ended, or before. */
  readonly at: number;
  /** Position of the last of it. */
  readonly last: number;
}

interface Ended {
  /** A user may be called `__proto__`. */
  readonly byUser: Record<string, EndedConversations>;
}

const handles = [sessionEnded, ...turnEndings, conversationsExpired, memoryErased] as const;

/** From where on retention has to look in each user's log for conversations that are over; not which they are. */
export const endedConversations = defineProjection({
  name: 'memory.endedConversations',
  version: 1,
  handles,
  initial: (): Ended => ({ byUser: {} }),
  apply({ byUser }, event) {
    const userId = event.owner;
    const name = `user-${userId}`;
    const next = follow(byUser[name], { userId, event });
    if (next) byUser[name] = next;
    else delete byUser[name];
  },
});

function follow(
  before: EndedConversations | undefined,
  { userId, event }: { readonly userId: string; readonly event: Handled<(typeof handles)[number]> },
): EndedConversations | undefined {
  const { position, at } = event;
  switch (event.type) {
    case memoryErased.type:
      return undefined;
    case conversationsExpired.type: {
      const { upTo, next } = event.data;
      return before && before.last > upTo ? { ...before, after: upTo, at: next ?? at } : undefined;
    }
    default:
      return { ...(before ?? { userId, after: position - 1, at }), last: position };
  }
}
