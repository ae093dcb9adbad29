import { isEvent, type PastEvent } from '../../events/definition.ts';
import { episodeCreated, type MemoryDataOf, type MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { applyToFlags } from '../../folds/memory/flags.ts';
import { readFolded } from '../../folds/memory/readFolded.ts';
import { type Arriving, arrivingAfter } from './arriving.ts';

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
    case 'memory.conclusion.restored':
      applyToFlags(episodes, known, event);
      return;
    case 'memory.erased':
      Object.assign(known, noEpisodes());
  }
}

function knownOf(created: Created): KnownEpisode {
  const { episodeId, type, sessionId, conversationId, formerConversationId, turnId } = created;
  const { importance, happenedAt, expiresAt, flagged = false } = created;
  return {
    ...{ episodeId, type, sessionId, conversationId, turnId, importance, happenedAt, expiresAt, flagged },
    ...(formerConversationId === undefined ? {} : { formerConversationId }),
    summary: saysWhatMatters(created) ? created.summary : null,
  };
}
