import { type MemoryEvent, memoryStream, type Profile } from '../../events/memory.ts';
import { defineCommand } from '../command.ts';
import { type UserMemory, userMemory } from './state.ts';

interface ChangeProfile {
  readonly profile: Profile;
}

export const changeProfile = defineCommand<ChangeProfile, UserMemory>({
  name: 'memory.changeProfile',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide: (_memory, { profile }): MemoryEvent[] =>
    Object.keys(profile).length === 0 ? [] : [{ type: 'memory.profile.changed', data: { profile } }],
});
