import { z } from 'zod';
import { defineEvent, type EventOf } from './definition.ts';

/** A runtime setting's value; `null` puts the setting back to what the environment or the default says. */
const settingValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const configChanged = defineEvent('config:changed', {
  data: z.object({ changes: z.record(z.string(), settingValue) }),
});

export const settingsEvents = [configChanged] as const;

export type SettingsEvent = EventOf<(typeof settingsEvents)[number]>;
