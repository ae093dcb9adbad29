import type { Clock } from '../../clock.ts';
import type { KeepVectors } from '../../commands/memory/keepVectors.ts';
import { HarkError } from '../../errors.ts';
import type { ModelRef } from '../../events/providers.ts';
import { modelName } from '../../events/providers.ts';
import type { IndexDocument } from '../../projections/memory/index/documents.ts';
import { shortened } from '../../projections/memory/index/excerpt.ts';
import type { Embedded, Models } from '../models.ts';
import { bounded } from '../timeout.ts';
import { encoded } from './vectorEvents.ts';

const LONGEST_CALL_MS = 20_000;
const PAUSE_MS = 30_000;
const TEXTS_AT_ONCE = 64;
const LONGEST_TEXT = 2_000;
const NOTHING_SAID = '…';
/** Of one episode: what comes after is found by its words. */
const MOST_DOCUMENTS = 512;

interface EmbedderOptions {
  readonly models: Pick<Models, 'embed'>;
  /** The model that the `embedding` slot names first. */
  readonly slot: () => ModelRef | undefined;
  readonly clock: Clock;
}

/** Has the model of the `embedding` slot say what texts mean, and knows how that goes. */
export class Embedder {
  readonly #options: EmbedderOptions;
  #failed: { readonly model: string | undefined; readonly at: number } | undefined;

  constructor(options: EmbedderOptions) {
    this.#options = options;
  }

  /** Under which vectors are kept; undefined without a model. */
  get model(): string | undefined {
    const ref = this.#options.slot();
    return ref && modelName(ref);
  }

  /** The last question had no answer, and the model is still the same. */
  get isFailing(): boolean {
    return this.#failed !== undefined && this.#failed.model === this.model;
  }

  /** It failed a moment ago: what can wait had better. */
  get isResting(): boolean {
    return this.isFailing && this.#options.clock() - (this.#failed?.at ?? 0) < PAUSE_MS;
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded> {
    const asking = { slot: 'embedding', correlationId: 'memory' } as const;
    const reasonFor = (end: 'late' | 'cancelled') =>
      end === 'late' ? new HarkError('MODEL_TIMEOUT') : signal.reason;
    try {
      const answer = await bounded({ ms: LONGEST_CALL_MS, cancelled: signal, reasonFor }, (within) =>
        this.#options.models.embed({ ...asking, signal: within() }, { texts }),
      );
      this.#failed = undefined;
      return answer;
    } catch (error) {
      if (!signal.aborted) this.#failed = { model: this.model, at: this.#options.clock() };
      throw error;
    }
  }

  /** What episodes say, each given with all of its documents, as it is to be kept. */
  async embedEpisodes(
    episodes: readonly (readonly IndexDocument[])[],
    signal: AbortSignal,
  ): Promise<KeepVectors> {
    const texts = episodes
      .flatMap((documents) => documents.slice(0, MOST_DOCUMENTS))
      // Of an episode there is always something, or it would be made again and again.
      .filter(({ kind, text }) => kind === 'episode' || text.trim() !== '')
      .map(({ id, episodeId, text }) => {
        return { id, episodeId, text: shortened(text.trim(), LONGEST_TEXT) || NOTHING_SAID };
      });
    const made: KeepVectors[number][] = [];
    for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
      const some = texts.slice(from, from + TEXTS_AT_ONCE);
      const answer = await this.embed(
        some.map(({ text }) => text),
        signal,
      );
      made.push(...encoded(some, answer));
    }
    return made;
  }
}
