import { type Setting, type SettingValue, settings } from '../../config.ts';
import { HarkError } from '../../errors.ts';
import { configChanged, type SettingsEvent } from '../../events/settings.ts';
import { defineCommand } from '../command.ts';
import { settingsState } from './state.ts';

interface ChangeSettings {
  /** New values by key; `null` puts a setting back to its start value. */
  readonly changes: Readonly<Record<string, unknown>>;
}

type Change = readonly [key: string, value: SettingValue | null];

export const changeSettings = defineCommand({
  name: 'settings.change',
  state: settingsState,
  scope: 'system',
  stream: () => 'settings',
  /** All or nothing: one unknown key or bad value refuses the whole change. */
  decide(state, { changes }: ChangeSettings): SettingsEvent[] {
    const checked = Object.entries(changes).map(([key, value]): Change => [key, check(key, value)]);
    const real = checked.filter(([key, value]) => (state[key] ?? null) !== value);
    return real.length > 0 ? [{ type: configChanged.type, data: { changes: Object.fromEntries(real) } }] : [];
  },
});

function check(key: string, value: unknown): SettingValue | null {
  const setting = settings.get(key);
  if (!setting) throw new HarkError('SETTING_UNKNOWN', { message: `Unknown setting: ${key}`, body: { key } });
  return value === null ? null : checkValue(setting, value);
}

function checkValue({ key, schema, json }: Setting, value: unknown): SettingValue {
  // The environment's text is converted; JSON has types of its own, and they have to be right.
  const parsed = json.safeParse(value);
  const issues = parsed.success ? schema.safeParse(parsed.data).error?.issues : parsed.error.issues;
  if (!parsed.success || issues)
    throw new HarkError('VALIDATION_FAILED', {
      body: { issues: issues?.map(({ message }) => ({ path: [key], message })) },
    });
  return parsed.data;
}
