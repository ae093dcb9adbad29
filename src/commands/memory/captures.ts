import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import { isSince } from '../../events/capture.ts';
import type { ImportedTurn } from '../../events/episodes.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import type { Conversations } from './conversations.ts';
import { createEpisode, type KnownEpisode, type KnownEpisodes, type NewEpisode } from './episodes.ts';
import { type Finding, settleFindings } from './findings.ts';
import { erase } from './forgetting.ts';
import { defineMemoryCommand } from './state.ts';

/** What was captured, and what it came to. */
export interface CapturedEpisode {
  readonly episodeId: string;
  /** Its words; null where only their summary is to stay. */
  readonly turns: readonly ImportedTurn[] | null;
  readonly episode: NewEpisode;
  readonly findings: readonly Finding[];
}

interface RememberCapture extends CapturedEpisode {
  /** As they were when the words were read: what was forgotten since must not come back. */
  readonly erasures: number;
}

export const rememberCapture = defineMemoryCommand<RememberCapture>({
  name: 'memory.rememberCapture',
  decide(
    memory: KnownEpisodes & Conversations & Conclusions,
    { erasures, ...captured },
    { newId, now },
  ): MemoryEvent[] {
    if (entryOf(memory.episodes, captured.episodeId)) return [];
    if (memory.erasures !== erasures) throw new HarkError('MEMORY_CHANGED');
    return remembered(memory, captured, newId, now);
  },
});

interface ForgetCaptured {
  readonly since: number;
  /** What is left of each episode that holds words from then on: null where nothing is. */
  readonly left: Readonly<Record<string, CapturedEpisode | null>>;
}

/** Captured words since then go with their episodes; what else these told of is told again by itself. */
export const forgetCaptured = defineMemoryCommand<ForgetCaptured>({
  name: 'memory.forgetCaptured',
  decide(memory: KnownEpisodes & Conclusions, { since, left }, { newId, now }): MemoryEvent[] {
    const touched = Object.values(memory.episodes).filter((one) => isCapturedSince(one, since));
    if (touched.some(({ episodeId }) => entryOf(left, episodeId) === undefined))
      throw new HarkError('MEMORY_CHANGED');
    // Also where there are none: whoever reads words at the moment is to read them again.
    const erased = erase(touched, memory);
    const gone = new Set(
      erased.flatMap((event) => (event.type === 'memory.conclusions.erased' ? event.data.conclusionIds : [])),
    );
    const others = {
      episodes: without(memory.episodes, new Set(touched.map(({ episodeId }) => episodeId))),
      conclusions: without(memory.conclusions, gone),
    };
    const again = touched.flatMap(({ episodeId }) => entryOf(left, episodeId) ?? []);
    return [...erased, ...again.flatMap((one) => remembered(others, one, newId, now))];
  },
});

/** Whether any of its words came, or were recorded, since then. */
export function isCapturedSince({ capture }: Pick<KnownEpisode, 'capture'>, since: number): boolean {
  return capture?.segments.some((segment) => isSince(segment, since)) ?? false;
}

function remembered(
  memory: Pick<KnownEpisodes, 'episodes'> & Pick<Conclusions, 'conclusions'>,
  { episodeId, turns, episode, findings }: CapturedEpisode,
  newId: () => string,
  now: number,
): MemoryEvent[] {
  const words = turns ?? [];
  const saidAt = ({ turnIds }: Finding) => {
    const told = turnIds.flatMap((index) => words[Number(index)]?.at ?? []);
    return Math.min(now, told.length > 0 ? Math.max(...told) : episode.happenedAt);
  };
  return [
    ...(turns === null
      ? []
      : [{ type: 'memory.conversation.imported' as const, data: { episodeId, sessionId: '', turns } }]),
    createEpisode(episodeId, episode),
    ...settleFindings(memory, findings, { episodeId, conversationId: null, saidAt }, newId),
  ];
}

function without<Entry>(
  entries: Readonly<Record<string, Entry>>,
  gone: ReadonlySet<string>,
): Record<string, Entry> {
  return Object.fromEntries(Object.entries(entries).filter(([id]) => !gone.has(id)));
}
