import { modelName } from '../../events/providers.ts';
import { Timeout } from '../timeout.ts';
import type { Embedder } from './embedder.ts';

const LIMIT_MS = 300;
const LONGEST_QUERY = 1_000;

interface QueryVectorsOptions {
  readonly embedder: Pick<Embedder, 'model' | 'isResting' | 'embed'>;
  readonly onFailure: (what: string, error: unknown) => void;
  /** How long a search waits for it. */
  readonly limitMs?: number;
}

export interface QueryVector {
  /** Whose vectors it can be compared with. */
  readonly model: string;
  readonly vector: Float32Array;
}

/** What a query means, where a model tells it in time. Whoever searches then searches by words alone. */
export class QueryVectors {
  readonly #options: QueryVectorsOptions;
  readonly #limitMs: number;
  readonly #timeout = new Timeout();
  readonly #stopped = new AbortController();

  constructor(options: QueryVectorsOptions) {
    this.#options = options;
    this.#limitMs = options.limitMs ?? LIMIT_MS;
  }

  async of(query: string): Promise<QueryVector | undefined> {
    const { embedder, onFailure } = this.#options;
    if (embedder.model === undefined || embedder.isResting) return undefined;
    const ask = () =>
      this.#ask(query).catch((error) => {
        if (!this.#stopped.signal.aborted) onFailure('query embedding', error);
        return undefined;
      });
    return this.#timeout.within(this.#limitMs, ask);
  }

  /** Gives up what is still being asked. */
  stop(): void {
    this.#stopped.abort();
  }

  async #ask(query: string): Promise<QueryVector | undefined> {
    const texts = [query.slice(0, LONGEST_QUERY)];
    const answer = await this.#options.embedder.embed(texts, this.#stopped.signal);
    const [vector] = answer.vectors;
    return vector && { model: modelName(answer), vector };
  }
}
