import type { MemoryEvent } from '../../events/memory.ts';

/** How far it has been settled what conversations came to. */
export interface Conversations {
  /** Conversations whose end has been dealt with. */
  readonly consolidated: Record<string, true>;
  /** Of conversations that go on, the last turn of what has been dealt with. */
  readonly settledUpTo: Record<string, string>;
  /** Turns of them up to there that were set aside then, so that nothing was made of them. */
  readonly leftAside: Record<string, readonly string[]>;
  /** How often each has been put off since anything of it was settled. */
  readonly deferrals: Record<string, number>;
  /** How often anything was erased: what was read before may be what is not to be known any more. */
  erasures: number;
  /** Up to this position of the log, conversations that ended have been looked through for what is kept too long. */
  lookedOver: number;
}

export function noConversations(): Conversations {
  return {
    consolidated: {},
    settledUpTo: {},
    leftAside: {},
    deferrals: {},
    erasures: 0,
    lookedOver: 0,
  };
}

/** What an event means for conversations. Changes them in place; other events mean nothing here. */
export function applyToConversations(conversations: Conversations, event: MemoryEvent): void {
  const { consolidated, settledUpTo, leftAside, deferrals } = conversations;
  switch (event.type) {
    case 'memory.conversation.consolidated': {
      const { conversationId, upTo, aside } = event.data;
      delete deferrals[conversationId];
      if (aside) leftAside[conversationId] = aside;
      else delete leftAside[conversationId];
      if (upTo !== undefined) settledUpTo[conversationId] = upTo;
      else {
        consolidated[conversationId] = true;
        delete settledUpTo[conversationId];
      }
      return;
    }
    case 'memory.consolidation.deferred':
      deferrals[event.data.conversationId] = event.data.attempt;
      return;
    case 'memory.conversations.expired':
      conversations.erasures++;
      conversations.lookedOver = event.data.upTo;
      for (const id of event.data.settled ?? []) consolidated[id] = true;
      return;
    case 'memory.episodes.erased':
    case 'memory.transcript.erased':
    case 'memory.episodes.expired':
    case 'memory.conclusions.erased':
      conversations.erasures++;
      return;
    case 'memory.erased':
      // What has been settled stays so.
      Object.assign(conversations, {
        settledUpTo: {},
        leftAside: {},
        deferrals: {},
        erasures: conversations.erasures + 1,
      });
  }
}
