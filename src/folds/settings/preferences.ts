import { isEvent, type PastEvent } from '../../events/definition.ts';
import { type Preferences, preferencesChanged } from '../../events/settings.ts';

export type UserPreferences = Readonly<Required<Preferences>>;

/** What holds where the user said nothing else. */
export const usualPreferences: UserPreferences = {
  storeTranscripts: true,
  storeAudio: false,
  persistMemory: true,
  language: 'en',
  voice: 'default',
  timezone: 'UTC',
  locale: 'en',
};

export function withChange<Known extends Preferences>(known: Known, event: PastEvent): Known {
  return isEvent(event, preferencesChanged) ? { ...known, ...event.data.preferences } : known;
}
