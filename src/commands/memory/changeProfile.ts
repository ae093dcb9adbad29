import type { MemoryEvent, Profile } from '../../events/memory.ts';
import { defineMemoryCommand } from './state.ts';

interface ChangeProfile {
  readonly profile: Profile;
}

export const changeProfile = defineMemoryCommand<ChangeProfile>({
  name: 'memory.changeProfile',
  decide: (_memory, { profile }): MemoryEvent[] =>
    Object.keys(profile).length === 0 ? [] : [{ type: 'memory.profile.changed', data: { profile } }],
});
