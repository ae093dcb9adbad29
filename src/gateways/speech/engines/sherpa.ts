import { availableParallelism } from 'node:os';
import type {
  KeywordSpotter,
  OfflineRecognizer,
  OfflineTts,
  OnlineRecognizer,
  OnlineStream,
  Result,
} from 'sherpa-onnx-node';
import { type EngineListening, HEARING_RATE, type HeardWords } from '../engine.ts';
import { quietParts } from '../quietParts.ts';
import { SHERPA_VOICES, type SherpaModel, sherpaConfig } from '../sherpaModel.ts';
import { spokenPieces } from '../spokenPieces.ts';
import { tokenWords } from '../tokenWords.ts';
import { joined, type Wave } from '../wave.ts';
import { audible, type WordTime, wordTimes } from '../wordTimes.ts';
import { type HostedEngine, type SpeakRequest, type SpottedKeyword, serve } from './host.ts';

/*
 * Models of the sherpa project. A file that is broken ends this process, with 134 or 255, and a missing one may: whoever
 * started it sees that it is no engine.
 */

const THREADS = Math.min(2, availableParallelism());
/** Streaming models hold back what they have not heard the right side of. */
const TAIL = new Float32Array(HEARING_RATE * 0.6);
/** Models that take all of it at once take half a minute. */
const LONGEST_SECONDS = 28;

function toFloat(samples: Int16Array): Float32Array {
  const floats = new Float32Array(samples.length);
  for (let at = 0; at < samples.length; at++) floats[at] = (samples[at] ?? 0) / 32_768;
  return floats;
}

function toWhole(samples: Float32Array): Int16Array {
  const whole = new Int16Array(samples.length);
  for (let at = 0; at < samples.length; at++)
    whole[at] = Math.max(-32_768, Math.min(32_767, Math.round((samples[at] ?? 0) * 32_767)));
  return whole;
}

/** Understands while it hears; what several say at once goes through the model together. */
class Streaming {
  readonly #recognizer: OnlineRecognizer;
  readonly #open = new Map<OnlineStream, { readonly onWords: (text: string) => void; text: string }>();
  #isDue = false;

  constructor(recognizer: OnlineRecognizer) {
    this.#recognizer = recognizer;
  }

  listen(onWords: (text: string) => void): EngineListening {
    const stream = this.#recognizer.createStream();
    this.#open.set(stream, { onWords, text: '' });
    let seconds = 0;
    return {
      hear: (samples) => {
        seconds += samples.length / HEARING_RATE;
        stream.acceptWaveform({ samples: toFloat(samples), sampleRate: HEARING_RATE });
        this.#soon();
      },
      end: async () => {
        stream.acceptWaveform({ samples: TAIL, sampleRate: HEARING_RATE });
        stream.inputFinished();
        this.#open.delete(stream);
        while (this.#recognizer.isReady(stream)) this.#recognizer.decodeStreams([stream]);
        return heardOf(this.#recognizer.getResult(stream), seconds);
      },
      cancel: () => {
        this.#open.delete(stream);
      },
    };
  }

  #soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#decode();
    });
  }

  #decode(): void {
    const ready = [...this.#open.keys()].filter((stream) => this.#recognizer.isReady(stream));
    if (ready.length === 0) return;
    this.#recognizer.decodeStreams(ready);
    for (const stream of ready) {
      const told = this.#open.get(stream);
      const text = this.#recognizer.getResult(stream).text.trim();
      if (!told || text === told.text) continue;
      told.text = text;
      told.onWords(text);
    }
    this.#soon();
  }
}

/** Understands once all of it is there: one utterance after the other. */
class Whole {
  readonly #model: SherpaModel;
  readonly #recognizer: OfflineRecognizer;
  #language = '';
  #working: Promise<unknown> = Promise.resolve();

  constructor(model: SherpaModel, recognizer: OfflineRecognizer) {
    this.#model = model;
    this.#recognizer = recognizer;
  }

  listen(language: string | undefined): EngineListening {
    let pieces: Int16Array[] = [];
    return {
      hear: (samples) => {
        pieces.push(samples);
      },
      end: () => {
        const heard = this.#working.then(() => this.#understand(joined(pieces), language));
        this.#working = heard.catch(() => undefined);
        return heard;
      },
      cancel: () => {
        pieces = [];
      },
    };
  }

  async #understand(samples: Int16Array, language: string | undefined): Promise<HeardWords> {
    this.#speak(language);
    const texts: string[] = [];
    const words: WordTime[] = [];
    let seconds = 0;
    for (const part of quietParts(samples, LONGEST_SECONDS)) {
      const stream = this.#recognizer.createStream();
      stream.acceptWaveform({ samples: toFloat(part), sampleRate: HEARING_RATE });
      const length = part.length / HEARING_RATE;
      const heard = heardOf(await this.#recognizer.decodeAsync(stream), length);
      texts.push(heard.text);
      const timed = heard.words.length > 0 ? heard.words : byLength(heard.text, part);
      const before = seconds;
      words.push(...timed.map((one) => ({ ...one, start: one.start + before, end: one.end + before })));
      seconds += length;
    }
    return { text: texts.filter((text) => text !== '').join(' '), words };
  }

  /** Models that know many languages are told which it is, or find out. */
  #speak(language: string | undefined): void {
    const plain = language?.toLowerCase().split(/[-_]/)[0] ?? '';
    const known = this.#model.languages.includes('*') || this.#model.languages.includes(plain) ? plain : '';
    if (known === this.#language) return;
    this.#language = known;
    const told = sherpaConfig(this.#model, THREADS, known);
    if (told) this.#recognizer.setConfig(told.config);
  }
}

/** Waits for phrases. What it waits for belongs to how it is opened: those who wait for the same share one. */
class Waiting {
  readonly #open: (keywords: string) => KeywordSpotter;
  readonly #spotters = new Map<string, { readonly spotter: KeywordSpotter; users: number }>();

  constructor(open: (keywords: string) => KeywordSpotter) {
    this.#open = open;
  }

  spot(
    keywords: readonly SpottedKeyword[],
    onDetected: (phrase: string, seconds: number) => void,
  ): EngineListening {
    // Their names come back as they are given, but may have no spaces.
    const lines = keywords.map(({ pieces }, index) => `${pieces.join(' ')} @${index}`).join('\n');
    const shared = this.#spotters.get(lines) ?? { spotter: this.#open(lines), users: 0 };
    this.#spotters.set(lines, shared);
    shared.users++;
    const { spotter } = shared;
    const stream = spotter.createStream();
    let seconds = 0;
    const take = (samples: Float32Array) => {
      stream.acceptWaveform({ samples, sampleRate: HEARING_RATE });
      while (spotter.isReady(stream)) {
        spotter.decode(stream);
        const { keyword } = spotter.getResult(stream);
        if (keyword === '') continue;
        // It goes on with what comes after it.
        spotter.reset(stream);
        onDetected(keywords[Number(keyword)]?.phrase ?? '', seconds);
      }
    };
    const cancel = () => {
      shared.users--;
      if (shared.users === 0) this.#spotters.delete(lines);
    };
    return {
      hear: (samples) => {
        seconds += samples.length / HEARING_RATE;
        take(toFloat(samples));
      },
      end: async () => {
        take(TAIL);
        cancel();
        return { text: '', words: [] };
      },
      cancel,
    };
  }
}

function byLength(text: string, samples: Int16Array): readonly WordTime[] {
  const { from, to } = audible(samples);
  return wordTimes(text, from / HEARING_RATE, to / HEARING_RATE);
}

/** Models that mark what is no speech do so in brackets. */
function heardOf({ text, tokens, timestamps, ys_probs }: Result, seconds: number): HeardWords {
  const plain = text.replaceAll(/\[[^[\]]*\]|\([^()]*\)/g, '').trim();
  if (plain === '') return { text: '', words: [] };
  const words = tokenWords({
    tokens: tokens ?? [],
    timestamps: timestamps ?? [],
    probabilities: ys_probs ?? [],
  });
  return {
    text: plain,
    words: words.map((one) => ({ ...one, end: Math.min(one.end, Math.max(seconds, one.start)) })),
  };
}

async function speak(
  tts: OfflineTts,
  voices: readonly string[],
  piece: string,
  { voice, speed = 1 }: SpeakRequest,
  signal: AbortSignal,
): Promise<Wave> {
  const { samples, sampleRate } = await tts.generateAsync({
    text: piece,
    sid: Math.max(0, voice === undefined ? 0 : voices.indexOf(voice)),
    speed: Math.min(4, Math.max(0.25, speed)),
    // Its buffers come from outside V8's heap, which not every Node allows.
    enableExternalBuffer: false,
    onProgress: () => !signal.aborted,
  });
  return { rate: sampleRate, samples: toWhole(samples) };
}

function isModel(told: unknown): told is SherpaModel {
  return (
    typeof told === 'object' && told !== null && 'family' in told && 'files' in told && 'languages' in told
  );
}

serve(async (model): Promise<HostedEngine> => {
  if (!isModel(model)) throw new TypeError('No model');
  const told = sherpaConfig(model, THREADS);
  if (!told) throw new TypeError(`Models of the family ${model.family} are not known`);
  const { default: sherpa } = await import('sherpa-onnx-node');
  if (told.how === 'streaming') {
    const streaming = new Streaming(new sherpa.OnlineRecognizer(told.config));
    return { facts: { isStreaming: true }, listen: (_options, onWords) => streaming.listen(onWords) };
  }
  if (told.how === 'whole') {
    const whole = new Whole(model, await sherpa.OfflineRecognizer.createAsync(told.config));
    return { facts: {}, listen: ({ language }) => whole.listen(language) };
  }
  if (told.how === 'waiting') {
    const open = (keywordsBuf: string) =>
      new sherpa.KeywordSpotter({
        ...told.config,
        ...{ keywordsBuf, keywordsBufSize: Buffer.byteLength(keywordsBuf) },
      });
    const waiting = new Waiting(open);
    return { facts: {}, spot: (keywords, onDetected) => waiting.spot(keywords, onDetected) };
  }
  const tts = await sherpa.OfflineTts.createAsync(told.config);
  const numbers = Array.from({ length: tts.numSpeakers }, (_, number) => String(number));
  const voices = SHERPA_VOICES[model.id] ?? numbers;
  return {
    facts: { voices },
    speak: (request, signal) =>
      spokenPieces(request.text, (piece) => speak(tts, voices, piece, request, signal), signal),
  };
});
