import { ofEpisode } from '../../../../events/episodes.ts';
import type { Position, Vectors } from '../../../../store/port.ts';
import { ownerOf } from '../documents.ts';
import { directionOf } from './direction.ts';
import {
  type ModelVectors,
  type NearSource,
  nameOfSet,
  type VectorCount,
  type VectorHit,
  type VectorIndex,
  type VectorQuery,
} from './vectorIndex.ts';

const MOST_REMEMBERED = 10_000;

export interface VectorsUpTo {
  readonly position: Position;
  readonly models: readonly ModelVectors[];
}

interface InStoreOptions {
  readonly store: Vectors;
  /** The vectors that are kept of a user after this position, and up to where was looked. */
  vectors(userId: string, after: Position): AsyncIterable<VectorsUpTo>;
}

/**
 * Search in the store that keeps the log. What the log has and the store has not, because no hark that can search was
 * there or because it was emptied, is taken in when the user next searches. Several processes may do so at once.
 */
export class VectorsInStore implements VectorIndex {
  readonly #options: InStoreOptions;
  /** Users of whom everything is there, as far as this process had to see to it. */
  readonly #whole = new Map<string, Promise<void>>();

  constructor(options: InStoreOptions) {
    this.#options = options;
  }

  async add(userId: string, vectors: ModelVectors): Promise<void> {
    // Of any other user it comes with the rest.
    if (!this.#whole.has(userId)) return;
    await this.#whole.get(userId);
    await this.#keep(userId, vectors);
  }

  /** The store dropped them in the transaction that forgot their owners, and takes in no others of those. */
  async remove(): Promise<void> {}

  async drop(userId: string): Promise<void> {
    this.#whole.delete(userId);
  }

  async search(
    userId: string,
    { threshold, vector, limit, ...name }: VectorQuery,
  ): Promise<readonly VectorHit[]> {
    await this.#takeIn(userId);
    if (!directionOf(vector) || limit === 0) return [];
    const found = await this.#options.store.nearest(userId, { model: nameOfSet(name), vector, limit });
    return found
      .filter(({ similarity }) => similarity >= threshold)
      .sort((one, other) => other.similarity - one.similarity);
  }

  async near(userId: string, query: VectorQuery): Promise<NearSource> {
    return { hits: await this.search(userId, query) };
  }

  prepare(userId: string): Promise<void> {
    return this.#takeIn(userId);
  }

  countAll(): Promise<VectorCount> {
    return this.#options.store.count();
  }

  #takeIn(userId: string): Promise<void> {
    const begun = this.#whole.get(userId);
    if (begun) return begun;
    const taken = this.#takeInMissing(userId);
    this.#whole.set(userId, taken);
    taken.catch(() => {
      if (this.#whole.get(userId) === taken) this.#whole.delete(userId);
    });
    const [oldest] = this.#whole.keys();
    if (this.#whole.size > MOST_REMEMBERED && oldest !== undefined) this.#whole.delete(oldest);
    return taken;
  }

  async #takeInMissing(userId: string): Promise<void> {
    const { store, vectors } = this.#options;
    for await (const { position, models } of vectors(userId, await store.takenIn(userId))) {
      for (const some of models) await this.#keep(userId, some);
      await store.noteTakenIn(userId, position);
    }
  }

  /** Those without a direction could not be compared with anything. */
  async #keep(userId: string, { entries, ...name }: ModelVectors): Promise<void> {
    const alike = Map.groupBy(
      entries.filter(({ vector }) => directionOf(vector)),
      ({ id, vector }) => `${vector.length} ${ownerOf(id)}`,
    );
    for (const some of alike.values()) {
      const [first] = some;
      if (!first) continue;
      const owner = ownerOf(first.id);
      const subject = name.of === 'statements' ? owner : ofEpisode({ episodeId: owner });
      await this.#options.store.keep({ userId, subject, model: nameOfSet(name) }, some);
    }
  }
}
