import { type Config, type SettingValue, settings } from '../../config.ts';
import { isEvent } from '../../events/definition.ts';
import { configChanged } from '../../events/settings.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { defineProjection } from '../projection.ts';

interface RuntimeValues {
  /** Another object whenever a value changes, so that what was drawn from it can be kept until then. */
  values: Readonly<Record<string, SettingValue>>;
}

/** The settings that were changed at run time, with their newest values. */
export const runtimeValues = defineProjection({
  name: 'settings.runtimeValues',
  version: 1,
  handles: [configChanged],
  initial: (): RuntimeValues => ({ values: {} }),
  apply(state, { data }) {
    const values = { ...state.values };
    for (const [key, value] of Object.entries(data.changes)) {
      if (value === null) delete values[key];
      else values[key] = value;
    }
    state.values = values;
  },
});

/** The settings that an event of this projection has to do with. */
export function settingsIn(event: StoredEvent): readonly string[] {
  return isEvent(event, configChanged) ? Object.keys(event.data.changes) : [];
}

export interface EffectiveSetting {
  readonly value: SettingValue;
  readonly source: 'default' | 'env' | 'runtime';
  /** Whether a change is only felt after a restart of what uses it. */
  readonly restart: boolean;
}

/** Every setting as it counts now: changed at run time, else from the environment, else by default. */
export function effectiveSettings(
  config: Config,
  { values }: RuntimeValues,
): Record<string, EffectiveSetting> {
  return Object.fromEntries(
    Array.from(settings, ([key, { restart, startValue, variable }]) => {
      const changed = values[key];
      if (changed !== undefined) return [key, { value: changed, source: 'runtime', restart }];
      const source = config.fromEnvironment.has(variable) ? 'env' : 'default';
      return [key, { value: startValue(config), source, restart }];
    }),
  );
}
