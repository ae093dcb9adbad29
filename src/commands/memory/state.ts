import type { PastEvent } from '../../events/definition.ts';
import type { Profile } from '../../events/memory.ts';
import { applyToConclusions, type Conclusions, noConclusions } from '../../folds/memory/conclusions.ts';
import { applyToVectors, noVectors, type VectorsMade } from '../../folds/memory/vectors.ts';
import type { StreamFold } from '../../folds/streamFold.ts';
import { applyToConversations, type Conversations, noConversations } from './conversations.ts';
import { applyToEpisodes, type Episodes, noEpisodes, readForDecisions } from './episodes.ts';
import { applyToUpkeep, noUpkeep, type Upkeep } from './upkeep.ts';

/**
 * What decisions about one user's memory have to know. It is one stream, since some of them need several parts at
 * once: an episode that is erased takes along what was concluded from nothing else. Each decision takes the parts that
 * it needs; who reads has the projection.
 */
export interface UserMemory extends Episodes, Conversations, Conclusions, VectorsMade {
  profile: Profile;
  readonly upkeep: Upkeep;
}

/** The state of the `memory-<user>` stream, for decisions alone. It is changed in place. */
export const userMemory: StreamFold<UserMemory> = {
  name: 'userMemory',
  version: 10,
  get initial(): UserMemory {
    return {
      ...noEpisodes(),
      ...noConversations(),
      ...noConclusions(),
      ...noVectors(),
      profile: {},
      upkeep: noUpkeep(),
    };
  },
  evolve(memory: UserMemory, stored: PastEvent): UserMemory {
    memory.upkeep.events++;
    const event = readForDecisions(stored);
    if (!event) return memory;
    applyToEpisodes(memory, event);
    applyToConversations(memory, event);
    applyToConclusions(memory, event, stored.at);
    applyToVectors(memory, event);
    applyToUpkeep(memory.upkeep, event, stored.at);
    if (event.type === 'memory.profile.changed')
      memory.profile = { ...memory.profile, ...event.data.profile };
    if (event.type === 'memory.erased') memory.profile = {};
    return memory;
  },
};
