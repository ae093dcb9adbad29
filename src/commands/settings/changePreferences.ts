import {
  type Preferences,
  preferencesChanged,
  type SettingsEvent,
  userStream,
} from '../../events/settings.ts';
import { type UserPreferences, usualPreferences, withChange } from '../../folds/settings/preferences.ts';
import type { StreamFold } from '../../folds/streamFold.ts';
import { defineCommand } from '../command.ts';

const preferencesState: StreamFold<UserPreferences> = {
  name: 'userPreferences',
  version: 3,
  initial: usualPreferences,
  evolve: withChange,
};

interface ChangePreferences {
  readonly preferences: Preferences;
}

export const changePreferences = defineCommand<ChangePreferences, UserPreferences>({
  name: 'settings.changePreferences',
  state: preferencesState,
  scope: 'user',
  stream: (_input, userId) => userStream(userId),
  decide(state, { preferences }): SettingsEvent[] {
    const changed = Object.entries(preferences).filter(
      ([name, value]) => value !== undefined && value !== Reflect.get(state, name),
    );
    if (changed.length === 0) return [];
    return [{ type: preferencesChanged.type, data: { preferences: Object.fromEntries(changed) } }];
  },
});
