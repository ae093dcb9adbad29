import type { VoiceConversation } from '../../application/voice/conversation.ts';
import { HEARING_RATE } from '../../application/voice/speech.ts';
import { eachSlice } from './appended.ts';
import { AudioReader, rateOf } from './audio/formats.ts';
import { FrameOrder, readFrame, STREAMS } from './audioFrames.ts';
import type { Captured } from './captured.ts';
import { WireError } from './events/wireError.ts';
import type { ConnectionSettings } from './settings.ts';

/** As long as silence is heard for what is missing. */
const LONGEST_SILENCE = 10 * HEARING_RATE;

interface SentAudioOptions {
  readonly settings: ConnectionSettings;
  readonly conversation: () => VoiceConversation;
  /** What comes on the stream of what is captured. */
  readonly captured: Captured;
  readonly send: (event: Readonly<Record<string, unknown>> & { readonly type: string }) => void;
}

/** Audio of a client, in events and in frames: it is heard in its order, and what is missing as silence. */
export class SentAudio {
  readonly #options: SentAudioOptions;
  readonly #orders = [new FrameOrder(), new FrameOrder(), new FrameOrder()];
  #reader: AudioReader;
  #recorder: AudioReader;

  constructor(options: SentAudioOptions) {
    const { input } = options.settings.own;
    this.#options = options;
    this.#reader = new AudioReader(input);
    this.#recorder = new AudioReader(input);
  }

  /** It comes in another format from now on. */
  changeFormat(): void {
    const { input } = this.#options.settings.own;
    this.#reader = new AudioReader(input);
    this.#recorder = new AudioReader(input);
  }

  append(audio: unknown): Promise<void> | undefined {
    if (typeof audio !== 'string' && !Buffer.isBuffer(audio))
      throw new WireError('invalid_value', 'audio must be base64', { param: 'audio' });
    return eachSlice(audio, (bytes) => this.#options.conversation().hear(this.#read(bytes)));
  }

  #read(bytes: Uint8Array): Int16Array {
    try {
      return this.#reader.read(bytes);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new WireError('invalid_value', error.message, { param: 'audio' });
    }
  }

  /** Throws a RangeError for a frame that is none. */
  hearFrame(data: Buffer): void {
    const frame = readFrame(data);
    const { stream, ends, audio } = frame;
    const { settings, conversation, captured, send } = this.#options;
    const streamId = settings.own.captureStreamId;
    if (stream === STREAMS.capture && streamId === undefined)
      throw new RangeError('Frames of stream 2 want a session.update with capture.streamId first');
    const placed = this.#orders[stream]?.place(frame);
    if (!placed || placed.is === 'stale') return;
    if (placed.is === 'behind a gap') {
      const { from, to } = placed;
      send({ type: 'hark.gap', stream, from, to });
      const silence = this.#silenceFor(from, to);
      if (stream === STREAMS.microphone) conversation().miss(silence);
      else if (streamId !== undefined) captured.miss(streamId, silence);
    }
    if (stream === STREAMS.capture && streamId !== undefined) {
      captured.hear(streamId, this.#recorder.read(audio), ends);
      return;
    }
    if (audio.length > 0) conversation().hear(this.#reader.read(audio));
    if (ends) conversation().commit(conversation().options.detection === null);
  }

  #silenceFor(from: number, to: number): number {
    const samples = ((to - from) >>> 0) * (HEARING_RATE / rateOf(this.#options.settings.own.input));
    return Math.min(Math.round(samples), LONGEST_SILENCE);
  }
}
