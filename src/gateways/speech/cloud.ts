import { Resampler } from '../../resampler.ts';
import type { ProviderClients } from '../models/clients.ts';
import { ModelFailure } from '../models/failure.ts';
import type { SpeechGateway } from '../models/gateway.ts';
import {
  type EngineListening,
  HEARING_RATE,
  type HeardWords,
  type HearingEngine,
  type ListenOptions,
  type SpeakingEngine,
  type SpeakOptions,
  type Spoken,
} from './engine.ts';
import { EngineLost } from './engineProcess.ts';
import { samplesOf } from './frames.ts';
import { Outage } from './outage.ts';
import { joined, writeWave } from './wave.ts';
import { audible, type WordTime, wordTimes } from './wordTimes.ts';

interface CloudOptions {
  readonly clients: Pick<ProviderClients, 'clientFor'>;
  /** That a setting names; undefined for the usual one. */
  readonly model: () => string | undefined;
}

const SPEECH_RATE = 24_000;
/** As people speak, more or less: the end puts right what was guessed. */
const SECONDS_A_LETTER = 0.068;

/** Of cloud-b, with the key and the address that its models have. */
class Cloud {
  readonly id = 'cloud-b';
  readonly engine = 'cloud-b';
  readonly #options: CloudOptions;
  readonly #usual: readonly string[];
  readonly #outage = new Outage();
  /** Of `usual`: the first that the server has. */
  #first = 0;

  /** In the order in which they are tried: not every server that is compatible has each. */
  constructor(options: CloudOptions, usual: readonly string[]) {
    this.#options = options;
    this.#usual = usual;
  }

  get broken(): string | undefined {
    return this.#outage.broken;
  }

  get lastFailure(): string | undefined {
    return this.#outage.lastFailure;
  }

  get model(): string {
    return this.#options.model() ?? this.#usual[this.#first] ?? '';
  }

  async prepare(): Promise<void> {}

  async stop(): Promise<void> {}

  async isConfigured(): Promise<boolean> {
    return (await this.#options.clients.clientFor('cloud-b'))?.gateway.speech !== undefined;
  }

  protected async gateway(): Promise<SpeechGateway> {
    const speech = (await this.#options.clients.clientFor('cloud-b'))?.gateway.speech;
    if (!speech) throw new EngineLost('it has no key');
    return speech;
  }

  protected works(): void {
    this.#outage.end();
  }

  /** True where another model is to be asked at once. */
  protected failed(error: unknown): boolean {
    const kind = error instanceof ModelFailure ? error.kind : 'unknown';
    if (kind === 'cancelled') return false;
    const isUnknown = kind === 'model-unknown' && this.#options.model() === undefined;
    if (isUnknown && this.#first + 1 < this.#usual.length) {
      this.#first++;
      return true;
    }
    this.#outage.begin(error instanceof ModelFailure ? error.message : 'it did not answer');
    return false;
  }
}

/** Hears once all of it is there. */
export class CloudHearing extends Cloud implements HearingEngine {
  constructor(options: CloudOptions) {
    super(options, ['gpt-4o-mini-transcribe', 'whisper-1']);
  }

  async listen({ language }: ListenOptions): Promise<EngineListening> {
    const speech = await this.gateway();
    const cancelled = new AbortController();
    const pieces: Int16Array[] = [];
    return {
      hear: (samples) => {
        pieces.push(samples);
      },
      end: () => this.#understand(speech, pieces, plain(language), cancelled.signal),
      cancel: () => {
        pieces.length = 0;
        cancelled.abort();
      },
    };
  }

  async #understand(
    speech: SpeechGateway,
    pieces: readonly Int16Array[],
    language: string | undefined,
    signal: AbortSignal,
  ): Promise<HeardWords> {
    const samples = joined(pieces);
    const wave = writeWave(samples, HEARING_RATE);
    while (true)
      try {
        const { text, words } = await speech.transcribe({ model: this.model, wave, language }, signal);
        this.works();
        const sure = words.map((word) => ({ ...word, word: word.word.trim(), confidence: 1 }));
        return {
          text,
          words: sure.length > 0 || text === '' ? sure : byLength(text, samples),
        };
      } catch (error) {
        if (!this.failed(error)) throw error;
      }
  }
}

const CLOUD_VOICES = [
  ...['marin', 'alloy', 'ash', 'ballad', 'cedar', 'coral', 'echo', 'fable', 'nova', 'onyx'],
  ...['sage', 'shimmer', 'verse'],
] as const;

/** Those that the older models know too. */
const OLDER_VOICES: readonly string[] = [
  'alloy',
  'ash',
  'coral',
  'echo',
  'fable',
  'nova',
  'onyx',
  'sage',
  'shimmer',
];

export class CloudSpeaking extends Cloud implements SpeakingEngine {
  readonly voices = CLOUD_VOICES;

  constructor(options: CloudOptions) {
    super(options, ['gpt-4o-mini-tts', 'tts-1']);
  }

  async *speak(text: string, { rate, voice, speed = 1, signal }: SpeakOptions): AsyncGenerator<Spoken> {
    const gateway = await this.gateway();
    while (true) {
      let hasSpoken = false;
      const asked = {
        ...{ model: this.model, text, speed: Math.min(4, Math.max(0.25, speed)) },
        voice: this.#voice(voice),
      };
      try {
        for await (const piece of spoken(gateway.speak(asked, signal), asked, rate)) {
          hasSpoken = true;
          yield piece;
        }
        this.works();
        return;
      } catch (error) {
        if (hasSpoken || !this.failed(error)) throw error;
      }
    }
  }

  #voice(named: string | undefined): string {
    const known = this.model.startsWith('tts-1') ? OLDER_VOICES : this.voices;
    // Servers that are only compatible have voices of their own, which a setting may name.
    if (named !== undefined && (known.includes(named) || this.model !== 'gpt-4o-mini-tts')) return named;
    return known[0] ?? 'alloy';
  }
}

/** At the rate that is wanted, with words by their length: how long all of it is nobody knows before its end. */
async function* spoken(
  bytes: AsyncIterable<Uint8Array>,
  { text, speed }: { readonly text: string; readonly speed: number },
  rate: number,
): AsyncGenerator<Spoken> {
  const resampler = new Resampler(SPEECH_RATE, rate);
  const guessed = (text.length * SECONDS_A_LETTER) / speed;
  const waiting: WordTime[] = [...wordTimes(text, 0, guessed)];
  let seconds = 0;
  let odd = new Uint8Array();
  for await (const piece of bytes) {
    const whole = odd.byteLength === 0 ? piece : Buffer.concat([odd, piece]);
    odd = whole.slice(whole.byteLength & ~1);
    const samples = resampler.push(samplesOf(whole));
    if (samples.length === 0) continue;
    seconds += samples.length / rate;
    const later = waiting.findIndex(({ start }) => start >= seconds);
    yield { samples, words: waiting.splice(0, later < 0 ? waiting.length : later) };
  }
  const samples = resampler.end();
  const last = seconds + samples.length / rate;
  const words = waiting.map((word) => ({
    ...word,
    start: Math.min(word.start, last),
    end: Math.min(word.end, last),
  }));
  if (samples.length > 0 || words.length > 0) yield { samples, words };
}

function byLength(text: string, samples: Int16Array): readonly WordTime[] {
  const { from, to } = audible(samples);
  return wordTimes(text, from / HEARING_RATE, to / HEARING_RATE);
}

function plain(language: string | undefined): string | undefined {
  return language?.toLowerCase().split(/[-_]/)[0];
}
