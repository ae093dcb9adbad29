import { entryOf } from '../../entryOf.ts';
import type { conclusionDrawn } from '../../events/conclusions.ts';
import type { EventOf } from '../../events/definition.ts';
import type { ImportedTurn, MemoryEvent, Profile } from '../../events/memory.ts';
import { defineCommand } from '../command.ts';
import { createEpisode, type NewEpisode } from './episode.ts';
import { memoryStream, type UserMemory, userMemory } from './state.ts';

/** An episode of another memory, with the words that it came from. */
export interface KeptEpisode {
  readonly episodeId: string;
  readonly episode: NewEpisode;
  readonly turns: readonly ImportedTurn[];
}

export type KeptConclusion = EventOf<typeof conclusionDrawn>['data'];

/** Records of another memory, under the ids that they are to have in this one. */
export interface ImportRecords {
  readonly profile: Profile;
  readonly episodes: readonly KeptEpisode[];
  readonly conclusions: readonly KeptConclusion[];
}

/** Takes in what is not there yet. What is there stays as it is, the profile field by field. */
export const importRecords = defineCommand<ImportRecords, UserMemory>({
  name: 'memory.importRecords',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide(memory, { profile, episodes, conclusions }): MemoryEvent[] {
    const missing = missingFrom(memory.profile, profile);
    const events: MemoryEvent[] = [];
    if (Object.keys(missing).length > 0)
      events.push({ type: 'memory.profile.changed', data: { profile: missing } });
    for (const { episodeId, episode, turns } of episodes) {
      if (entryOf(memory.episodes, episodeId)) continue;
      const sessionId = episode.sessionId ?? '';
      if (turns.length > 0)
        events.push({ type: 'memory.conversation.imported', data: { episodeId, sessionId, turns } });
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
