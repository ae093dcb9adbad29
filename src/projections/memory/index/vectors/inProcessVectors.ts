import type { IndexThread } from '../indexThread.ts';
import { LoadedUsers, type LoadingOptions } from '../loadedUsers.ts';
import type {
  ModelVectors,
  NearSource,
  VectorCount,
  VectorEntry,
  VectorHit,
  VectorIndex,
  VectorQuery,
} from './vectorIndex.ts';

const VECTORS_AT_ONCE = 256;

interface InProcessOptions extends LoadingOptions {
  /** All vectors that are kept of a user. */
  vectors(userId: string): AsyncIterable<{ readonly models: readonly ModelVectors[] }>;
}

/** Exact search in memory, in the thread of the indexes: needs no service. */
export class InProcessVectors implements VectorIndex {
  readonly #thread: IndexThread;
  readonly #users: LoadedUsers;
  readonly #vectors: InProcessOptions['vectors'];

  constructor(thread: IndexThread, { vectors, ...loading }: InProcessOptions) {
    this.#thread = thread;
    this.#vectors = vectors;
    this.#users = new LoadedUsers({
      ...loading,
      fill: (key, userId, isWanted) => this.#fill(key, userId, isWanted),
      drop: (key) => this.#letGo(key),
    });
    thread.onEnded(() => this.#users.clear());
  }

  async add(userId: string, model: string, entries: readonly VectorEntry[]): Promise<void> {
    const key = await this.#users.loadedKey(userId);
    if (key !== undefined) await this.#add(key, userId, { model, entries });
  }

  async remove(userId: string, episodeIds: readonly string[]): Promise<void> {
    const key = await this.#users.loadedKey(userId);
    if (key === undefined) return;
    this.#users.resize(userId, await this.#thread.call('removeVectors', key, episodeIds));
  }

  async drop(userId: string): Promise<void> {
    this.#users.drop(userId);
  }

  async search(userId: string, query: VectorQuery): Promise<readonly VectorHit[]> {
    const key = await this.#users.load(userId);
    return this.#thread.call('nearest', key, query);
  }

  async near(userId: string, query: VectorQuery): Promise<NearSource> {
    return { key: await this.#users.load(userId), query };
  }

  async prepare(userId: string): Promise<void> {
    await this.#users.load(userId);
  }

  /** Starts no thread only to find that it holds nothing. */
  async countAll(): Promise<VectorCount> {
    if (this.#users.count === 0) return { vectors: 0, bytes: 0 };
    return this.#thread.call('countAllVectors');
  }

  async #fill(key: string, userId: string, isWanted: () => boolean): Promise<void> {
    for await (const { models } of this.#vectors(userId)) {
      for (const some of models) {
        if (!isWanted()) return this.#letGo(key);
        await this.#add(key, userId, some);
      }
    }
    if (!isWanted()) this.#letGo(key);
  }

  async #add(key: string, userId: string, { model, entries }: ModelVectors): Promise<void> {
    for (let from = 0; from < entries.length; from += VECTORS_AT_ONCE) {
      const some = entries.slice(from, from + VECTORS_AT_ONCE);
      this.#users.resize(userId, await this.#thread.call('addVectors', key, model, some));
    }
  }

  #letGo(key: string): void {
    this.#thread.call('dropVectors', key).catch(() => {
      // The thread ended, and the vectors with it.
    });
  }
}
