import { runtimeValues, settingsIn } from '../../../projections/settings/runtimeValues.ts';
import { defineShown } from './shown.ts';

export const shownSettings = defineShown({
  name: 'settings',
  about: 'settings that were changed at run time',
  key: 'setting',
  projection: runtimeValues,
  entries: ({ values }) => Object.entries(values).map(([key, value]) => [key, { value }]),
  keysOf: settingsIn,
});
