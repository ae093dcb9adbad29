import { z } from 'zod';
import { outOfScope } from '../../application/deviceScope.ts';
import type { Clock } from '../../clock.ts';
import { consentEventIdOf, startStream, stopStream } from '../../commands/capture/streams.ts';
import { HarkError } from '../../errors.ts';
import { isRunning, pausedUntil, silentFrom } from '../../folds/capture/questions.ts';
import type { Captures, CapturingStream } from '../../folds/capture/state.ts';
import { lazily } from '../../lazily.ts';
import { captures } from '../../projections/capture/captures.ts';
import { captureModalities, captureModes, consentLevels } from '../../vocabulary.ts';
import type { InContext } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { type AnyOperation, defineOperation, id } from '../operation.ts';

const area = 'capture';
const path = '/api/capture';
const modality = lazily(() => z.enum(captureModalities));
const captureMode = lazily(() => z.enum(captureModes));
const consentLevel = lazily(() => z.enum(consentLevels));

const streamView = lazily(() =>
  z.object({
    streamId: z.string(),
    deviceId: z.string(),
    modalities: z.array(modality()).readonly(),
    captureMode: captureMode(),
    state: z.enum(['active', 'paused', 'stopped']),
    startedAt: z.int(),
    stoppedAt: z.int().nullable(),
    stoppedBecause: z.string().nullable(),
    consentLevel: consentLevel(),
    consentEventId: z.string().describe('The event of the log on which it stands'),
    answerable: z.boolean().describe('Whether anybody may answer what is said in it'),
    segments: z.int(),
    bytes: z.int(),
  }),
);

/** Streams begin, end and are shown. */
export function streamOperations(inContext: InContext, clock: Clock): readonly AnyOperation[] {
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
      input: () =>
        z.object({
          deviceId: id(),
          modalities: z
            .array(modality())
            .min(1)
            .max(captureModalities.length)
            .transform((all) => [...new Set(all)]),
          captureMode: captureMode().default('active-participant'),
        }),
      output: () =>
        z.object({
          streamId: z.string(),
          state: z.literal('active'),
          correlationId: z.string(),
          consentLevel: consentLevel(),
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
      input: () => z.object({ streamId: id() }),
      output: () =>
        z.object({
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
      input: () => z.object({}),
      output: () =>
        z.object({
          streams: z.array(streamView()),
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
  ];
}

function streamToWire(
  state: Captures,
  stream: CapturingStream,
  userId: string,
  now: number,
): z.output<ReturnType<typeof streamView>> {
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
