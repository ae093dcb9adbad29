import { z } from 'zod';
import type { ForgottenCaptures } from '../../application/capture/forgetting.ts';
import type { Clock } from '../../clock.ts';
import { pauseCapture, resumeCapture, type WantedConsent } from '../../commands/capture/consent.ts';
import { consentFor, pausedUntil } from '../../folds/capture/questions.ts';
import type { Captures } from '../../folds/capture/state.ts';
import { lazily } from '../../lazily.ts';
import { captures } from '../../projections/capture/captures.ts';
import { consentLevels } from '../../vocabulary.ts';
import type { InContext, ServiceContext } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { type AnyOperation, type Caller, defineOperation, id } from '../operation.ts';

const area = 'capture';
const path = '/api/capture';
const consentLevel = lazily(() => z.enum(consentLevels));
const WEEK_MINUTES = 10_080;
const YEAR_MINUTES = 527_040;
const MINUTE_MS = 60_000;

const consentView = lazily(() =>
  z.object({
    deviceId: z.string(),
    captureConsent: z.object({
      enabled: z.boolean(),
      jurisdiction: z.string(),
      consentGivenAt: z.int().describe('0 where it never was'),
      consentLevel: consentLevel(),
    }),
  }),
);

export interface ConsentParts {
  readonly forget: (caller: Caller, forgetId: string, since: number) => Promise<ForgottenCaptures>;
  readonly changeConsent: (consent: WantedConsent, caller: Caller) => Promise<void>;
  readonly clock: Clock;
}

/** What may be recorded, and when: the user's alone to say, but that a device may pause. */
export function consentOperations(
  inContext: InContext,
  { changeConsent, clock, forget }: ConsentParts,
): readonly AnyOperation[] {
  const shown = async ({ views }: ServiceContext, { userId }: Caller, deviceId: string) =>
    consentToWire(await views.of(captures, userId), deviceId);
  return [
    defineOperation({
      name: 'capture.consent',
      area,
      device: 'never',
      summary: 'What the user allows a device to record',
      rest: { method: 'GET', path: `${path}/consent` },
      input: () => z.object({ deviceId: id() }),
      output: consentView,
      errors: ['CAPTURE_UNAVAILABLE'],
      example: { input: { deviceId: 'kitchen' } },
      run: ({ deviceId }, caller) => inContext((context) => shown(context, caller, deviceId)),
    }),
    defineOperation({
      name: 'capture.setConsent',
      area,
      device: 'never',
      summary: 'Gives, narrows or revokes consent for a device',
      description:
        '`none` nothing; `passive` words only, no media are kept; `active` media wait, sealed, for 24 hours at most, ' +
        'until they are words; `full` media are kept as `storeAudio` of the preferences says. Without consent the ' +
        'streams of the device end at once, and what is not words yet is dropped.',
      rest: { method: 'PUT', path: `${path}/consent` },
      input: () =>
        z.object({
          deviceId: id(),
          enabled: z.boolean(),
          jurisdiction: z.string().max(64).optional().describe('Where it is given, such as DE-BE'),
          consentLevel: consentLevel().optional().describe('As it was; `passive` where there was none'),
        }),
      output: consentView,
      errors: ['CAPTURE_UNAVAILABLE'],
      example: { input: { deviceId: 'kitchen', enabled: true, jurisdiction: 'DE', consentLevel: 'passive' } },
      run: ({ consentLevel: level, ...input }, caller) =>
        inContext(async (context) => {
          await changeConsent({ ...input, level }, caller);
          return shown(context, caller, input.deviceId);
        }),
    }),
    defineOperation({
      name: 'capture.pause',
      area,
      device: 'capture',
      summary: 'Pauses all capture of the user',
      description:
        'For 60 minutes unless said otherwise, whatever restarts or connects again meanwhile. A device may pause, ' +
        'and makes no pause shorter.',
      rest: { method: 'POST', path: `${path}/pause` },
      input: () => z.object({ minutes: z.int().min(1).max(WEEK_MINUTES).default(60) }),
      output: () => z.object({ pausedUntil: z.int().nullable() }),
      errors: ['CAPTURE_UNAVAILABLE'],
      example: { input: { minutes: 60 } },
      run: ({ minutes }, caller) =>
        inContext(async ({ runner, views }) => {
          const by = caller.device ? 'device' : 'user';
          await runner.run(pauseCapture, { minutes, by }, caller);
          return { pausedUntil: pausedUntil(await views.of(captures, caller.userId), clock()) };
        }),
    }),
    defineOperation({
      name: 'capture.resume',
      area,
      device: 'never',
      summary: 'Ends a pause',
      rest: { method: 'POST', path: `${path}/resume` },
      input: () => z.object({}),
      output: () => z.object({ pausedUntil: z.int().nullable() }),
      errors: ['CAPTURE_UNAVAILABLE'],
      example: { input: {}, output: { pausedUntil: null } },
      run: (_input, caller) =>
        inContext(async ({ runner }) => {
          await runner.run(resumeCapture, {}, caller);
          return { pausedUntil: null };
        }),
    }),
    defineOperation({
      name: 'capture.forget',
      area,
      device: 'never',
      summary: 'Forgets the last minutes of what was captured',
      description:
        'What came or was recorded since then, with the episodes that tell of it and what is believed for no other ' +
        'reason. What such an episode tells of the time before stays, in an episode of its own.',
      rest: { method: 'POST', path: `${path}/forget` },
      input: () => z.object({ minutes: z.number().positive().max(YEAR_MINUTES) }),
      output: () => z.object({ segments: z.int(), episodes: z.int(), conclusions: z.int() }),
      errors: ['CAPTURE_UNAVAILABLE', 'MEMORY_CHANGED'],
      example: { input: { minutes: 5 } },
      run: ({ minutes }, caller) =>
        inContext(() => forget(caller, newIdFor(caller), clock() - minutes * MINUTE_MS)),
    }),
  ];
}

function consentToWire(state: Captures, deviceId: string): z.output<ReturnType<typeof consentView>> {
  const {
    enabled = false,
    jurisdiction = '',
    givenAt = 0,
    level = 'none',
  } = consentFor(state, deviceId) ?? {};
  const captureConsent = { enabled, jurisdiction, consentGivenAt: givenAt, consentLevel: level };
  return { deviceId, captureConsent };
}
