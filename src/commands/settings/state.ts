import type { SettingValue } from '../../config.ts';
import { isEvent, type NewEvent } from '../../events/definition.ts';
import { configChanged } from '../../events/settings.ts';
import type { StreamFold } from '../../folds/streamFold.ts';

/** What was changed at run time, by key. */
export type SettingsState = Readonly<Record<string, SettingValue>>;

export const settingsState: StreamFold<SettingsState> = {
  name: 'settings',
  version: 1,
  initial: {},
  evolve: (state: SettingsState, event: NewEvent) =>
    isEvent(event, configChanged) ? applyChanges(state, event.data.changes) : state,
};

function applyChanges(
  state: SettingsState,
  changes: Readonly<Record<string, SettingValue | null>>,
): SettingsState {
  const next: Record<string, SettingValue> = { ...state };
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) delete next[key];
    else next[key] = value;
  }
  return next;
}
