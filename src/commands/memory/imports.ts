import { entryOf } from '../../entryOf.ts';
import type { conclusionDrawn, contradictionImported } from '../../events/conclusions.ts';
import type { EventOf } from '../../events/definition.ts';
import type { ImportedTurn } from '../../events/episodes.ts';
import type { MemoryEvent, Profile } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { isToldOf, pairOf } from '../../folds/memory/contradictions.ts';
import {
  type Arriving,
  arrivingAfter,
  createEpisode,
  isNextSlice,
  type KnownEpisodes,
  type NewEpisode,
} from './episodes.ts';
import { type Finding, settleFindings } from './findings.ts';
import { defineMemoryCommand, type Profiled } from './state.ts';

interface ImportConversation {
  /** Made from what is imported, so that the same again is known. */
  readonly episodeId: string;
  readonly sessionId: string;
  readonly turns: readonly ImportedTurn[];
  readonly episode: NewEpisode;
  readonly findings: readonly Finding[];
}

/** A conversation from elsewhere: its words, and what they came to. */
export const importConversation = defineMemoryCommand<ImportConversation>({
  name: 'memory.importConversation',
  decide(
    memory: KnownEpisodes & Conclusions,
    { episodeId, sessionId, turns, episode, findings },
    { newId, now },
  ): MemoryEvent[] {
    if (entryOf(memory.episodes, episodeId)) return [];
    const saidAt = ({ turnIds }: Finding) => {
      const told = turnIds.flatMap((index) => turns[Number(index)]?.at ?? []);
      // Nobody has said anything yet that is still to come.
      return Math.min(now, told.length > 0 ? Math.max(...told) : episode.happenedAt);
    };
    const evidence = { episodeId, conversationId: null, saidAt };
    return [
      { type: 'memory.conversation.imported', data: { episodeId, sessionId, turns } },
      createEpisode(episodeId, episode),
      ...settleFindings(memory, findings, evidence, newId),
    ];
  },
});

/** One thing that the user wrote down for another tool. */
export interface WrittenStatement {
  /** Made from what it says, so that the same again is known, also when it is no longer believed. */
  readonly conclusionId: string;
  readonly text: string;
}

/** Written for another tool, some time ago: less certain than what the user says to us. */
const CONFIDENCE = 0.8;

export const importStatements = defineMemoryCommand<{ readonly statements: readonly WrittenStatement[] }>({
  name: 'memory.importStatements',
  decide: ({ conclusions }: Conclusions, { statements }): MemoryEvent[] =>
    statements
      .filter(({ conclusionId }) => !entryOf(conclusions, conclusionId))
      .map(({ conclusionId, text }) => ({
        type: 'memory.conclusion.drawn',
        data: {
          conclusionId,
          text,
          type: 'explicit',
          confidence: CONFIDENCE,
          sources: [],
          turnIds: [],
          about: null,
          by: 'import',
        },
      })),
});

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
type KeptContradiction = EventOf<typeof contradictionImported>['data'];

/** Records of another memory, under the ids that they are to have in this one. */
export interface ImportRecords {
  readonly profile: Profile;
  readonly episodes: readonly KeptEpisode[];
  readonly conclusions: readonly KeptConclusion[];
  /** Of conclusions that are there, or come with them. */
  readonly contradictions: readonly KeptContradiction[];
}

/** So long the words of an episode wait for the rest of them: whoever was cut off may try again until then. */
const WAITS_MS = 24 * 60 * 60_000;

/** Takes in what is not there yet. What is there stays as it is, the profile field by field. */
export const importRecords = defineMemoryCommand<ImportRecords>({
  name: 'memory.importRecords',
  decide(
    memory: KnownEpisodes & Conclusions & Profiled,
    { profile, episodes, conclusions, contradictions },
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
      const earlier = arriving.has(episodeId) ? arriving.get(episodeId) : entryOf(memory.arriving, episodeId);
      const slice = given && {
        ...given,
        happenedAt,
        ...(isLast(given) ? {} : { waitsUntil: now + WAITS_MS }),
      };
      if (slice && !isNextSlice(earlier, slice)) continue;
      // Where there are none, that tells those apart which came for another episode of this id.
      if (turns.length > 0 || earlier)
        events.push({
          type: 'memory.conversation.imported',
          data: { episodeId, sessionId: sessionId ?? '', turns, ...(slice ? { slice } : {}) },
        });
      arriving.set(episodeId, slice && arrivingAfter(slice));
      if (slice && !isLast(slice)) continue;
      created.add(episodeId);
      events.push(createEpisode(episodeId, episode));
    }
    const drawn = new Set<string>();
    for (const data of conclusions) {
      if (entryOf(memory.conclusions, data.conclusionId)) continue;
      drawn.add(data.conclusionId);
      events.push({ type: 'memory.conclusion.drawn', data });
    }
    const isThere = (id: string) => drawn.has(id) || entryOf(memory.conclusions, id) !== undefined;
    for (const data of contradictions) {
      const { conclusionId: one, contradicts: other } = data;
      if (isThere(one) && isThere(other) && !isToldOf(memory, pairOf(one, other)))
        events.push({ type: 'memory.contradiction.imported', data });
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
