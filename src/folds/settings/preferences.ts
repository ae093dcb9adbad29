import { isEvent, type PastEvent } from '../../events/definition.ts';
import { type Preferences, preferencesChanged } from '../../events/settings.ts';

/** Zone and locale are those of the service where a user chose none. */
export type UserPreferences = Readonly<
  Required<Omit<Preferences, 'timezone' | 'locale'>> & Pick<Preferences, 'timezone' | 'locale'>
>;

/** What holds where the user said nothing else. */
export const usualPreferences: UserPreferences = {
  storeTranscripts: true,
  storeAudio: false,
  persistMemory: true,
  language: 'en',
  voice: 'default',
};

export function withChange<Own extends Preferences>(before: Own, event: PastEvent): Own {
  return isEvent(event, preferencesChanged) ? { ...before, ...event.data.preferences } : before;
}
