import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import { conversationsErasedBy, type MemoryEvent } from '../../events/memory.ts';

/** How far it has been settled what conversations came to. */
export interface Conversations {
  /** Conversations whose end has been dealt with. */
  readonly consolidated: Record<string, true>;
  /** Of conversations that go on, the last turn of what has been dealt with. */
  readonly settledUpTo: Record<string, string>;
  /** How often each has been put off since anything of it was settled. */
  readonly deferrals: Record<string, number>;
  /** How often anything was erased: what was read before may be what is not to be known any more. */
  erasures: number;
  /** Conversations that somebody had erased, each with the last place in the log at which it was. */
  erased: Record<string, number>;
  /** Where in the log everything was erased for the last time. */
  allErasedAt: number;
  /** Up to this position of the log, conversations that ended have been looked through for what is kept too long. */
  lookedOver: number;
}

export function noConversations(): Conversations {
  return {
    consolidated: {},
    settledUpTo: {},
    deferrals: {},
    erasures: 0,
    erased: {},
    allErasedAt: 0,
    lookedOver: 0,
  };
}

/** What an event means for conversations. Changes them in place; other events mean nothing here. */
export function applyToConversations(
  conversations: Conversations,
  event: MemoryEvent,
  position: number,
): void {
  const { consolidated, settledUpTo, deferrals, erased } = conversations;
  switch (event.type) {
    case 'memory.conversation.consolidated': {
      const { conversationId, upTo } = event.data;
      delete deferrals[conversationId];
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
      conversations.erasures++;
      for (const id of conversationsErasedBy(event)) erased[id] = position;
      return;
    case 'memory.transcript.erased':
    case 'memory.episodes.expired':
    case 'memory.conclusions.erased':
      conversations.erasures++;
      return;
    case 'memory.erased':
      // What has been settled stays so.
      Object.assign(conversations, {
        settledUpTo: {},
        deferrals: {},
        erasures: conversations.erasures + 1,
        erased: {},
        allErasedAt: position,
      });
  }
}

/** Where the user says something that is to be believed while its turn goes on. */
export interface SaidIn {
  readonly turnId: string;
  readonly conversationId: string;
  /** Whatever was erased behind this place of the log may be what is said there. */
  readonly since: number;
}

/** An erasure wins over a turn that still runs: of what was said there nothing is to be known any more. */
export function refuseErased(
  { erased, allErasedAt }: Pick<Conversations, 'erased' | 'allErasedAt'>,
  { conversationId, since }: SaidIn,
): void {
  if (Math.max(allErasedAt, entryOf(erased, conversationId) ?? 0) > since) throw new HarkError('TURN_OVER');
}
