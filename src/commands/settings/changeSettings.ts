import { type Setting, type SettingValue, settingAliases, settings } from '../../config.ts';
import { HarkError } from '../../errors.ts';
import { isEvent, type NewEvent } from '../../events/definition.ts';
import { configChanged, type SettingsEvent } from '../../events/settings.ts';
import type { StreamFold } from '../../folds/streamFold.ts';
import { defineCommand } from '../command.ts';

/** What was changed at run time, by key. */
type SettingsState = Readonly<Record<string, SettingValue>>;

const settingsState: StreamFold<SettingsState> = {
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

interface ChangeSettings {
  /** New values by key; `null` puts a setting back to its start value. */
  readonly changes: Readonly<Record<string, unknown>>;
}

interface Issue {
  readonly path: readonly [string];
  readonly message: string;
}

export function settingsStream(): string {
  return 'settings';
}

/** Of a key that is not ours, as much as tells which one it was. */
const MOST_OF_A_KEY = 64;
/** More than there are settings; so many keys that are not ours are not worth a look at each. */
const MOST_CHANGES = 100;

export const changeSettings = defineCommand({
  name: 'settings.change',
  state: settingsState,
  scope: 'system',
  stream: settingsStream,
  /** All or nothing: one unknown key or bad value refuses the whole change, and every one of them is named. */
  decide(state, { changes }: ChangeSettings): SettingsEvent[] {
    if (Object.keys(changes).length > MOST_CHANGES)
      throw new HarkError('VALIDATION_FAILED', {
        body: { issues: [{ path: [], message: `More than ${MOST_CHANGES} settings` }] },
      });
    const issues: Issue[] = [];
    const accepted: Record<string, SettingValue | null> = {};
    for (const [name, value] of Object.entries(changes)) {
      const key = settingAliases.get(name) ?? name;
      const checked = check(name, settings.get(key), value);
      if (typeof checked === 'object' && checked !== null) issues.push(...checked);
      else if (key !== name && changes[key] !== undefined && changes[key] !== value)
        issues.push({ path: [name], message: `must be what ${key} is: they are the same setting` });
      else if ((state[key] ?? null) !== checked) accepted[key] = checked;
    }
    if (issues.length > 0) throw new HarkError('VALIDATION_FAILED', { body: { issues } });
    return Object.keys(accepted).length > 0
      ? [{ type: configChanged.type, data: { changes: accepted } }]
      : [];
  },
});

/** The value as it is to be kept, or what is wrong with it. */
function check(
  name: string,
  setting: Setting | undefined,
  value: unknown,
): SettingValue | null | readonly Issue[] {
  if (!setting) return [{ path: [name.slice(0, MOST_OF_A_KEY)], message: 'Unknown setting' }];
  if (value === null) return null;
  // The environment's text is converted; JSON has types of its own, and they have to be right.
  const json = setting.json.safeParse(value);
  const error = json.success ? setting.schema.safeParse(json.data).error : json.error;
  return error || !json.success
    ? (error?.issues ?? []).map(({ message }) => ({ path: [name] as const, message }))
    : withoutSign(json.data);
}

/** JSON knows no negative zero: it would come back from the log as another value. */
function withoutSign(value: SettingValue): SettingValue {
  return value === 0 ? 0 : value;
}
