import type { PastEvent } from '../../events/definition.ts';
import { type Preferences, userStream } from '../../events/settings.ts';
import { type UserPreferences, usualPreferences, withChange } from '../../folds/settings/preferences.ts';
import type { UserProjection } from '../projection.ts';

interface PreferencesView {
  /** What the user said themselves, also where it holds for everybody. */
  readonly stated: Preferences;
  /** What holds for them. */
  readonly effective: UserPreferences;
}

export const preferences: UserProjection<PreferencesView> = {
  name: 'preferences',
  version: 2,
  stream: userStream,
  initial: { stated: {}, effective: usualPreferences },
  evolve: ({ stated, effective }: PreferencesView, event: PastEvent) => ({
    stated: withChange(stated, event),
    effective: withChange(effective, event),
  }),
};

/** What a user wants otherwise than it holds for everybody. */
export function chosenPreferences({ effective }: PreferencesView): Preferences {
  const chosen = Object.entries(effective).filter(
    ([name, value]) => value !== Reflect.get(usualPreferences, name),
  );
  return Object.fromEntries(chosen);
}
