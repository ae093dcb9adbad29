import type {
  EngineListening,
  EngineName,
  HeardWords,
  HearingEngine,
  ListenOptions,
  SpeakingEngine,
  SpeakOptions,
  Spoken,
} from './engine.ts';
import { type EngineJob, EngineLost, EngineProcess, type EngineProcessOptions } from './engineProcess.ts';
import { fromEngine, jsonBody, jsonOf, samplesBody, speechOf, toEngine } from './frames.ts';
import type { WordTime } from './wordTimes.ts';

export interface ProcessEngineOptions extends EngineProcessOptions {
  readonly id: string;
  readonly engine: EngineName;
  readonly languages?: readonly string[] | undefined;
}

/** All that one utterance may take once it is over, and a piece of speech until it is there. */
const ANSWER_MS = 60_000;

/** What every engine in a process of its own has. */
export class ProcessEngine {
  readonly id: string;
  readonly engine: EngineName;
  readonly languages: readonly string[] | undefined;
  protected readonly process: EngineProcess;

  constructor(options: ProcessEngineOptions) {
    this.id = options.id;
    this.engine = options.engine;
    this.languages = options.languages;
    this.process = new EngineProcess(options);
  }

  get broken(): string | undefined {
    return this.process.outage.broken;
  }

  get lastFailure(): string | undefined {
    return this.process.outage.lastFailure;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  prepare(): Promise<void> {
    return this.process.prepare();
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}

/** Hears in a process of its own. */
export class ProcessHearing extends ProcessEngine implements HearingEngine {
  async listen({ language, onWords, onLost }: ListenOptions): Promise<EngineListening> {
    const heard = Promise.withResolvers<HeardWords>();
    // Nobody may wait for it yet.
    heard.promise.catch(() => undefined);
    const job = await this.process.open({
      take: (kind, body) => {
        if (kind === fromEngine.words) onWords(String(jsonOf(body)));
        else if (kind === fromEngine.heard) heard.resolve(heardOf(jsonOf(body)));
        else if (kind === fromEngine.failed) heard.reject(new EngineLost(String(jsonOf(body))));
      },
      lost: (error) => {
        heard.reject(error);
        onLost();
      },
    });
    job.send(toEngine.listen, jsonBody({ language }));
    let late: NodeJS.Timeout | undefined;
    const close = () => {
      clearTimeout(late);
      job.close();
    };
    return {
      hear: (samples) => job.send(toEngine.samples, samplesBody(samples)),
      end: () => {
        job.send(toEngine.end);
        late = setTimeout(() => job.giveUp('it did not answer in time'), ANSWER_MS);
        return heard.promise.finally(close);
      },
      cancel: () => {
        job.send(toEngine.cancel);
        close();
        heard.reject(new EngineLost('it was cancelled'));
      },
    };
  }
}

/** Speaks in a process of its own. */
export class ProcessSpeaking extends ProcessEngine implements SpeakingEngine {
  readonly voices: readonly string[];

  constructor(options: ProcessEngineOptions & { readonly voices: readonly string[] }) {
    super(options);
    this.voices = options.voices;
  }

  async *speak(text: string, { signal, ...options }: SpeakOptions): AsyncGenerator<Spoken> {
    const pieces = new Pieces();
    const job = await this.process.open({
      take: (kind, body) => {
        if (kind === fromEngine.speech) pieces.push(spokenOf(body));
        else if (kind === fromEngine.spoken) pieces.finish();
        else if (kind === fromEngine.failed) pieces.end(new EngineLost(String(jsonOf(body))));
      },
      lost: (error) => pieces.end(error),
    });
    const abort = () => pieces.end();
    signal.addEventListener('abort', abort, { once: true });
    try {
      if (signal.aborted) return;
      job.send(toEngine.speak, jsonBody({ text, ...options }));
      yield* withDeadlines(pieces, job);
    } finally {
      signal.removeEventListener('abort', abort);
      if (!pieces.isWhole) job.send(toEngine.cancel);
      job.close();
    }
  }
}

async function* withDeadlines(pieces: Pieces, job: EngineJob): AsyncGenerator<Spoken> {
  while (true) {
    const late = setTimeout(() => job.giveUp('it did not speak in time'), ANSWER_MS);
    const piece = await pieces.next().finally(() => clearTimeout(late));
    if (!piece) return;
    yield piece;
  }
}

/** What came and was not taken yet: of one sentence, so bounded by what may be asked. */
class Pieces {
  readonly #waiting: Spoken[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  #isWhole = false;

  /** Whether the engine is done with it. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  push(piece: Spoken): void {
    if (this.#end) return;
    this.#waiting.push(piece);
    this.#wake?.();
  }

  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake?.();
  }

  finish(): void {
    this.#isWhole = true;
    this.end();
  }

  async next(): Promise<Spoken | undefined> {
    while (true) {
      const piece = this.#waiting.shift();
      if (piece) return piece;
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function heardOf(told: unknown): HeardWords {
  if (typeof told !== 'object' || told === null || !('text' in told) || !('words' in told))
    throw new EngineLost('no words');
  const { text, words } = told;
  return { text: String(text).trim(), words: wordsOf(words) };
}

function spokenOf(body: Buffer): Spoken {
  const { words, samples } = speechOf(body);
  return { samples, words: wordsOf(words) };
}

function wordsOf(told: unknown): readonly WordTime[] {
  return Array.isArray(told) ? told.filter(isWord) : [];
}

function isWord(told: unknown): told is WordTime {
  if (typeof told !== 'object' || told === null) return false;
  if (!('word' in told && 'start' in told && 'end' in told && 'confidence' in told)) return false;
  const numbers = [told.start, told.end, told.confidence];
  return typeof told.word === 'string' && numbers.every((number) => Number.isFinite(number));
}
