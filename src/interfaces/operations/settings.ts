import { z } from 'zod';
import { changeSettings, settingsStream } from '../../commands/settings/changeSettings.ts';
import { settings as known, type Setting, settingAliases } from '../../config.ts';
import { lazily } from '../../lazily.ts';
import { viewAtTime } from '../../projections/runtime.ts';
import { runtimeValues } from '../../projections/settings/runtimeValues.ts';
import type { Kvstore, OwnState } from '../kvstore.ts';
import { type AnyOperation, type Caller, defineOperation, moment } from '../operation.ts';
import type { RuntimeSettings } from '../runtimeSettings.ts';

const area = 'settings';
const nothing = lazily(() => z.object({}));
const value = lazily(() => z.union([z.string(), z.number(), z.boolean()]));

const settingsView = lazily(() =>
  z.object({
    settings: z.record(
      z.string(),
      z.object({ value: value(), source: z.enum(['default', 'env', 'runtime']), restart: z.boolean() }),
    ),
  }),
);

const changes = lazily(() =>
  z
    .looseObject({})
    .describe('New values by key; null puts a setting back to what the environment or the default says'),
);

interface SettingsDependencies {
  readonly own: Pick<OwnState, 'connected'>;
  readonly kvstore: Pick<Kvstore, 'reachable'>;
  readonly settings: RuntimeSettings;
}

export function settingsOperations({
  own,
  kvstore,
  settings,
}: SettingsDependencies): readonly AnyOperation[] {
  const change = (given: Record<string, unknown>, caller: Caller) =>
    own.connected().runner.run(changeSettings, { changes: given }, caller);
  const settingsAt = async (at: number) => {
    const { store } = kvstore.reachable();
    return settings.viewOf(await viewAtTime(store, runtimeValues, { streams: [settingsStream()] }, at));
  };
  const currentValues = () => Object.fromEntries(settings.keys().map((key) => [key, settings.value(key)]));
  return [
    defineOperation({
      name: 'settings.get',
      area,
      device: 'never',
      summary: 'Every setting with its value and where that comes from',
      description:
        'With `at`, those that had been changed by then as they were; what the environment and the defaults said then ' +
        'is in no log, so the others are as the service was started now.',
      rest: { method: 'GET', path: '/api/settings' },
      input: () => z.object({ at: moment() }),
      output: settingsView,
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      run: ({ at }) => (at === undefined ? settings.view() : settingsAt(at)),
    }),
    defineOperation({
      name: 'settings.schema',
      area,
      device: 'never',
      summary: 'The JSON Schema of settings',
      rest: { method: 'GET', path: '/api/settings/schema' },
      input: nothing,
      output: () =>
        z.looseObject({ type: z.literal('object'), properties: z.record(z.string(), z.unknown()) }),
      errors: [],
      example: { input: {} },
      run: describeSettings,
    }),
    defineOperation({
      name: 'settings.change',
      area,
      device: 'never',
      summary: 'Changes settings while the service runs',
      description:
        'All or nothing. Counts at once, except for settings with `restart`, which count after a restart.',
      rest: { method: 'PUT', path: '/api/settings', isPowerful: true },
      input: changes,
      output: settingsView,
      errors: ['VALIDATION_FAILED', 'KVSTORE_UNAVAILABLE'],
      example: { input: { memoryTokenBudget: 1200 } },
      async run(given, caller) {
        await change(given, caller);
        return settings.view();
      },
    }),
    defineOperation({
      name: 'config.writable',
      area,
      device: 'never',
      summary: 'The settings in their older form: values by key',
      rest: { method: 'GET', path: '/api/config/writable' },
      input: nothing,
      output: () => z.object({ writable: z.array(z.string()), config: z.record(z.string(), value()) }),
      errors: [],
      example: { input: {} },
      run: () => ({ writable: [...settings.keys()], config: currentValues() }),
    }),
    defineOperation({
      name: 'config.change',
      area,
      device: 'never',
      summary: 'Changes settings, in the older form',
      rest: { method: 'PUT', path: '/api/config', isPowerful: true },
      input: changes,
      output: () => z.object({ success: z.literal(true), config: z.record(z.string(), value()) }),
      errors: ['VALIDATION_FAILED', 'KVSTORE_UNAVAILABLE'],
      example: { input: { memoryTokenBudget: 1200 } },
      async run(given, caller) {
        await change(given, caller);
        return { success: true as const, config: currentValues() };
      },
    }),
  ];
}

function describeSettings() {
  const properties = Object.fromEntries(Array.from(known, ([key, setting]) => [key, describe(setting)]));
  for (const [alias, key] of settingAliases) properties[alias] = properties[key] ?? {};
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object' as const,
    additionalProperties: false,
    properties,
  };
}

/** The environment's rules with the JSON type that a change has to have; null takes a change back. */
function describe({ schema, json, about, variable, restart }: Setting): Record<string, unknown> {
  const { $schema: _, ...rules } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  const { $schema: __, ...type } = z.toJSONSchema(json);
  return {
    description: about,
    anyOf: [{ ...type, ...rules }, { type: 'null' }],
    'x-variable': variable,
    'x-restart': restart,
  };
}
