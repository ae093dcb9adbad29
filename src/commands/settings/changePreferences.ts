import { type Preferences, preferencesChanged, type SettingsEvent } from '../../events/settings.ts';
import { defineCommand } from '../command.ts';
import { type UserPreferences, userPreferences, userStream } from './preferences.ts';

interface ChangePreferences {
  readonly preferences: Preferences;
}

export const changePreferences = defineCommand<ChangePreferences, UserPreferences>({
  name: 'settings.changePreferences',
  state: userPreferences,
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
