import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import { type CaptureDataOf, type CaptureEvent, captureStream } from '../../events/capture.ts';
import {
  isOfPause,
  isRunning,
  openBatch,
  runningStreams,
  silentFrom,
} from '../../folds/capture/questions.ts';
import type { Captures, CapturingStream } from '../../folds/capture/state.ts';
import type { CaptureModality } from '../../vocabulary.ts';
import type { Command } from '../command.ts';
import { defineCaptureCommand } from './consent.ts';
import { type CaptureGate, captureGate, type Starting } from './gate.ts';

export interface StartStream extends Starting {
  readonly streamId: string;
  readonly userId: string;
  readonly modalities: readonly CaptureModality[];
}

type Masked = CaptureDataOf<'capture.segment.kept'>['masked'];

/** Words as they are written: what must not be is masked by now. */
export interface MaskedWords {
  readonly text: string;
  readonly masked: Masked;
  readonly described: boolean;
}

type Dropped = CaptureDataOf<'capture.segment.dropped'>['because'];

export interface TakeSegment
  extends Pick<
    CaptureDataOf<'capture.segment.kept'>,
    'streamId' | 'segmentId' | 'modality' | 'speaker' | 'startedAt' | 'durationMs' | 'bytes'
  > {
  /** When it reached the service: what was forgotten since does not come in by it. */
  readonly arrivedAt: number;
  readonly content:
    | ({ readonly is: 'words' } & MaskedWords)
    | ({ readonly is: 'media' } & Pick<
        CaptureDataOf<'capture.segment.sealed'>,
        'mimeType' | 'until' | 'keeps'
      >)
    | { readonly is: 'nothing'; readonly because: Dropped };
}

const MOST_RUNNING = 16;
const MOST_MEDIA = 10_000;

/** What needs the gate. A test takes that out, and sees what comes of it. */
export function gatedCommands(gate: CaptureGate): {
  readonly startStream: Command<StartStream, Captures>;
  readonly takeSegment: Command<TakeSegment, Captures>;
} {
  const startStream = defineCaptureCommand<StartStream>({
    name: 'capture.startStream',
    decide(state, { streamId, userId, deviceId, modalities, mode, by }, { now }): CaptureEvent[] {
      if (entryOf(state.streams, streamId)) return [];
      const { version, level } = gate.mayStart(state, { deviceId, mode, by }, now);
      if (runningStreams(state).filter((one) => one.deviceId === deviceId).length >= MOST_RUNNING)
        throw new HarkError('CAPTURE_STREAMS_TOO_MANY');
      const consentEventId = consentEventIdOf(userId, version);
      const data = { streamId, deviceId, modalities, mode, consentEventId, level, by };
      return [{ type: 'capture.stream.started', data }];
    },
  });

  const takeSegment = defineCaptureCommand<TakeSegment>({
    name: 'capture.takeSegment',
    decide(state, input, { now, newId }): CaptureEvent[] {
      const stream = gate.mayTake(state, input.streamId, now);
      const { arrivedAt, content, ...segment } = input;
      if (!stream.modalities.includes(segment.modality))
        throw new HarkError('VALIDATION_FAILED', {
          body: { issues: [{ path: ['modality'], message: 'is none of this stream' }] },
        });
      const because = whyDropped(state, stream, input);
      if (because !== undefined || content.is === 'nothing') {
        const { streamId, segmentId } = segment;
        const reason = because ?? (content.is === 'nothing' ? content.because : 'no-words');
        return [{ type: 'capture.segment.dropped', data: { streamId, segmentId, because: reason } }];
      }
      if (content.is === 'words')
        return [
          { type: 'capture.segment.kept', data: { ...segment, ...wordsFor(state, stream, content, newId) } },
        ];
      if (Object.keys(state.media).length >= MOST_MEDIA)
        throw new HarkError('STORAGE_FULL', { message: `${MOST_MEDIA} segments wait already` });
      const { is: _, ...media } = content;
      return [{ type: 'capture.segment.sealed', data: { ...segment, ...media } }];
    },
  });

  return { startStream, takeSegment };
}

export const { startStream, takeSegment } = gatedCommands(captureGate);

/** As the envelope has it. */
export function consentEventIdOf(userId: string, version: number): string {
  return `${captureStream(userId)}@${version}`;
}

function whyDropped(
  state: Captures,
  { consentLevel }: CapturingStream,
  { arrivedAt, content, ...segment }: TakeSegment,
): Dropped | undefined {
  if (arrivedAt < state.forgottenAt) return 'forgotten';
  if (isOfPause(state, segment)) return 'while-paused';
  if (content.is === 'words' && content.text.trim() === '') return 'no-words';
  // It was narrowed while this came.
  if (content.is === 'media' && consentLevel !== 'active' && consentLevel !== 'full') return 'not-allowed';
  return undefined;
}

/** With the episode that they are to become. */
function wordsFor(
  state: Captures,
  { streamId, mode }: Pick<CapturingStream, 'streamId' | 'mode'>,
  { text, masked, described }: MaskedWords,
  newId: () => string,
) {
  return {
    episodeId: openBatch(state, streamId)?.episodeId ?? newId(),
    ...(mode === 'ambient' ? { summarizedOnly: true as const } : {}),
    ...(described ? { described: true as const } : {}),
    masked,
    text,
  };
}

interface StopStream {
  readonly streamId: string;
  readonly because: 'asked' | 'silent';
  /** A device stops its own. */
  readonly deviceId?: string | undefined;
}

export const stopStream = defineCaptureCommand<StopStream>({
  name: 'capture.stopStream',
  decide(state, { streamId, because, deviceId }, { now }): CaptureEvent[] {
    const stream = entryOf(state.streams, streamId);
    const isThere = stream !== undefined && isRunning(stream);
    if (because === 'silent' && (!isThere || silentFrom(state, stream) > now)) return [];
    if (!isThere || (deviceId !== undefined && stream.deviceId !== deviceId))
      throw new HarkError('CAPTURE_STREAM_UNKNOWN', { body: { streamId } });
    return [{ type: 'capture.stream.stopped', data: { streamId, because } }];
  },
});

/** A device that may nothing any more captures nothing any more. */
export const stopDevice = defineCaptureCommand<{ readonly deviceId: string }>({
  name: 'capture.stopDevice',
  decide: (state, { deviceId }): CaptureEvent[] =>
    runningStreams(state)
      .filter((one) => one.deviceId === deviceId)
      .map(({ streamId }) => ({
        type: 'capture.stream.stopped',
        data: { streamId, because: 'device-gone' },
      })),
});

interface Transcribe extends MaskedWords {
  readonly segmentId: string;
}

/** Media that waited are words now; or there are none in them. */
export const transcribeMedia = defineCaptureCommand<Transcribe>({
  name: 'capture.transcribeMedia',
  decide(state, { segmentId, ...words }, { newId }): CaptureEvent[] {
    const media = entryOf(state.media, segmentId);
    if (!media?.waits) return [];
    const { streamId } = media;
    const stream = entryOf(state.streams, streamId);
    if (!stream || words.text.trim() === '')
      return [{ type: 'capture.segment.dropped', data: { streamId, segmentId, because: 'no-words' } }];
    const data = { streamId, segmentId, ...wordsFor(state, stream, words, newId) };
    return [{ type: 'capture.segment.transcribed', data }];
  },
});

interface DropMedia {
  readonly segmentIds: readonly string[];
  readonly because: 'not-in-time' | 'opted-out';
}

/** What did not become words while it might have. */
export const dropMedia = defineCaptureCommand<DropMedia>({
  name: 'capture.dropMedia',
  decide: ({ media }, { segmentIds, because }): CaptureEvent[] =>
    segmentIds.flatMap((segmentId) => {
      const segment = entryOf(media, segmentId);
      if (!segment) return [];
      const { streamId } = segment;
      return [{ type: 'capture.segment.dropped', data: { streamId, segmentId, because } }];
    }),
});

interface EraseMedia {
  readonly because: CaptureDataOf<'capture.media.erased'>['because'];
  /** Those of these episodes; else all, or those whose time is over. */
  readonly episodeIds?: readonly string[];
}

/** Files that were to be kept go with what they are of. */
export const eraseMedia = defineCaptureCommand<EraseMedia>({
  name: 'capture.eraseMedia',
  decide({ media }, { because, episodeIds }, { now }): CaptureEvent[] {
    const segmentIds = Object.values(media)
      .filter(({ until, episodeId }) => {
        if (because === 'expired') return until <= now;
        return because === 'memory-erased' || (episodeId !== null && episodeIds?.includes(episodeId));
      })
      .map(({ segmentId }) => segmentId);
    return segmentIds.length === 0 ? [] : [{ type: 'capture.media.erased', data: { segmentIds, because } }];
  },
});
