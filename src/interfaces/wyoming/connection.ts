import { z } from 'zod';
import type {
  Recognition,
  SpeechIntoWords,
  WakeWords,
  WordsIntoSpeech,
} from '../../application/voice/speech.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import type { VoiceStatistics } from '../../voiceStatistics.ts';
import type { Client } from '../rest/client.ts';
import type { WyomingEvent } from './framing.ts';
import { formatOf, type HeardFormat, HeardStream } from './hearing.ts';
import { infoOf, type WyomingCatalog } from './info.ts';
import { Speaking, type VoiceAsked, voiceShape } from './speaking.ts';

/** What is said, in the session of the connection, or in the one that the client names. */
interface Said {
  readonly text: string;
  readonly connectionId: string;
  readonly conversationId: string | undefined;
  readonly language: string | undefined;
  readonly signal: AbortSignal;
}

/** A reply cut into what is spoken in one breath, and made speakable. */
interface Sentences {
  push(text: string): readonly string[];
  end(): readonly string[];
}

export interface WyomingParts {
  readonly ears: SpeechIntoWords;
  readonly mouth: WordsIntoSpeech;
  readonly wakeWords: WakeWords;
  readonly catalog: () => Promise<WyomingCatalog>;
  /** A turn of chat: its reply. Throws a `HarkError` where there is none. */
  readonly handle: (said: Said) => Promise<string>;
  /** Whether this client may begin a turn now, which counts. */
  readonly mayAsk: (client: Client) => Promise<boolean>;
  readonly sentences: () => Sentences;
  readonly statistics: VoiceStatistics;
  readonly version: string;
  readonly onFailure: (what: string, error: unknown) => void;
}

export interface WyomingClient {
  readonly peer: Client;
  readonly connectionId: string;
  /** Resolves once there is room for more, and rejects when the client takes too long or is gone. */
  readonly write: (
    type: string,
    data?: Readonly<Record<string, unknown>>,
    payload?: Uint8Array,
  ) => Promise<void>;
  /** Told what was written; nothing more is taken. */
  readonly close: () => void;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

const LONGEST_SECONDS = 300;
const MOST_TEXT = 100_000;

const word = z.string().max(256).nullish();
const words = z.string().max(MOST_TEXT);
const transcribe = z.object({ language: word });
const detect = z.object({ names: z.array(z.string().max(256)).max(64).nullish() });
const synthesize = z.object({ text: words, voice: voiceShape });
const begun = z.object({ voice: voiceShape });
const chunk = z.object({ text: words });
const transcript = z.object({
  text: z.string().trim().min(1).max(10_000),
  language: word,
  context: z.looseObject({ conversation_id: z.string().min(1).max(512).nullish() }).nullish(),
});

type Listening =
  | {
      readonly for: 'words';
      readonly stream: HeardStream;
      readonly recognition: Recognition;
      readonly language: string | undefined;
    }
  | {
      readonly for: 'wake';
      readonly stream: HeardStream;
      readonly spotting: { end(): Promise<void>; close(): void };
      hasDetected: boolean;
    };

/** What one client of the protocol asks, one event after the other. */
export class WyomingConnection {
  readonly #parts: WyomingParts;
  readonly #client: WyomingClient;
  #language: string | undefined;
  /** Set by `detect`: the audio that comes next is looked through for these. */
  #phrases: readonly string[] | undefined;
  #listening: Listening | undefined;
  /** Text that comes while it is spoken. */
  #stream: { readonly voice: VoiceAsked; readonly sentences: Sentences; length: number } | undefined;

  constructor(parts: WyomingParts, client: WyomingClient) {
    this.#parts = parts;
    this.#client = client;
  }

  /**
   * Those who ask for words or speech wait for nothing but that, without an end: where it cannot be had, they are told so
   * and let go. What is no event that we know is passed over.
   */
  async take(event: WyomingEvent): Promise<void> {
    try {
      await this.#takers[event.type]?.(event);
    } catch (error) {
      if (this.#client.signal.aborted) return;
      if (!isHarkError(error)) this.#parts.onFailure(`wyoming ${event.type}`, error);
      const told = isHarkError(error) ? error : new HarkError('INTERNAL');
      await this.#client.write('error', { text: told.message, code: told.code });
      this.#client.close();
    }
  }

  /** The client is gone. */
  end(): void {
    this.#stopListening();
  }

  readonly #takers: Readonly<Record<string, (event: WyomingEvent) => Promise<void> | void>> = {
    describe: async () =>
      this.#client.write('info', infoOf(await this.#parts.catalog(), this.#parts.version)),
    ping: ({ data }) => this.#client.write('pong', typeof data.text === 'string' ? { text: data.text } : {}),
    transcribe: ({ data }) => {
      this.#stopListening();
      this.#phrases = undefined;
      this.#language = read(transcribe, data).language ?? undefined;
    },
    detect: ({ data }) => {
      this.#stopListening();
      this.#phrases = read(detect, data).names ?? [];
    },
    'audio-start': async ({ data }) => {
      this.#stopListening();
      await this.#listen(formatOf(data));
    },
    'audio-chunk': async ({ data, payload }) => {
      const { stream } = this.#listening ?? (await this.#listen(formatOf(data)));
      this.#parts.statistics.audioChunksIn++;
      stream.push(payload);
      if (stream.seconds > LONGEST_SECONDS && this.#listening?.for === 'words')
        throw new HarkError('CONTENT_TOO_LARGE', { message: 'An utterance lasts five minutes at most' });
    },
    'audio-stop': () => this.#heard(),
    synthesize: async ({ data }) => {
      // Said once more as a whole, for those who take no stream of text.
      if (this.#stream) return;
      const { text, voice } = read(synthesize, data);
      const sentences = this.#parts.sentences();
      await this.#speak([...sentences.push(text), ...sentences.end()], voice);
    },
    'synthesize-start': ({ data }) => {
      this.#stream = { voice: read(begun, data).voice, sentences: this.#parts.sentences(), length: 0 };
    },
    'synthesize-chunk': async ({ data }) => {
      const stream = this.#stream;
      if (!stream) return;
      const { text } = read(chunk, data);
      stream.length += text.length;
      if (stream.length > MOST_TEXT) throw new HarkError('CONTENT_TOO_LARGE');
      for (const sentence of stream.sentences.push(text)) await this.#speak([sentence], stream.voice);
    },
    'synthesize-stop': async () => {
      const stream = this.#stream;
      this.#stream = undefined;
      for (const sentence of stream?.sentences.end() ?? []) await this.#speak([sentence], stream?.voice);
      await this.#client.write('synthesize-stopped');
    },
    transcript: (event) => this.#handle(event),
    // Nothing here knows of intents: hark acts by itself.
    recognize: () => this.#client.write('not-recognized', {}),
  };

  async #listen(format: HeardFormat): Promise<Listening> {
    const { ears, wakeWords } = this.#parts;
    const phrases = this.#phrases;
    if (phrases !== undefined) {
      if ((await wakeWords.phrases()).length === 0)
        throw new HarkError('STT_UNAVAILABLE', { message: 'There is no model for wake words' });
      // Nobody would close what is begun for a client that has left.
      this.#client.signal.throwIfAborted();
      const listening = this.#awaken(wakeWords, phrases, format);
      this.#listening = listening;
      return listening;
    }
    const language = this.#language;
    const recognition = ears.begin({ language });
    const stream = new HeardStream(format, (samples) => recognition.hear(samples));
    this.#listening = { for: 'words', stream, recognition, language };
    return this.#listening;
  }

  #awaken(wakeWords: WakeWords, phrases: readonly string[], format: HeardFormat): Listening {
    const spotting = wakeWords.begin({
      phrases,
      onDetected: (name, atMs) => {
        listening.hasDetected = true;
        this.#client
          .write('detection', { name, timestamp: Math.round(atMs) })
          .catch(() => this.#client.close());
      },
    });
    const stream = new HeardStream(format, (samples) => spotting.hear(samples));
    const listening = { for: 'wake' as const, stream, spotting, hasDetected: false };
    return listening;
  }

  async #heard(): Promise<void> {
    const listening = this.#listening;
    if (!listening) return;
    this.#listening = undefined;
    if (listening.for === 'wake') {
      listening.stream.end();
      await listening.spotting.end();
      listening.spotting.close();
      if (!listening.hasDetected) await this.#client.write('not-detected');
      return;
    }
    const { stream, recognition, language } = listening;
    stream.end();
    const cancel = () => recognition.cancel();
    const { signal } = this.#client;
    signal.addEventListener('abort', cancel, { once: true });
    const from = performance.now();
    const { text } = await recognition.end().finally(() => signal.removeEventListener('abort', cancel));
    // What nobody waited for would not be a latency.
    if (signal.aborted) return;
    this.#parts.statistics.took('recognition', performance.now() - from);
    await this.#client.write('transcript', { text, ...(language === undefined ? {} : { language }) });
  }

  #stopListening(): void {
    const listening = this.#listening;
    this.#listening = undefined;
    if (listening?.for === 'words') listening.recognition.cancel();
    else listening?.spotting.close();
  }

  async #speak(sentences: readonly string[], voice: VoiceAsked): Promise<void> {
    const { mouth } = this.#parts;
    if (!(await mouth.isAvailable())) throw new HarkError('TTS_UNAVAILABLE');
    const speaking = new Speaking({ mouth, write: this.#client.write, signal: this.#client.signal });
    for (const sentence of sentences) await speaking.say(sentence, voice);
    await speaking.end();
  }

  async #handle({ data }: WyomingEvent): Promise<void> {
    const { connectionId, peer, signal } = this.#client;
    // Who gave a context gets it again, and so goes on where this was.
    const context = data.context === undefined || data.context === null ? {} : { context: data.context };
    try {
      const { text, language, context: given } = read(transcript, data);
      if (!(await this.#parts.mayAsk(peer))) throw new HarkError('TOO_MANY_REQUESTS');
      const conversationId = given?.conversation_id ?? undefined;
      const said = { text, connectionId, conversationId, language: language ?? undefined, signal };
      await this.#client.write('handled', { text: await this.#parts.handle(said), ...context });
    } catch (error) {
      if (!isHarkError(error) || signal.aborted) throw error;
      await this.#client.write('not-handled', { text: error.message, ...context });
    }
  }
}

function read<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is wrong'}`.trim();
  throw new HarkError('BAD_REQUEST', { message });
}
