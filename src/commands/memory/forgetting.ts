import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import type { Conclusion } from '../../folds/memory/conclusion.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { talkOf } from '../../folds/memory/talk.ts';
import type { Conversations } from './conversations.ts';
import type { KnownEpisode, KnownEpisodes } from './episodes.ts';
import { defineMemoryCommand } from './state.ts';

/** Everything personal of the user, wherever it lies: the keys go, and with them what they opened. */
export const eraseMemory = defineMemoryCommand<object>({
  name: 'memory.eraseMemory',
  decide: (): MemoryEvent[] => [{ type: 'memory.erased', data: {} }],
});

interface EraseEpisode {
  readonly episodeId: string;
}

/**
 * With an episode goes the conversation that it tells of, what else was kept of that, and what is believed for no
 * other reason.
 */
export const eraseEpisode = defineMemoryCommand<EraseEpisode>({
  name: 'memory.eraseEpisode',
  decide({ episodes, conclusions }: KnownEpisodes & Conclusions, { episodeId }): MemoryEvent[] {
    const episode = entryOf(episodes, episodeId);
    if (!episode) throw new HarkError('EPISODE_UNKNOWN', { body: { episodeId } });
    const talk = talkOf(episode);
    const erased = Object.values(episodes).filter(
      (one) => one === episode || (talk !== null && talkOf(one) === talk),
    );
    return erase(erased, { conclusions });
  },
});

interface EraseWithWords {
  readonly conclusionId: string;
  /** In which it was said: sessions among them that go on, of which there is no episode yet. */
  readonly conversationIds: readonly string[];
}

/** A conclusion with all that it came from: the episodes behind it go as with `eraseEpisode`, at the same moment. */
export const eraseWithWords = defineMemoryCommand<EraseWithWords>({
  name: 'memory.eraseWithWords',
  decide(
    { episodes, conclusions }: KnownEpisodes & Conclusions,
    { conclusionId, conversationIds },
  ): MemoryEvent[] {
    const { [conclusionId]: known, ...others } = conclusions;
    if (!known || entryOf(conclusions, conclusionId) === undefined)
      throw new HarkError('CONCLUSION_UNKNOWN', { body: { conclusionId } });
    const behind = known.sources.flatMap((id) => entryOf(episodes, id) ?? []);
    const talks = new Set([...behind.map(talkOf), ...conversationIds]);
    const erased = Object.values(episodes).filter(
      (one) => behind.includes(one) || (talkOf(one) !== null && talks.has(talkOf(one))),
    );
    const own = { conclusionIds: [conclusionId], because: 'asked' } as const;
    const told = new Set(erased.map(({ conversationId }) => conversationId));
    const untold = conversationIds.filter((id) => !told.has(id));
    const isNothingElse = erased.length === 0 && untold.length === 0;
    // Who follows an erasure looks at the last events of it for the episodes.
    return [
      { type: 'memory.conclusions.erased', data: own },
      ...(isNothingElse ? [] : erase(erased, { conclusions: others }, { conversationIds: untold })),
    ];
  },
});

interface Erased {
  /** Of which all goes, also where no episode tells of it. */
  readonly conversationIds?: readonly string[];
  /** Whether nothing else speaks for it, although no episode that goes says so. */
  readonly isSaidThere?: (known: Conclusion) => boolean;
}

interface EraseConversations {
  readonly conversationIds: readonly string[];
  /** All of theirs: what was remembered at a word has no episode, and what an expired one said has none any more. */
  readonly turnIds: readonly string[];
}

/** The words of conversations, and what was kept of them, as with an episode; what reads them at the moment keeps nothing. */
export const eraseConversations = defineMemoryCommand<EraseConversations>({
  name: 'memory.eraseConversations',
  decide({ episodes, conclusions }: KnownEpisodes & Conclusions, input): MemoryEvent[] {
    const talks = new Set<string | null>(input.conversationIds);
    const erased = Object.values(episodes).filter(({ conversationId }) => talks.has(conversationId));
    const turns = new Set(input.turnIds);
    const isTheirs = (one: KnownEpisode | undefined) => !one || talks.has(one.conversationId);
    const isSaidThere = ({ sources, turnIds }: Conclusion) =>
      turnIds.length > 0 &&
      turnIds.every((id) => turns.has(id)) &&
      !sources.some((id) => !isTheirs(entryOf(episodes, id)));
    return erase(erased, { conclusions }, { ...input, isSaidThere });
  },
});

interface EraseTranscript {
  readonly conversationId: string;
}

/** The words of a conversation alone: what memory made of them stays. */
export const eraseTranscript = defineMemoryCommand<EraseTranscript>({
  name: 'memory.eraseTranscript',
  decide: (_memory, { conversationId }): MemoryEvent[] => [
    { type: 'memory.transcript.erased', data: { conversationId } },
  ],
});

/** These episodes, and what is believed for no other reason. */
export function erase(
  erased: readonly KnownEpisode[],
  { conclusions }: Pick<Conclusions, 'conclusions'>,
  { conversationIds = [], isSaidThere = () => false }: Erased = {},
): MemoryEvent[] {
  const episodes = erased.map(({ episodeId, conversationId }) => ({ episodeId, conversationId }));
  const ids = new Set(erased.map(({ episodeId }) => episodeId));
  const conclusionIds = Object.values(conclusions)
    .filter((one) => (one.sources.length > 0 && one.sources.every((id) => ids.has(id))) || isSaidThere(one))
    .map(({ id }) => id);
  const because = 'source-erased' as const;
  const all = conversationIds.length === 0 ? {} : { conversationIds };
  return [
    { type: 'memory.episodes.erased', data: { episodes, ...all } },
    ...(conclusionIds.length === 0
      ? []
      : [{ type: 'memory.conclusions.erased' as const, data: { conclusionIds, because } }]),
  ];
}

interface ExpireEpisodes {
  readonly now: number;
}

/** So many at once: each takes keys with it, and others wait for their turn meanwhile. */
const AT_ONCE = 500;

/**
 * Episodes whose time is over, words whose episode never came, and conclusions that a sweep put aside so long ago that
 * they cannot be restored any more. What was concluded from the episodes is believed on; the words of a conversation
 * stay until the last episode that tells of them is gone, and until it is settled what they came to. That there are
 * none is worth an event too: it says when there will be some.
 */
export const expireEpisodes = defineMemoryCommand<ExpireEpisodes>({
  name: 'memory.expireEpisodes',
  decide(
    { arriving, episodes, consolidated, aside }: KnownEpisodes & Conversations & Conclusions,
    { now },
  ): MemoryEvent[] {
    const byAge = Object.values(episodes).sort((one, other) => one.expiresAt - other.expiresAt);
    const over = byAge.filter(({ expiresAt }) => expiresAt <= now).slice(0, AT_ONCE);
    const told = new Set(byAge.slice(over.length).map(({ conversationId }) => conversationId));
    const isUntold = ({ sessionId, conversationId }: KnownEpisode) =>
      !told.has(conversationId) &&
      (sessionId === null || entryOf(consolidated, conversationId ?? '') === true);
    const gone = over.map((episode) => ({
      episodeId: episode.episodeId,
      conversationId: isUntold(episode) ? episode.conversationId : null,
    }));
    const waiting = Object.entries(arriving).sort(([, one], [, other]) => one.until - other.until);
    const unfinished = waiting
      .filter(([, { until }]) => until <= now)
      .slice(0, AT_ONCE)
      .map(([episodeId]) => ({ episodeId, conversationId: null }));
    const putAside = Object.entries(aside).sort(([, one], [, other]) => one - other);
    const conclusionIds = putAside.flatMap(([id, until]) => (until <= now ? [id] : [])).slice(0, AT_ONCE);
    const later = [
      byAge[over.length]?.expiresAt,
      waiting[unfinished.length]?.[1].until,
      putAside[conclusionIds.length]?.[1],
    ];
    const next = later.filter((at) => at !== undefined).sort((one, other) => one - other)[0] ?? null;
    const because = 'expired' as const;
    return [
      ...(conclusionIds.length === 0
        ? []
        : [{ type: 'memory.conclusions.erased' as const, data: { conclusionIds, because } }]),
      { type: 'memory.episodes.expired', data: { episodes: [...gone, ...unfinished], next } },
    ];
  },
});

interface ExpireConversations {
  readonly conversationIds: readonly string[];
  /** From after the one position up to the other the log was looked through for them. */
  readonly after: number;
  readonly upTo: number;
  /** When the first thing after that ended; null when there is none. */
  readonly next: number | null;
}

/**
 * The words of conversations that are over for long enough, and that no episode tells of: those of the others go
 * with their episodes. That there are none is worth an event too: it says from where on to look the next time.
 */
export const expireConversations = defineMemoryCommand<ExpireConversations>({
  name: 'memory.expireConversations',
  decide(
    { episodes, consolidated, lookedOver }: KnownEpisodes & Conversations,
    { conversationIds, after, upTo, next },
  ): MemoryEvent[] {
    // Another process was quicker.
    if (lookedOver > after) return [];
    const told = new Set(Object.values(episodes).map(({ conversationId }) => conversationId));
    const untold = conversationIds.filter((id) => !told.has(id));
    const settled = conversationIds.filter((id) => told.has(id) && entryOf(consolidated, id) !== true);
    const data = { conversationIds: untold, upTo, next, ...(settled.length > 0 ? { settled } : {}) };
    return [{ type: 'memory.conversations.expired', data }];
  },
});
