import type { Clock } from '../../clock.ts';
import { captureGate } from '../../commands/capture/gate.ts';
import { type TakeSegment, takeSegment } from '../../commands/capture/streams.ts';
import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import { HarkError } from '../../errors.ts';
import { captureStream } from '../../events/capture.ts';
import { capturesState } from '../../folds/capture/captures.ts';
import type { Captures, CapturingStream } from '../../folds/capture/state.ts';
import { maskSecrets } from '../../language/masking.ts';
import { letGo } from '../../letGo.ts';
import type { UserViews } from '../../projections/runtime.ts';
import { preferences } from '../../projections/settings/preferences.ts';
import type { CaptureModality } from '../../vocabulary.ts';
import { outOfScope } from '../deviceScope.ts';
import { mediaType } from './mediaTypes.ts';
import type { MediaFiles, SegmentMaterial, WordEngines } from './ports.ts';

export interface Segment {
  readonly streamId: string;
  readonly segmentId: string;
  readonly modality: CaptureModality;
  readonly startedAt: number;
  readonly durationMs: number;
  /** The user in a stream that they take part in, else a visitor. */
  readonly speaker?: string | undefined;
  /** Taken over: whoever brings bytes reads them no more. */
  readonly material: SegmentMaterial;
}

interface Sender extends CommandContext {
  readonly signal: AbortSignal;
}

interface TakenSegment {
  readonly segmentId: string;
  readonly state: 'waiting' | 'done' | 'dropped';
}

interface IntakeOptions {
  /** Throws while the log is away: then nothing is taken. */
  readonly context: () => { readonly runner: CommandRunner; readonly views: UserViews };
  readonly files: MediaFiles;
  readonly engines: WordEngines;
  readonly clock: Clock;
  readonly retentionMs: () => number;
}

const MOST_BYTES = 1_048_576;
const WAITS_MS = 24 * 60 * 60_000;
const AT_ONCE_MS = 30_000;
const SAMPLE_BYTES = 8;

type Content = TakeSegment['content'];

/**
 * Takes what is recorded, whatever carried it here. The gate is asked before anything is done with it, and again when
 * what has become of it is written: whatever changed in between, nothing is kept that is not allowed then.
 */
export class SegmentIntake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** A device brings what it has by its own streams alone. */
  async take(segment: Segment, sender: Sender, deviceId?: string): Promise<TakenSegment> {
    const { context, clock } = this.#options;
    const { userId } = sender;
    const arrivedAt = clock();
    const { runner } = context();
    const state = await runner.read<Captures>(capturesState, captureStream(userId), userId);
    const stream = captureGate.mayTake(state, segment.streamId, arrivedAt);
    if (deviceId !== undefined && deviceId !== stream.deviceId) throw outOfScope();
    const { consentLevel, mode } = stream;
    const bytes = sizeOf(segment.material);
    if (bytes > MOST_BYTES) throw tooLarge();
    const content = await this.#contentOf(segment, { consentLevel }, sender);
    const { material: _, speaker = usualSpeaker(segment, mode), ...facts } = segment;
    const { segmentId } = segment;
    try {
      const input = { ...facts, speaker, bytes, arrivedAt, content };
      const { appended } = await runner.run(takeSegment, input, sender);
      const isDropped = appended.some(({ type }) => type === 'capture.segment.dropped');
      return { segmentId, state: isDropped ? 'dropped' : outcome(content, segment) };
    } finally {
      if (content.is === 'media') await this.#removeUnlessLive(userId, segmentId);
    }
  }

  /** Of what was refused after all, or had been words before it was brought again, no file stays. */
  async #removeUnlessLive(userId: string, segmentId: string): Promise<void> {
    const { context, files } = this.#options;
    const isLive = await context()
      .runner.read<Captures>(capturesState, captureStream(userId), userId)
      .then(({ media }) => Object.hasOwn(media, segmentId))
      // What cannot be known is found by the next sweep.
      .catch(() => true);
    if (!isLive) await files.remove(userId, [segmentId]);
  }

  async #contentOf(
    segment: Segment,
    { consentLevel }: Pick<CapturingStream, 'consentLevel'>,
    sender: Pick<Sender, 'userId' | 'correlationId' | 'signal'>,
  ): Promise<Content> {
    const { context, clock, retentionMs } = this.#options;
    const { material, modality, segmentId } = segment;
    const media = material.is === 'media' ? checked(modality, material) : material;
    const { effective } = await context().views.of(preferences, sender.userId);
    if (!effective.persistMemory || !effective.storeTranscripts)
      return { is: 'nothing', because: 'opted-out' };
    if (media.is === 'text') return wordsOf(media.text, false);
    const isKept = consentLevel === 'active' || consentLevel === 'full';
    if (!isKept && media.is === 'values') return { is: 'nothing', because: 'not-allowed' };
    if (!isKept) return this.#atOnce(segment, media, sender);
    const keeps = consentLevel === 'full' && effective.storeAudio;
    const bytes = media.is === 'media' ? media.bytes : samplesOf(media.values);
    await this.#options.files.write(sender.userId, segmentId, bytes);
    letGo(bytes);
    const mimeType = media.is === 'media' ? media.mimeType : 'application/octet-stream';
    return { is: 'media', mimeType, keeps, until: clock() + (keeps ? retentionMs() : WAITS_MS) };
  }

  /** Words only: what cannot be words now is refused. */
  async #atOnce(
    { modality }: Segment,
    media: Exclude<SegmentMaterial, { readonly is: 'text' }>,
    { userId, correlationId, signal }: Pick<Sender, 'userId' | 'correlationId' | 'signal'>,
  ): Promise<Content> {
    const engine = engineFor(this.#options.engines, modality);
    if (media.is !== 'media' || !engine || !(await engine.isAvailable()))
      throw new HarkError('CAPTURE_NOT_UNDERSTOOD');
    const within = AbortSignal.any([signal, AbortSignal.timeout(AT_ONCE_MS)]);
    try {
      const words = await engine.wordsOf(media, { userId, correlationId, signal: within });
      return wordsOf(words, modality === 'video');
    } catch (cause) {
      signal.throwIfAborted();
      throw new HarkError('CAPTURE_NOT_UNDERSTOOD', { cause });
    }
  }
}

export function engineFor({ audio, video }: WordEngines, modality: CaptureModality) {
  if (modality === 'neural') return undefined;
  return modality === 'audio' ? audio : video;
}

/** As they are written: without what must not be. */
export function wordsOf(given: string, described: boolean): Extract<Content, { readonly is: 'words' }> {
  return { is: 'words', ...maskSecrets(given), described };
}

function checked(modality: CaptureModality, { bytes, mimeType }: Extract<SegmentMaterial, { is: 'media' }>) {
  const kind = modality === 'neural' ? undefined : mediaType(modality, mimeType, bytes);
  if (kind === undefined) throw new HarkError('SEGMENT_TYPE_WRONG');
  return { is: 'media', bytes, mimeType: kind } as const;
}

/** What a picture shows, nobody said, unless they say so. */
function usualSpeaker({ modality }: Segment, mode: CapturingStream['mode']): string {
  return mode === 'active-participant' && modality === 'audio' ? 'user' : 'visitor';
}

/** Numbers never become words: where they may stay, that is all that is done with them. */
function outcome(content: Content, { modality }: Segment): TakenSegment['state'] {
  if (content.is === 'media') return modality === 'neural' && content.keeps ? 'done' : 'waiting';
  return content.is === 'words' ? 'done' : 'dropped';
}

function sizeOf(material: SegmentMaterial): number {
  switch (material.is) {
    case 'text':
      return Buffer.byteLength(material.text);
    case 'values':
      return material.values.length * SAMPLE_BYTES;
    case 'media':
      return material.bytes.length;
  }
}

export function tooLarge(): HarkError {
  const message = 'A segment holds 1 MB at most';
  return new HarkError('CONTENT_TOO_LARGE', { message, body: { errorCode: 'CONTENT_TOO_LARGE' } });
}

function samplesOf(values: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(values).buffer);
}
