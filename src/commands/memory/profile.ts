import type { MemoryEvent, Profile } from '../../events/memory.ts';

export interface Profiled {
  profile: Profile;
}

/** What an event means for the profile. Changes it in place; other events mean nothing here. */
export function applyToProfile(known: Profiled, event: MemoryEvent): void {
  if (event.type === 'memory.profile.changed') known.profile = { ...known.profile, ...event.data.profile };
  if (event.type === 'memory.erased') known.profile = {};
}
