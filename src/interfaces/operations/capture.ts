import { z } from 'zod';
import type { ForgottenCaptures } from '../../application/capture/forgetting.ts';
import { type Segment, type SegmentIntake, tooLarge } from '../../application/capture/intake.ts';
import type { SegmentMaterial } from '../../application/capture/ports.ts';
import { outOfScope } from '../../application/deviceScope.ts';
import type { Clock } from '../../clock.ts';
import { pauseCapture, resumeCapture, type WantedConsent } from '../../commands/capture/consent.ts';
import { consentEventIdOf, startStream, stopStream } from '../../commands/capture/streams.ts';
import { HarkError } from '../../errors.ts';
import {
  type Captures,
  type CapturingStream,
  consentFor,
  isRunning,
  pausedUntil,
  silentFrom,
} from '../../folds/capture/captures.ts';
import { captures } from '../../projections/capture/captures.ts';
import { captureModalities, captureModes, consentLevels } from '../../vocabulary.ts';
import type { Kvstore, ServiceContext } from '../kvstore.ts';
import { whileThere } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { type AnyOperation, type Caller, defineOperation, id } from '../operation.ts';

const area = 'capture';
const path = '/api/capture';
const modality = z.enum(captureModalities);
const captureMode = z.enum(captureModes);
const consentLevel = z.enum(consentLevels);

const consentView = z.object({
  deviceId: z.string(),
  captureConsent: z.object({
    enabled: z.boolean(),
    jurisdiction: z.string(),
    consentGivenAt: z.int().describe('0 where it never was'),
    consentLevel,
  }),
});

const streamView = z.object({
  streamId: z.string(),
  deviceId: z.string(),
  modalities: z.array(modality).readonly(),
  captureMode,
  state: z.enum(['active', 'paused', 'stopped']),
  startedAt: z.int(),
  stoppedAt: z.int().nullable(),
  stoppedBecause: z.string().nullable(),
  consentLevel,
  consentEventId: z.string().describe('The event of the log on which it stands'),
  answerable: z.boolean().describe('Whether anybody may answer what is said in it'),
  segments: z.int(),
  bytes: z.int(),
});

/** So much as base64, with what stands around it. */
const MOST_BODY_BYTES = 1_572_864;
const MOST_CONTENT = 1_500_000;
const MOST_TEXT = 20_000;
const MOST_VALUES = 65_536;
const LONGEST_SEGMENT_MS = 60 * 60_000;
const WEEK_MINUTES = 10_080;
const YEAR_MINUTES = 527_040;
const MINUTE_MS = 60_000;

const segmentInput = z.object({
  streamId: id,
  modality,
  startedAt: z.int().nonnegative(),
  durationMs: z.int().nonnegative().max(LONGEST_SEGMENT_MS),
  speaker: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^[\p{L}\p{N} ._-]+$/u, 'must be letters, digits, spaces, dots, _ or -')
    .optional()
    .describe('`user`, or what else to call who speaks: nothing of theirs becomes a belief about the user'),
  mimeType: z.string().min(1).max(100).optional(),
  content: z.string().optional().describe('Base64 of up to 1 MB of audio, or of a picture for `video`'),
  text: z.string().max(MOST_TEXT).optional().describe('Words, taken as they are'),
  values: z.array(z.number()).max(MOST_VALUES).optional().describe('Of `neural`'),
});

interface CaptureParts {
  readonly intake: Pick<SegmentIntake, 'take'>;
  readonly forget: (caller: Caller, forgetId: string, since: number) => Promise<ForgottenCaptures>;
  readonly changeConsent: (consent: WantedConsent, caller: Caller) => Promise<void>;
  readonly clock: Clock;
}

/** What is recorded around the user, and with whose consent. */
export function captureOperations(kvstore: Kvstore, parts: CaptureParts): readonly AnyOperation[] {
  const inContext = <Result>(work: (context: ServiceContext) => Promise<Result>) =>
    whileThere(kvstore, 'CAPTURE_UNAVAILABLE', work);
  return [...consentOperations(inContext, parts), ...streamOperations(inContext, parts)];
}

type InContext = <Result>(work: (context: ServiceContext) => Promise<Result>) => Promise<Result>;

function consentOperations(
  inContext: InContext,
  { changeConsent, clock, forget }: CaptureParts,
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
      input: z.object({ deviceId: id }),
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
      input: z.object({
        deviceId: id,
        enabled: z.boolean(),
        jurisdiction: z.string().max(64).optional().describe('Where it is given, such as DE-BE'),
        consentLevel: consentLevel.optional().describe('As it was; `passive` where there was none'),
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
      input: z.object({ minutes: z.int().min(1).max(WEEK_MINUTES).default(60) }),
      output: z.object({ pausedUntil: z.int().nullable() }),
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
      input: z.object({}),
      output: z.object({ pausedUntil: z.int().nullable() }),
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
      input: z.object({ minutes: z.number().positive().max(YEAR_MINUTES) }),
      output: z.object({ segments: z.int(), episodes: z.int(), conclusions: z.int() }),
      errors: ['CAPTURE_UNAVAILABLE', 'MEMORY_CHANGED'],
      example: { input: { minutes: 5 } },
      run: ({ minutes }, caller) =>
        inContext(() => forget(caller, newIdFor(caller), clock() - minutes * MINUTE_MS)),
    }),
  ];
}

function streamOperations(inContext: InContext, { intake, clock }: CaptureParts): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'capture.start',
      area,
      device: 'capture',
      summary: 'Starts a capture stream of a device',
      description:
        'Consent is looked at first. A device starts its own; below the level `full`, by itself it starts ' +
        '`active-participant` streams alone. A stream that brings nothing for 60 seconds is stopped.',
      rest: { method: 'POST', path: `${path}/start`, status: 201 },
      input: z.object({
        deviceId: id,
        modalities: z
          .array(modality)
          .min(1)
          .max(captureModalities.length)
          .transform((all) => [...new Set(all)]),
        captureMode: captureMode.default('active-participant'),
      }),
      output: z.object({
        streamId: z.string(),
        state: z.literal('active'),
        correlationId: z.string(),
        consentLevel,
        consentEventId: z.string(),
      }),
      errors: [
        'CONSENT_MISSING',
        'CAPTURE_PAUSED',
        'DEVICE_SCOPE',
        'CAPTURE_STREAMS_TOO_MANY',
        'CAPTURE_UNAVAILABLE',
      ],
      example: { input: { deviceId: 'kitchen', modalities: ['audio'] } },
      run: ({ deviceId, modalities, captureMode: mode }, caller) =>
        inContext(async ({ runner, views }) => {
          if (caller.device && caller.device.deviceId !== deviceId) throw outOfScope();
          const { userId, correlationId } = caller;
          const streamId = newIdFor(caller);
          const by = caller.device ? ('device' as const) : ('user' as const);
          await runner.run(startStream, { streamId, userId, deviceId, modalities, mode, by }, caller);
          const stream = (await views.of(captures, userId)).streams[streamId];
          if (!stream) throw new HarkError('CAPTURE_STREAM_UNKNOWN');
          const { consentLevel: level, consentVersion } = stream;
          const consentEventId = consentEventIdOf(userId, consentVersion);
          return { streamId, state: 'active' as const, correlationId, consentLevel: level, consentEventId };
        }),
    }),
    defineOperation({
      name: 'capture.stop',
      area,
      device: 'capture',
      summary: 'Stops a capture stream',
      description: 'Its words become an episode then.',
      rest: { method: 'POST', path: `${path}/stop` },
      input: z.object({ streamId: id }),
      output: z.object({
        streamId: z.string(),
        state: z.literal('stopped'),
        stoppedAt: z.int(),
        durationMs: z.int(),
      }),
      errors: ['CAPTURE_STREAM_UNKNOWN', 'CAPTURE_UNAVAILABLE'],
      example: { input: { streamId: 'unknown' } },
      run: ({ streamId }, caller) =>
        inContext(async ({ runner, views }) => {
          const deviceId = caller.device?.deviceId;
          await runner.run(stopStream, { streamId, because: 'asked', deviceId }, caller);
          const stream = (await views.of(captures, caller.userId)).streams[streamId];
          const { startedAt = clock(), stoppedAt } = stream ?? {};
          const at = stoppedAt ?? clock();
          return { streamId, state: 'stopped' as const, stoppedAt: at, durationMs: at - startedAt };
        }),
    }),
    defineOperation({
      name: 'capture.streams',
      area,
      device: 'capture',
      summary: 'The capture streams of the user, newest first',
      description: 'Those that run, and the hundred that stopped last. A device is shown its own.',
      rest: { method: 'GET', path: `${path}/streams` },
      input: z.object({}),
      output: z.object({
        streams: z.array(streamView),
        count: z.int(),
        pausedUntil: z.int().nullable(),
      }),
      errors: ['CAPTURE_UNAVAILABLE'],
      example: { input: {} },
      run: (_input, { userId, device }) =>
        inContext(async ({ views }) => {
          const state = await views.of(captures, userId);
          const now = clock();
          const streams = Object.values(state.streams)
            .filter(({ deviceId }) => device === undefined || deviceId === device.deviceId)
            .sort((one, other) => other.startedAt - one.startedAt)
            .map((stream) => streamToWire(state, stream, userId, now));
          return { streams, count: streams.length, pausedUntil: pausedUntil(state, now) };
        }),
    }),
    defineOperation({
      name: 'capture.segment',
      area,
      device: 'capture',
      summary: 'Brings a segment of what is recorded',
      description:
        'One of `text`, `content` with its `mimeType`, or `values`. `waiting`: sealed, until it is words; `done`: all ' +
        'that may be kept is kept; `dropped`: nothing is. At the level `passive` media are 503 while nothing here ' +
        'turns them into words. Secrets, card numbers and id numbers are masked before anything is written.',
      rest: {
        method: 'POST',
        path: `${path}/streams/:streamId/segments`,
        status: 202,
        mostBodyBytes: MOST_BODY_BYTES,
      },
      input: segmentInput,
      output: z.object({ segmentId: z.string(), state: z.enum(['waiting', 'done', 'dropped']) }),
      errors: [
        'CAPTURE_STREAM_UNKNOWN',
        'CAPTURE_STREAM_STOPPED',
        'CAPTURE_PAUSED',
        'CONSENT_MISSING',
        'DEVICE_SCOPE',
        'CONTENT_TOO_LARGE',
        'SEGMENT_TYPE_WRONG',
        'CAPTURE_NOT_UNDERSTOOD',
        'CAPTURE_UNAVAILABLE',
        'STORAGE_FULL',
      ],
      example: {
        input: { streamId: 'unknown', modality: 'audio', startedAt: 0, durationMs: 1_000, text: 'Hello' },
      },
      run: (input, caller) =>
        inContext(() => intake.take(segmentOf(input, newIdFor(caller)), caller, caller.device?.deviceId)),
    }),
  ];
}

function consentToWire(state: Captures, deviceId: string): z.output<typeof consentView> {
  const {
    enabled = false,
    jurisdiction = '',
    givenAt = 0,
    level = 'none',
  } = consentFor(state, deviceId) ?? {};
  const captureConsent = { enabled, jurisdiction, consentGivenAt: givenAt, consentLevel: level };
  return { deviceId, captureConsent };
}

function streamToWire(
  state: Captures,
  stream: CapturingStream,
  userId: string,
  now: number,
): z.output<typeof streamView> {
  const { streamId, deviceId, modalities, mode, startedAt, stoppedAt, stoppedBecause } = stream;
  const { segments, bytes, consentLevel: level, consentVersion } = stream;
  const isOver = !isRunning(stream) || silentFrom(state, stream) <= now;
  const isResting = pausedUntil(state, now) !== null;
  return {
    ...{ streamId, deviceId, modalities, captureMode: mode, startedAt, stoppedAt, stoppedBecause },
    state: isOver ? 'stopped' : isResting ? 'paused' : 'active',
    consentLevel: level,
    consentEventId: consentEventIdOf(userId, consentVersion),
    answerable: mode === 'active-participant',
    ...{ segments, bytes },
  };
}

function segmentOf(
  { text, content, mimeType, values, ...facts }: z.output<typeof segmentInput>,
  segmentId: string,
): Segment {
  const { modality: by } = facts;
  const given = [text, content, values].filter((one) => one !== undefined);
  if (given.length !== 1) throw invalid('text', 'exactly one of text, content and values is needed');
  if (text !== undefined) return { ...facts, segmentId, material: { is: 'text', text } };
  if (values !== undefined) {
    if (by !== 'neural') throw invalid('values', 'are of the modality neural');
    return { ...facts, segmentId, material: { is: 'values', values } };
  }
  if (by === 'neural') throw invalid('content', 'is of the modalities audio and video');
  if (mimeType === undefined) throw invalid('mimeType', 'is needed with content');
  return { ...facts, segmentId, material: mediaOf(content ?? '', mimeType) };
}

const BASE64_SIGNS = 4;
const BASE64_BYTES = 3;

function mediaOf(content: string, mimeType: string): SegmentMaterial {
  if (content.length > MOST_CONTENT) throw tooLarge();
  const bytes = Buffer.from(content, 'base64');
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0;
  const expected = Math.floor(((content.length - padding) * BASE64_BYTES) / BASE64_SIGNS);
  if (bytes.length !== expected) throw invalid('content', 'must be base64');
  return { is: 'media', bytes, mimeType };
}

function invalid(field: string, message: string): HarkError {
  return new HarkError('VALIDATION_FAILED', { body: { issues: [{ path: [field], message }] } });
}
