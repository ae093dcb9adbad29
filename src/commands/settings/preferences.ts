import { isEvent, type NewEvent } from '../../events/definition.ts';
import { type Preferences, preferencesChanged } from '../../events/settings.ts';
import type { StreamFold } from '../../folds/streamFold.ts';

/** What holds where the user said nothing else. */
const usual = {
  storeTranscripts: true,
  storeAudio: false,
  persistMemory: true,
  language: 'en',
  voice: 'default',
  timezone: 'UTC',
  locale: 'en',
};

export type UserPreferences = Readonly<Required<Preferences>>;

export const userPreferences: StreamFold<UserPreferences> = {
  name: 'userPreferences',
  version: 2,
  initial: usual,
  evolve: withChange,
};

/** What they said themselves, also where it holds for everybody. */
export const statedPreferences: StreamFold<Preferences> = {
  name: 'statedPreferences',
  version: 1,
  initial: {},
  evolve: withChange,
};

function withChange<State extends Preferences>(state: State, event: NewEvent): State {
  return isEvent(event, preferencesChanged) ? { ...state, ...event.data.preferences } : state;
}

/** What a user wants otherwise than it holds for everybody. */
export function chosenPreferences(preferences: UserPreferences): Preferences {
  const chosen = Object.entries(preferences).filter(([name, value]) => value !== Reflect.get(usual, name));
  return Object.fromEntries(chosen);
}

export function userStream(userId: string): string {
  return `user-${userId}`;
}
