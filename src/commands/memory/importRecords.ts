import { entryOf } from '../../entryOf.ts';
import type { conclusionDrawn } from '../../events/conclusions.ts';
import type { EventOf } from '../../events/definition.ts';
import type { ImportedTurn, MemoryEvent, Profile } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { type Arriving, arrivingAfter, isNextSlice } from './arriving.ts';
import { createEpisode, type NewEpisode } from './episode.ts';
import type { KnownEpisodes } from './episodes.ts';
import type { Profiled } from './profile.ts';
import { defineMemoryCommand } from './state.ts';

/** An episode of another memory, with the words that it came from. */
export interface KeptEpisode {
  readonly episodeId: string;
  readonly episode: NewEpisode;
  readonly turns: readonly ImportedTurn[];
  /** Given where these are not all of its words: it comes with the last of them. */
  readonly slice?: WordsSlice;
}

/** Which of the words of an episode these are, and the number of the first of these turns. */
export interface WordsSlice {
  readonly number: number;
  readonly of: number;
  readonly from: number;
}

export function isLast({ number, of }: WordsSlice): boolean {
  return number === of - 1;
}

export type KeptConclusion = EventOf<typeof conclusionDrawn>['data'];

/** Records of another memory, under the ids that they are to have in this one. */
export interface ImportRecords {
  readonly profile: Profile;
  readonly episodes: readonly KeptEpisode[];
  readonly conclusions: readonly KeptConclusion[];
}

/** So long the words of an episode wait for the rest of them: whoever was cut off may try again until then. */
const WAITS_MS = 24 * 60 * 60_000;

/** Takes in what is not there yet. What is there stays as it is, the profile field by field. */
export const importRecords = defineMemoryCommand<ImportRecords>({
  name: 'memory.importRecords',
  decide(
    memory: KnownEpisodes & Conclusions & Profiled,
    { profile, episodes, conclusions },
    { now },
  ): MemoryEvent[] {
    const missing = missingFrom(memory.profile, profile);
    const events: MemoryEvent[] = [];
    if (Object.keys(missing).length > 0)
      events.push({ type: 'memory.profile.changed', data: { profile: missing } });
    const arriving = new Map<string, Arriving | undefined>();
    const created = new Set<string>();
    for (const { episodeId, episode, turns, slice: given } of episodes) {
      if (entryOf(memory.episodes, episodeId) || created.has(episodeId)) continue;
      const { sessionId, happenedAt } = episode;
      const known = arriving.has(episodeId) ? arriving.get(episodeId) : entryOf(memory.arriving, episodeId);
      const slice = given && {
        ...given,
        happenedAt,
        ...(isLast(given) ? {} : { waitsUntil: now + WAITS_MS }),
      };
      if (slice && !isNextSlice(known, slice)) continue;
      // Where there are none, that tells those apart which came for another episode of this id.
      if (turns.length > 0 || known)
        events.push({
          type: 'memory.conversation.imported',
          data: { episodeId, sessionId: sessionId ?? '', turns, ...(slice ? { slice } : {}) },
        });
      arriving.set(episodeId, slice && arrivingAfter(slice));
      if (slice && !isLast(slice)) continue;
      created.add(episodeId);
      events.push(createEpisode(episodeId, episode));
    }
    for (const data of conclusions) {
      if (!entryOf(memory.conclusions, data.conclusionId))
        events.push({ type: 'memory.conclusion.drawn', data });
    }
    return events;
  },
});

/** Of a profile, what another one adds to it. */
export function missingFrom(known: Profile, other: Profile): Profile {
  const { name, communicationStyle, patterns, preferences } = other;
  const added = Object.entries(preferences ?? {}).filter(([key]) => known.preferences?.[key] === undefined);
  return {
    ...(name !== undefined && known.name === undefined ? { name } : {}),
    ...(communicationStyle !== undefined && known.communicationStyle === undefined
      ? { communicationStyle }
      : {}),
    ...(patterns !== undefined && known.patterns === undefined ? { patterns } : {}),
    ...(added.length > 0 ? { preferences: { ...Object.fromEntries(added), ...known.preferences } } : {}),
  };
}
