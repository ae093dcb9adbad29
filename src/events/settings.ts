import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { defineEvent, type EventOf } from './definition.ts';

/** A runtime setting's value; `null` puts the setting back to what the environment or the default says. */
const settingValue = lazily(() => z.union([z.string(), z.number(), z.boolean(), z.null()]));

export const configChanged = defineEvent('config:changed', {
  data: () => z.object({ changes: z.record(z.string(), settingValue()) }),
});

const preferences = lazily(() =>
  z.object({
    storeTranscripts: z.boolean().exactOptional(),
    storeAudio: z.boolean().exactOptional(),
    /** False: nothing is remembered of what is said from then on. */
    persistMemory: z.boolean().exactOptional(),
    language: z.string().exactOptional(),
    voice: z.string().exactOptional(),
    timezone: z.string().exactOptional(),
    locale: z.string().exactOptional(),
  }),
);
export type Preferences = z.output<ReturnType<typeof preferences>>;

/** The preferences of one user that changed, with what they are now. */
export const preferencesChanged = defineEvent('settings.preferences.changed', {
  data: () => z.object({ preferences: preferences() }),
});

/** What one user chose, in their order. */
export function userStream(userId: string): string {
  return `user-${userId}`;
}

export const settingsEvents = [configChanged, preferencesChanged] as const;

export type SettingsEvent = EventOf<(typeof settingsEvents)[number]>;
