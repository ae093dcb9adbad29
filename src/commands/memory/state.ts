import type { PastEvent } from '../../events/definition.ts';
import { type MemoryEvent, memoryStream, type Profile } from '../../events/memory.ts';
import { applyToConclusions, type Conclusions, noConclusions } from '../../folds/memory/conclusions.ts';
import { applyToVectors, noVectors, type VectorsMade } from '../../folds/memory/vectors.ts';
import type { StreamFold } from '../../folds/streamFold.ts';
import { type Command, defineCommand } from '../command.ts';
import { applyToConversations, type Conversations, noConversations } from './conversations.ts';
import { applyToEpisodes, type KnownEpisodes, noEpisodes, readForDecisions } from './episodes.ts';
import { applyToUpkeep, type Maintained, noUpkeep } from './upkeep.ts';

export interface Profiled {
  profile: Profile;
}

/** What an event means for the profile. Changes it in place; other events mean nothing here. */
function applyToProfile(known: Profiled, event: MemoryEvent): void {
  if (event.type === 'memory.profile.changed') known.profile = { ...known.profile, ...event.data.profile };
  if (event.type === 'memory.erased') known.profile = {};
}

/**
 * What decisions about one user's memory have to know. It is one stream, since some of them need several parts at
 * once: an episode that is erased takes along what was concluded from nothing else. Each decision takes the parts that
 * it needs; who reads has the projection.
 */
export interface UserMemory
  extends KnownEpisodes,
    Conversations,
    Conclusions,
    VectorsMade,
    Profiled,
    Maintained {}

/** The state of the `memory-<user>` stream, for decisions alone. It is changed in place. */
export const userMemory: StreamFold<UserMemory> = {
  name: 'userMemory',
  version: 16,
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
    applyToProfile(memory, event);
    applyToUpkeep(memory, event, stored.at);
    return memory;
  },
};

interface MemoryDecision<Input> extends Pick<Command<Input, UserMemory>, 'name'> {
  /** What it takes of the memory is the parts that it needs. Pure, as that of any command. */
  decide(
    memory: UserMemory,
    input: Input,
    surroundings: Parameters<Command<Input, UserMemory>['decide']>[2],
  ): readonly MemoryEvent[];
}

/** What may happen to one user's memory. */
export function defineMemoryCommand<Input>(decision: MemoryDecision<Input>): Command<Input, UserMemory> {
  const stream = (_input: Input, userId: string) => memoryStream(userId);
  return defineCommand({ ...decision, state: userMemory, scope: 'user', stream });
}
