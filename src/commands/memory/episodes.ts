import { isEvent, type PastEvent } from '../../events/definition.ts';
import { episodeCreated } from '../../events/episodes.ts';
import type { MemoryDataOf, MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { applyToFlags } from '../../folds/memory/flags.ts';
import { readFolded } from '../../folds/memory/readFolded.ts';

type Slice = NonNullable<MemoryDataOf<'memory.conversation.imported'>['slice']>;

/** Words that came before their episode, as far as they have come. */
export interface Arriving {
  /** Of which episode they are: an id may be used again, for another one. */
  readonly happenedAt: number;
  readonly of: number;
  /** The slice that comes next. */
  readonly next: number;
  /** When they are let go, should the others not come. */
  readonly until: number;
}

type Place = Pick<Slice, 'number' | 'of' | 'happenedAt'>;

/** The first slice of other words begins anew; what came before it is no part of them. */
export function isNextSlice(known: Arriving | undefined, slice: Place): boolean {
  return slice.number === (isOfThese(known, slice) ? known.next : 0);
}

export function hasCome(known: Arriving | undefined, slice: Place): boolean {
  return isOfThese(known, slice) && slice.number < known.next;
}

function isOfThese(known: Arriving | undefined, { of, happenedAt }: Place): known is Arriving {
  return known?.of === of && known.happenedAt === happenedAt;
}

/** None after the last one: the episode comes with that. */
export function arrivingAfter({ number, of, happenedAt, waitsUntil }: Slice): Arriving | undefined {
  return waitsUntil === undefined ? undefined : { happenedAt, of, next: number + 1, until: waitsUntil };
}

type Created = MemoryDataOf<'memory.episode.created'>;

/** What decisions have to know of an episode. What it says, who reads has. */
export interface KnownEpisode
  extends Pick<
    Created,
    | 'episodeId'
    | 'type'
    | 'sessionId'
    | 'conversationId'
    | 'formerConversationId'
    | 'turnId'
    | 'importance'
    | 'happenedAt'
    | 'expiresAt'
    | 'capture'
  > {
  readonly flagged: boolean;
  /** Of an answer that was kept for itself: the same is not kept again. Null of all others. */
  readonly summary: string | null;
}

export interface KnownEpisodes {
  /** What was forgotten is not there any more. */
  readonly episodes: Record<string, KnownEpisode>;
  /** By episode that is yet to come, which of its words are there. */
  readonly arriving: Record<string, Arriving>;
  /** What asked without the user, and has left its episode. */
  readonly prompted: Record<string, true>;
}

export function noEpisodes(): KnownEpisodes {
  return { episodes: {}, arriving: {}, prompted: {} };
}

/** Stands for words that were not opened. */
const UNREAD = '';

/** As it is read for decisions: what an episode says stays closed but where that matters, which takes half of the time. */
export function readForDecisions(stored: PastEvent): MemoryEvent | undefined {
  if (stored.type !== episodeCreated.type || stored.isOpen) return readFolded(stored);
  const { sealed } = stored;
  const closed = sealed && !sealed.erased ? { type: stored.type, data: sealed.data } : undefined;
  if (!closed || !isEvent(closed, episodeCreated) || saysWhatMatters(closed.data)) return readFolded(stored);
  return { type: episodeCreated.type, data: { ...closed.data, summary: UNREAD } };
}

function saysWhatMatters({ type }: Pick<Created, 'type'>): boolean {
  return type === 'RESPONSE_INGEST';
}

/** What an event means for the episodes that there are. Changes them in place; other events mean nothing here. */
export function applyToEpisodes(
  known: KnownEpisodes & Pick<Conclusions, 'conclusions'>,
  event: MemoryEvent,
): void {
  const { episodes, arriving, prompted } = known;
  switch (event.type) {
    case 'memory.conversation.imported': {
      const { episodeId, slice } = event.data;
      const more = slice && arrivingAfter(slice);
      if (more) arriving[episodeId] = more;
      return;
    }
    case 'memory.episode.created': {
      const { episodeId, source, summary } = event.data;
      delete arriving[episodeId];
      if (source !== undefined) prompted[source] = true;
      if (summary !== null) episodes[episodeId] = knownOf(event.data);
      return;
    }
    case 'memory.episodes.erased':
    case 'memory.episodes.expired':
      for (const { episodeId } of event.data.episodes) {
        delete arriving[episodeId];
        delete episodes[episodeId];
      }
      return;
    case 'memory.episode.flagged':
    case 'memory.episode.unflagged':
    case 'memory.conclusion.restored':
      applyToFlags(episodes, known, event);
      return;
    case 'memory.erased':
      Object.assign(known, noEpisodes());
  }
}

function knownOf(created: Created): KnownEpisode {
  const { episodeId, type, sessionId, conversationId, formerConversationId, turnId } = created;
  const { importance, happenedAt, expiresAt, flagged = false, capture } = created;
  return {
    ...{ episodeId, type, sessionId, conversationId, turnId, importance, happenedAt, expiresAt, flagged },
    ...(formerConversationId === undefined ? {} : { formerConversationId }),
    ...(capture === undefined ? {} : { capture }),
    summary: saysWhatMatters(created) ? created.summary : null,
  };
}

/** What an episode is to say; what it is called, the command decides. */
export type NewEpisode = Omit<Created, 'episodeId'>;

export function createEpisode(episodeId: string, episode: NewEpisode): MemoryEvent {
  return { type: 'memory.episode.created', data: { episodeId, ...episode } };
}

/** A prompt that comes again and again leaves an episode once, also when that is gone. */
export function isRepeatedPrompt(
  { prompted }: Pick<KnownEpisodes, 'prompted'>,
  { source }: Pick<NewEpisode, 'source'>,
): boolean {
  return source !== undefined && Object.hasOwn(prompted, source);
}
