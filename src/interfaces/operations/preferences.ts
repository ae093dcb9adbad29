import { z } from 'zod';
import type { TimeHabits } from '../../application/timeHabits.ts';
import { changePreferences } from '../../commands/settings/changePreferences.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { userViewAt } from '../../projections/runtime.ts';
import { preferences } from '../../projections/settings/preferences.ts';
import { isLocale, isZone } from '../../zonedTime.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, type Caller, defineOperation, id, moment } from '../operation.ts';

const area = 'settings';
const path = '/api/users/:userId/preferences';

export const choices = lazily(() =>
  z.object({
    storeTranscripts: z
      .boolean()
      .describe('False: the words of a conversation are erased when it ends; what memory made of them stays'),
    storeAudio: z.boolean().describe('Whether recorded audio is kept. Audio is recorded only with consent'),
    persistMemory: z.boolean().describe('False: no episode, conclusion or entity is made of what is said'),
    language: z
      .string()
      .min(2)
      .max(35)
      .refine(isLocale, 'must be a language tag, such as de or en-GB')
      .describe('The assistant answers in it; in the language of the message while it was not chosen'),
    voice: z.string().min(1).max(100).describe('The voice in which replies are spoken'),
    timezone: z
      .string()
      .max(64)
      .refine(isZone, 'must be an IANA time zone')
      .describe('IANA zone in which times are read and told; that of the service when it was not chosen'),
    locale: z
      .string()
      .max(64)
      .refine(isLocale, 'must be a locale, such as en-GB')
      .describe('Decides how dates are written, and in which language; that of the service likewise'),
  }),
);
const output = lazily(() => choices().extend({ userId: z.string() }));

/** What a user wants to have kept of them, and how they want to be spoken to. */
export function preferenceOperations(kvstore: Kvstore, ofService: () => TimeHabits): readonly AnyOperation[] {
  const read = async ({ userId }: Caller, time?: number) => {
    const { store, views } = kvstore.reachable();
    const { effective } = await (time === undefined
      ? views.of(preferences, userId)
      : userViewAt(store, preferences, userId, { time }));
    return { userId, ...ofService(), ...effective };
  };
  return [
    defineOperation({
      name: 'preferences.get',
      area,
      device: 'trust2',
      summary: "A user's preferences; `me` is whoever asks",
      rest: { method: 'GET', path },
      input: () => z.object({ userId: id(), at: moment() }),
      output,
      errors: ['NOT_FOUND', 'KVSTORE_UNAVAILABLE'],
      example: { input: { userId: 'default' } },
      run({ userId, at }, caller) {
        refuseOthers(userId, caller);
        return read(caller, at);
      },
    }),
    defineOperation({
      name: 'preferences.change',
      area,
      device: 'never',
      summary: "Changes a user's preferences, or those of whoever asks (`me`); what is not given stays",
      rest: { method: 'PUT', path, strict: true },
      input: () => choices().partial().extend({ userId: id() }),
      output,
      errors: ['NOT_FOUND', 'KVSTORE_UNAVAILABLE'],
      example: { input: { userId: 'default', language: 'en' } },
      async run({ userId, ...changes }, caller) {
        refuseOthers(userId, caller);
        await kvstore.connected().runner.run(changePreferences, { preferences: changes }, caller);
        return read(caller);
      },
    }),
  ];
}

/** Whoever asks: a page need not know whose name the service has for those who give none. */
const ASKER = 'me';

/** That there is another user is nobody else's business. */
function refuseOthers(userId: string, caller: Caller): void {
  if (userId !== ASKER && userId !== caller.userId) throw new HarkError('NOT_FOUND');
}
