import { readChatEvent } from '../../events/chat.ts';
import type { NewEvent } from '../../events/definition.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { TurnOrigin } from '../../vocabulary.ts';
import { type Branches, chooseTurn, replaceTurn } from './branches.ts';
import {
  beginExchange,
  contentOf,
  contentOfStep,
  continueExchange,
  type Exchange,
  isUnasked,
} from './exchange.ts';

/** What is said in a session from its first message to its end. */
export interface Conversation {
  /** Null when nothing was said yet, or all that was said has ended. */
  readonly conversationId: string | null;
  /** Without what is set aside. */
  readonly exchanges: readonly Exchange[];
  readonly aside: Branches<Exchange>['aside'];
  readonly versions: Branches<Exchange>['versions'];
  /** What the model is told in place of the exchanges up to this one. */
  readonly summary: Summary | null;
  /** All that were made, but those that a later one on the same path stands for. */
  readonly summaries: readonly Summary[];
}

interface Summary {
  readonly uptoTurnId: string;
  readonly text: string;
}

const nothing: Conversation = {
  conversationId: null,
  exchanges: [],
  aside: [],
  versions: [],
  summary: null,
  summaries: [],
};

/** The read model of one session, loaded when it is used. */
export const conversation = {
  name: 'conversation',
  version: 4,
  initial: nothing,
  evolve(state: Conversation, stored: NewEvent & Pick<StoredEvent, 'at'>): Conversation {
    const event = readChatEvent(stored);
    if (!event) return state;
    switch (event.type) {
      case 'chat.message.received': {
        const { conversationId, replaces } = event.data;
        const begun = beginExchange(event.data, stored.at);
        if (replaces === undefined)
          return { ...state, conversationId, exchanges: [...state.exchanges, begun] };
        return onPath(state, (branches) => replaceTurn(branches, replaces, begun));
      }
      case 'chat.branch.chosen': {
        const { turnId } = event.data;
        return onPath(state, (branches) => chooseTurn(branches, turnId));
      }
      case 'sessionEnded':
        return nothing;
      case 'chat.audio.kept':
        return state;
      case 'chat.history.summarized': {
        const { uptoTurnId, summary: text } = event.data;
        if (text === null) return state;
        const summary = { uptoTurnId, text };
        const others = state.summaries.filter((one) => !isOnPath(state.exchanges, one));
        return { ...state, summary, summaries: [...others, summary] };
      }
      default: {
        const { turnId } = event.data;
        const change = (one: Exchange) =>
          one.turnId === turnId ? continueExchange(one, event, stored.at) : one;
        const exchanges = state.exchanges.map(change);
        if (state.aside.length === 0) return { ...state, exchanges };
        const aside = state.aside.map(({ after, turns }) => ({ after, turns: turns.map(change) }));
        return { ...state, exchanges, aside };
      }
    }
  },
};

/** A summary stands for one path from the beginning to a turn: wherever that turn is on the path, it holds. */
function onPath(
  state: Conversation,
  change: (branches: Branches<Exchange>) => Branches<Exchange>,
): Conversation {
  const { path, aside, versions } = change({ ...state, path: state.exchanges });
  const summary = state.summaries.findLast((one) => isOnPath(path, one)) ?? null;
  return { ...state, exchanges: path, aside, versions, summary };
}

function isOnPath(path: readonly Exchange[], { uptoTurnId }: Summary): boolean {
  return path.some(({ turnId }) => turnId === uptoTurnId);
}

export interface HistoryMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly timestamp: number;
  /**
   * Of what the assistant was told: whose words they are, and what asked where that was no person. Of what it says
   * although nothing was said to it, as a reminder: what had it said.
   */
  readonly origin?: TurnOrigin;
  readonly source?: string;
}

/**
 * As people read it: user and assistant in turn, whatever became of a turn. What waits for a turn that still runs
 * is told when it is its turn.
 */
export function historyOf({ exchanges }: Pick<Conversation, 'exchanges'>): readonly HistoryMessage[] {
  const running = exchanges.findIndex(({ end }) => end === null);
  const begun = running === -1 ? exchanges : exchanges.slice(0, running + 1);
  return begun.flatMap((exchange): HistoryMessage[] => {
    const { text, at, end, origin, source } = exchange;
    if (text === null) return [];
    const from = source === undefined ? { origin } : { origin, source };
    if (end && isUnasked(exchange))
      return [{ role: 'assistant', content: replyIn(exchange), timestamp: end.at, ...from }];
    const asked: HistoryMessage = { role: 'user', content: text, timestamp: at, ...from };
    return end ? [asked, { role: 'assistant', content: replyIn(exchange), timestamp: end.at }] : [asked];
  });
}

/** The last words of the turn; where there are none, what became of it. */
export function replyIn(exchange: Exchange): string {
  const { steps, end, spoken } = exchange;
  const last = steps.at(-1);
  const reply = end?.as === 'replied' && last ? contentOfStep(last) : contentOf({ steps });
  // Of a spoken reply, what was heard is the reply, whatever broke it off.
  if (end === null || ((spoken || end.as === 'replied') && reply !== '')) return reply;
  const became = spoken && end.as === 'replied' ? UNHEARD : whatBecame[end.as];
  return [reply, `[${became}]`].filter((text) => text !== '').join('\n\n');
}

const UNHEARD = 'Nothing of the spoken reply was heard.';
/** Said to people and to the model alike. */
const whatBecame = {
  replied: 'No words were given in reply.',
  delegated: 'The turn ended with calls of tools that the client runs.',
  failed: 'The turn failed before there was a reply.',
  cancelled: 'The turn was cancelled before there was a reply.',
  interrupted: 'The turn was interrupted before there was a reply.',
} as const;
