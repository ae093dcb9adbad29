import { Socket } from 'node:net';
import { Resampler } from '../../../resampler.ts';
import { giveWayToOthers } from '../../../threadPriority.ts';
import type { EngineListening } from '../engine.ts';
import {
  type EngineFrame,
  FrameReader,
  frameOf,
  fromEngine,
  jsonBody,
  jsonOf,
  samplesOf,
  speechBody,
  toEngine,
} from '../frames.ts';
import type { WordTime } from '../wordTimes.ts';

/*
 * The inner side of a process that hears or speaks: frames come in by its standard input, and go out by descriptor 3,
 * since libraries print to the others. It ends with its input, so with the service, however that ends.
 */

export interface SpeakRequest {
  readonly text: string;
  readonly rate: number;
  readonly voice?: string | undefined;
  readonly speed?: number | undefined;
  readonly language?: string | undefined;
}

export interface SpottedKeyword {
  readonly phrase: string;
  readonly pieces: readonly string[];
}

/** At the rate of the voice. */
interface Spoken {
  readonly rate: number;
  readonly samples: Int16Array;
  readonly words: readonly WordTime[];
}

export interface HostedEngine {
  readonly facts: { readonly voices?: readonly string[]; readonly isStreaming?: boolean };
  listen?(
    options: { readonly language?: string | undefined },
    onWords: (text: string) => void,
  ): EngineListening;
  /** Waits for phrases, each in the pieces of the model, and tells after how many seconds one was said. */
  spot?(
    keywords: readonly SpottedKeyword[],
    onDetected: (phrase: string, seconds: number) => void,
  ): EngineListening;
  /** Asks for nothing more once the signal is aborted. */
  speak?(request: SpeakRequest, signal: AbortSignal): AsyncIterable<Spoken>;
}

/** Half a second: what is cancelled is not on its way in larger pieces. */
const PIECE_SECONDS = 0.5;

class Host {
  readonly #open: (spec: unknown) => Promise<HostedEngine>;
  readonly #out = new Socket({ fd: 3, readable: false, writable: true });
  readonly #listening = new Map<number, EngineListening>();
  readonly #speaking = new Map<number, AbortController>();
  /** One speaks after the other: each is sooner done than two at once. */
  #spoken: Promise<void> = Promise.resolve();
  #engine: HostedEngine | undefined;

  constructor(open: (spec: unknown) => Promise<HostedEngine>) {
    this.#open = open;
  }

  run(): void {
    const reader = new FrameReader();
    process.stdin.on('data', (piece: Buffer) => {
      for (const frame of reader.take(piece))
        void this.#take(frame).catch((error) => this.#fail(frame.job, error));
    });
    process.stdin.once('close', () => process.exit());
    this.#out.once('error', () => process.exit());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  }

  async #take({ kind, job, body }: EngineFrame): Promise<void> {
    switch (kind) {
      case toEngine.open:
        this.#engine = await this.#open(jsonOf(body)).catch((error) => {
          process.stderr.write(`${String(error)}\n`);
          process.exit(1);
        });
        return this.#send(fromEngine.ready, 0, jsonBody(this.#engine.facts));
      case toEngine.ping:
        return this.#send(fromEngine.pong, job);
      case toEngine.listen:
        return this.#listen(job, languageOf(jsonOf(body)));
      case toEngine.samples:
        return this.#listening.get(job)?.hear(samplesOf(body));
      case toEngine.spot:
        return this.#spot(job, keywordsOf(jsonOf(body)));
      case toEngine.end: {
        const listening = this.#listening.get(job);
        this.#listening.delete(job);
        if (listening) this.#send(fromEngine.heard, job, jsonBody(await listening.end()));
        return;
      }
      case toEngine.speak: {
        const cancelled = new AbortController();
        this.#speaking.set(job, cancelled);
        const request = speakRequestOf(jsonOf(body));
        this.#spoken = this.#spoken.then(() => this.#speak(job, request, cancelled.signal));
        return;
      }
      case toEngine.cancel:
        this.#listening.get(job)?.cancel();
        this.#listening.delete(job);
        this.#speaking.get(job)?.abort();
    }
  }

  #listen(job: number, options: { readonly language?: string | undefined }): void {
    const listening = this.#engine?.listen?.(options, (text) =>
      this.#send(fromEngine.words, job, jsonBody(text)),
    );
    if (!listening) throw new TypeError('It does not hear');
    this.#listening.set(job, listening);
  }

  #spot(job: number, keywords: readonly SpottedKeyword[]): void {
    const spotting = this.#engine?.spot?.(keywords, (phrase, seconds) =>
      this.#send(fromEngine.detected, job, jsonBody({ phrase, seconds })),
    );
    if (!spotting) throw new TypeError('It waits for nothing');
    this.#listening.set(job, spotting);
  }

  async #speak(job: number, request: SpeakRequest, signal: AbortSignal): Promise<void> {
    try {
      let resampler: Resampler | undefined;
      if (!this.#engine?.speak) throw new TypeError('It does not speak');
      if (!signal.aborted)
        for await (const { rate, samples, words } of this.#engine.speak(request, signal)) {
          if (signal.aborted) break;
          resampler ??= new Resampler(rate, request.rate);
          const piece = Math.ceil(rate * PIECE_SECONDS);
          for (let at = 0; at < samples.length || at === 0; at += piece)
            this.#say(job, at === 0 ? words : [], resampler.push(samples.subarray(at, at + piece)));
        }
      if (resampler && !signal.aborted) this.#say(job, [], resampler.end());
      this.#send(fromEngine.spoken, job);
    } catch (error) {
      this.#fail(job, error);
    } finally {
      this.#speaking.delete(job);
    }
  }

  #say(job: number, words: readonly WordTime[], samples: Int16Array): void {
    if (samples.length > 0 || words.length > 0)
      this.#send(fromEngine.speech, job, speechBody(words, samples));
  }

  #fail(job: number, error: unknown): void {
    this.#listening.delete(job);
    this.#send(fromEngine.failed, job, jsonBody(error instanceof Error ? error.name : 'Error'));
  }

  #send(kind: number, job: number, body?: Uint8Array): void {
    this.#out.cork();
    for (const piece of frameOf(kind, job, body)) this.#out.write(piece);
    this.#out.uncork();
  }
}

function languageOf(told: unknown): { readonly language?: string | undefined } {
  const { language } = typeof told === 'object' && told !== null && 'language' in told ? told : NO_LANGUAGE;
  return { language: typeof language === 'string' ? language : undefined };
}

function keywordsOf(told: unknown): readonly SpottedKeyword[] {
  if (!Array.isArray(told)) throw new TypeError('No keywords');
  return told.map(({ phrase, pieces }) => ({ phrase: String(phrase), pieces: Array.from(pieces, String) }));
}

const NO_LANGUAGE = { language: undefined };

function speakRequestOf(told: unknown): SpeakRequest {
  if (typeof told !== 'object' || told === null || !('text' in told) || !('rate' in told))
    throw new TypeError('No text to speak');
  const { text, rate, voice, speed } = { voice: undefined, speed: undefined, ...told };
  return {
    ...languageOf(told),
    text: String(text),
    rate: Number(rate),
    voice: typeof voice === 'string' ? voice : undefined,
    speed: typeof speed === 'number' ? speed : undefined,
  };
}

/** Makes this process the engine that `open` gives. */
export function serve(open: (spec: unknown) => Promise<HostedEngine>): void {
  giveWayToOthers();
  new Host(open).run();
}
