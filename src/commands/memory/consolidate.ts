import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import type { EventOf } from '../../events/definition.ts';
import type {
  consolidationAsked,
  consolidationDeferred,
  conversationConsolidated,
  MemoryEvent,
} from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import type { Conversations } from './conversations.ts';
import { createEpisode, isRepeatedPrompt, type KnownEpisodes, type NewEpisode } from './episodes.ts';
import { type Finding, settleFindings } from './findings.ts';
import { defineMemoryCommand } from './state.ts';

interface AskForConsolidation {
  /** Those that go on. */
  readonly sessions: readonly EventOf<typeof consolidationAsked>['data'][];
}

/** What has been said in sessions is not to wait for their end. */
export const askForConsolidation = defineMemoryCommand<AskForConsolidation>({
  name: 'memory.askForConsolidation',
  decide: ({ consolidated }: Conversations, { sessions }): MemoryEvent[] =>
    sessions
      .filter(({ conversationId }) => entryOf(consolidated, conversationId) !== true)
      .map((data) => ({ type: 'memory.consolidation.asked', data })),
});

/** A person needs the machine now; that a conversation waits for that is worth knowing, and counted. */
export const deferConsolidation = defineMemoryCommand<
  Omit<EventOf<typeof consolidationDeferred>['data'], 'attempt'>
>({
  name: 'memory.deferConsolidation',
  decide({ consolidated, deferrals }: Conversations, { conversationId, reason }): MemoryEvent[] {
    if (entryOf(consolidated, conversationId)) return [];
    const attempt = (entryOf(deferrals, conversationId) ?? 0) + 1;
    return [{ type: 'memory.consolidation.deferred', data: { conversationId, attempt, reason } }];
  },
});

type Consolidated = EventOf<typeof conversationConsolidated>['data'];

export interface Consolidate
  extends Pick<Consolidated, 'conversationId' | 'sessionId' | 'skipped' | 'upTo' | 'aside'> {
  /** The last turn that had been dealt with before; null when there was none. */
  readonly after: string | null;
  /** As they were when the conversation was read: what was erased since must not come back. */
  readonly erasures: number;
  readonly episode: NewEpisode | null;
  readonly findings: readonly Finding[];
  /** The conversation is over, and its user wants no transcript kept: with what it came to, its words go. */
  readonly erasesWords: boolean;
}

/** Settles what a conversation, or a part of one that goes on, came to, as one: after a crash there is all of it or nothing. */
export const consolidate = defineMemoryCommand<Consolidate>({
  name: 'memory.consolidate',
  decide(
    memory: KnownEpisodes & Conversations & Conclusions,
    { erasures, episode: made, findings, erasesWords, ...talk },
    { newId },
  ) {
    const { conversationId, sessionId, skipped: left, after, upTo, aside } = talk;
    if (entryOf(memory.consolidated, conversationId)) return [];
    const settledUpTo = entryOf(memory.settledUpTo, conversationId) ?? null;
    if (memory.erasures !== erasures || settledUpTo !== after) throw new HarkError('MEMORY_CHANGED');
    const isRepeated = made !== null && isRepeatedPrompt(memory, made);
    const episode = isRepeated ? null : made;
    const skipped = isRepeated ? 'repeated' : left;
    const episodeId = episode ? newId() : null;
    const events: MemoryEvent[] = [];
    if (episode && episodeId !== null) events.push(createEpisode(episodeId, episode));
    events.push(...settleFindings(memory, findings, { episodeId, conversationId }, newId));
    const goesOn = upTo === undefined ? {} : { upTo, ...(aside === undefined ? {} : { aside }) };
    const data = { conversationId, sessionId, episodeId, skipped, ...goesOn };
    events.push({ type: 'memory.conversation.consolidated', data });
    if (erasesWords) events.push({ type: 'memory.transcript.erased', data: { conversationId } });
    return events;
  },
});
