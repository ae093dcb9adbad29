import type { EventOf } from '../../events/definition.ts';
import { type MemoryEvent, memoryStream, type Profile, type profileEmbedded } from '../../events/memory.ts';
import { defineCommand } from '../command.ts';
import { type UserMemory, userMemory } from './state.ts';

interface KeepProfileVectors {
  readonly made: EventOf<typeof profileEmbedded>['data'];
  /** Of what they were made. */
  readonly profile: Profile;
}

/** Of a profile that was changed or erased while they were made, nothing is kept. */
export const keepProfileVectors = defineCommand<KeepProfileVectors, UserMemory>({
  name: 'memory.keepProfileVectors',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide: (memory, { made, profile }): MemoryEvent[] =>
    JSON.stringify(memory.profile) === JSON.stringify(profile)
      ? [{ type: 'memory.profile.embedded', data: made }]
      : [],
});
