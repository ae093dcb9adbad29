import type { EventOf } from '../../events/definition.ts';
import type { MemoryEvent, Profile, profileEmbedded } from '../../events/memory.ts';
import type { Profiled } from './profile.ts';
import { defineMemoryCommand } from './state.ts';

interface KeepProfileVectors {
  readonly made: EventOf<typeof profileEmbedded>['data'];
  /** Of what they were made. */
  readonly profile: Profile;
}

/** Of a profile that was changed or erased while they were made, nothing is kept. */
export const keepProfileVectors = defineMemoryCommand<KeepProfileVectors>({
  name: 'memory.keepProfileVectors',
  decide: (memory: Profiled, { made, profile }): MemoryEvent[] =>
    JSON.stringify(memory.profile) === JSON.stringify(profile)
      ? [{ type: 'memory.profile.embedded', data: made }]
      : [],
});
