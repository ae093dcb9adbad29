import { readFile } from 'node:fs/promises';
import { EngineLost } from './engineProcess.ts';
import { fromEngine, jsonBody, jsonOf, samplesBody, toEngine } from './frames.ts';
import { ProcessEngine, type ProcessEngineOptions } from './processEngines.ts';
import { WordPieces } from './wordPieces.ts';

/** A phrase that is waited for, in the pieces that a model hears. */
export interface Keyword {
  readonly phrase: string;
  readonly pieces: readonly string[];
}

export interface Spotting {
  hear(samples: Int16Array): void;
  /** Once all of it was looked through, or the engine is lost. */
  end(): Promise<void>;
  close(): void;
}

interface SpotOptions {
  readonly keywords: readonly Keyword[];
  /** Seconds of what this heard. */
  readonly onDetected: (phrase: string, seconds: number) => void;
  /** The engine ended in the middle of it. */
  readonly onLost: () => void;
}

interface SpottingOptions extends ProcessEngineOptions {
  readonly files: { readonly tokens?: string; readonly bpe?: string };
}

/** `x iǎo ài @小爱`: as the model writes it, and what it is called. */
function writtenOut(phrase: string): readonly [given: string, name: string] | undefined {
  const at = phrase.indexOf('@', 1);
  const parts = [phrase.slice(0, at).trim(), phrase.slice(at + 1).trim()] as const;
  return at > 0 && parts.every((part) => part !== '') ? parts : undefined;
}

/** Waits for phrases in a process of its own. */
export class SpottingEngine extends ProcessEngine {
  readonly #files: SpottingOptions['files'];
  #pieces: Promise<WordPieces | undefined> | undefined;

  constructor(options: SpottingOptions) {
    super(options);
    this.#files = options.files;
  }

  /** Those of the phrases that the model can hear. */
  async keywords(phrases: readonly string[]): Promise<readonly Keyword[]> {
    // Without its files, or with others, it can hear none.
    this.#pieces ??= this.#read().catch(() => undefined);
    const pieces = await this.#pieces;
    if (!pieces) return [];
    return phrases.flatMap((phrase) => {
      const [given, name] = writtenOut(phrase) ?? [];
      const written = given === undefined ? pieces.write(phrase) : given.split(/\s+/);
      return written && pieces.takes(written) ? { phrase: name ?? phrase, pieces: written } : [];
    });
  }

  /** Rejects where it cannot be had. */
  async spot({ keywords, onDetected, onLost }: SpotOptions): Promise<Spotting> {
    const ended = Promise.withResolvers<void>();
    const job = await this.process.open({
      take: (kind, body) => {
        if (kind === fromEngine.failed) job.giveUp('it could not listen');
        if (kind === fromEngine.heard) ended.resolve();
        if (kind !== fromEngine.detected) return;
        const { phrase, seconds } = detectedOf(jsonOf(body));
        if (keywords.some((one) => one.phrase === phrase)) onDetected(phrase, seconds);
      },
      lost: () => {
        ended.resolve();
        onLost();
      },
    });
    job.send(toEngine.spot, jsonBody(keywords));
    return {
      hear: (samples) => job.send(toEngine.samples, samplesBody(samples)),
      end: () => {
        job.send(toEngine.end);
        return ended.promise;
      },
      close: () => {
        ended.resolve();
        job.send(toEngine.cancel);
        job.close();
      },
    };
  }

  async #read(): Promise<WordPieces> {
    const { tokens = '', bpe } = this.#files;
    const [text, model] = await Promise.all([
      readFile(tokens, 'utf8'),
      bpe === undefined ? undefined : readFile(bpe),
    ]);
    return new WordPieces(text, model);
  }
}

function detectedOf(told: unknown): { readonly phrase: string; readonly seconds: number } {
  if (typeof told !== 'object' || told === null || !('phrase' in told) || !('seconds' in told))
    throw new EngineLost('no phrase');
  return { phrase: String(told.phrase), seconds: Number(told.seconds) };
}
