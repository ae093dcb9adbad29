import type { NewEvent } from '../../events/definition.ts';
import { type Preferences, preferencesChanged } from '../../events/settings.ts';
import type { StateDefinition } from '../command.ts';

/** What holds where the user said nothing else. */
const usual = {
  storeTranscripts: true,
  storeAudio: false,
  persistMemory: true,
  language: 'en',
  voice: 'default',
};

export type UserPreferences = Readonly<Required<Preferences>>;

export const userPreferences: StateDefinition<UserPreferences> = {
  name: 'userPreferences',
  version: 1,
  initial: usual,
  evolve: (state, event: NewEvent) =>
    event.type === preferencesChanged.type
      ? { ...state, ...preferencesChanged.data.parse(event.data).preferences }
      : state,
};

export function userStream(userId: string): string {
  return `user-${userId}`;
}
