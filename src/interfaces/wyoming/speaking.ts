import { z } from 'zod';
import type { WordsIntoSpeech } from '../../application/voice/speech.ts';

/** What most satellites play without turning it into something else. */
const SPEECH_RATE = 22_050;
const FORMAT = { rate: SPEECH_RATE, width: 2, channels: 1 };
/** Samples in a chunk: a tenth of a second, so that a satellite can begin. */
const CHUNK = 2_205;

const name = z.string().max(256).nullish();
export const voiceShape = z.object({ name, language: name, speaker: name }).nullish();
export type VoiceAsked = z.output<typeof voiceShape>;

interface SpeakingOptions {
  readonly mouth: WordsIntoSpeech;
  /** Resolves once the client has room for more. */
  readonly write: (
    type: string,
    data?: Readonly<Record<string, unknown>>,
    payload?: Uint8Array,
  ) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Sends what is to be spoken as one stream of audio. */
export class Speaking {
  readonly #options: SpeakingOptions;
  #sent = 0;
  #hasBegun = false;

  constructor(options: SpeakingOptions) {
    this.#options = options;
  }

  async say(text: string, voice: VoiceAsked): Promise<void> {
    const { mouth, signal } = this.#options;
    const how = {
      rate: SPEECH_RATE,
      voice: voice?.name ?? undefined,
      language: voice?.language ?? undefined,
      signal,
    };
    for await (const { samples } of mouth.speak(text, how)) await this.#send(samples);
  }

  /** Also where nothing was spoken: whoever asked waits for it. */
  async end(): Promise<void> {
    await this.#begin();
    await this.#options.write('audio-stop', { timestamp: this.#now() });
  }

  async #begin(): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    await this.#options.write('audio-start', { ...FORMAT, timestamp: 0 });
  }

  async #send(samples: Int16Array): Promise<void> {
    await this.#begin();
    for (let from = 0; from < samples.length; from += CHUNK) {
      const part = samples.subarray(from, from + CHUNK);
      const bytes = new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
      await this.#options.write('audio-chunk', { ...FORMAT, timestamp: this.#now() }, bytes);
      this.#sent += part.length;
    }
  }

  #now(): number {
    return Math.round((this.#sent / SPEECH_RATE) * 1_000);
  }
}
