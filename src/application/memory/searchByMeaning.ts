import { HarkError } from '../../errors.ts';
import type { VectorIndex } from '../../projections/memory/index/vectors/vectorIndex.ts';
import { withinTime } from '../timeout.ts';
import type { Embedder } from './embedder.ts';
import { type SearchMode, searchModes } from './searching.ts';

const LONGEST_CHECK_MS = 1_000;
const BY_WORDS = 'memory is searched by words';

interface SearchByMeaningParts {
  /** What the settings say. */
  readonly wanted: () => unknown;
  readonly embedder: Pick<Embedder, 'model' | 'isFailing'>;
  readonly vectors: Pick<VectorIndex, 'countAll'>;
  /** Why nothing can be found by meaning here now, whatever model there is. */
  readonly absence: () => string | undefined;
}

/** Whether memory is searched by meaning, and how that goes. */
export class SearchByMeaning {
  readonly #parts: SearchByMeaningParts;

  constructor(parts: SearchByMeaningParts) {
    this.#parts = parts;
  }

  /** As the settings want it, where there is what it takes. */
  get mode(): SearchMode {
    const { embedder, absence } = this.#parts;
    return embedder.model === undefined || absence() !== undefined ? 'keyword' : this.#wanted;
  }

  /** A remark where it is not in use, or how much of it is loaded. */
  async check(): Promise<string> {
    const { embedder, vectors, absence } = this.#parts;
    if (this.#wanted === 'keyword') return `Not in use (memorySearchMode): ${BY_WORDS}`;
    const missing = absence();
    if (missing !== undefined) return `${missing}: ${BY_WORDS}`;
    const answer = await withinTime(vectors.countAll(), LONGEST_CHECK_MS);
    if (!answer) throw new HarkError('CHECK_FAILED', { message: 'The vector index does not answer' });
    if (embedder.model === undefined) return `No model in the embedding slot: ${BY_WORDS}`;
    if (embedder.isFailing)
      throw new HarkError('CHECK_FAILED', { message: `The embedding model does not answer: ${BY_WORDS}` });
    const { vectors: documents, bytes } = answer.value;
    return `${documents} documents loaded, ${bytes} bytes`;
  }

  get #wanted(): SearchMode {
    return searchModes.find((mode) => mode === this.#parts.wanted()) ?? 'hybrid';
  }
}
