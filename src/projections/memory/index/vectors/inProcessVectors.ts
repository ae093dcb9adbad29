import type { Position } from '../../../../store/port.ts';
import type { IndexThread } from '../indexThread.ts';
import { LoadedUsers, type LoadingOptions, userOf } from '../loadedUsers.ts';
import type { Size } from '../messages.ts';
import { SavedIndex, type SavingOptions } from '../savedIndex.ts';
import type {
  ModelVectors,
  NearSource,
  VectorCount,
  VectorHit,
  VectorIndex,
  VectorQuery,
} from './vectorIndex.ts';
import { inRows } from './vectorRows.ts';

const VECTORS_AT_ONCE = 256;
/** So many times that may wait in memory to be taken in. */
const MOST_UNDER_WAY = 16;

interface InProcessOptions extends LoadingOptions {
  /** All vectors that are kept of a user and came after this position. */
  vectors(userId: string, after: Position): AsyncIterable<{ readonly models: readonly ModelVectors[] }>;
  /** Where large indexes are kept. */
  readonly saving?: SavingOptions;
}

/** Exact search in memory, in the thread of the indexes: needs no service. */
export class InProcessVectors implements VectorIndex {
  readonly #thread: IndexThread;
  readonly #users: LoadedUsers;
  readonly #vectors: InProcessOptions['vectors'];
  readonly #saved: SavedIndex | undefined;

  constructor(thread: IndexThread, { vectors, saving, ...loading }: InProcessOptions) {
    this.#thread = thread;
    this.#vectors = vectors;
    this.#saved = saving && new SavedIndex({ ...saving, thread, kind: 'vectors', ...loading });
    this.#users = new LoadedUsers({
      ...loading,
      fill: (key, userId, isWanted) => this.#fill(key, userId, isWanted),
      drop: (key) => this.#letGo(key),
    });
    thread.onEnded(() => {
      this.#users.clear();
      this.#saved?.clear();
    });
  }

  async add(userId: string, vectors: ModelVectors): Promise<void> {
    const key = await this.#users.loadedKey(userId);
    if (key !== undefined) await this.#add(key, vectors);
  }

  async remove(userId: string, owners: readonly string[]): Promise<void> {
    const key = await this.#users.loadedKey(userId);
    if (key !== undefined) this.#resize(key, await this.#thread.call('removeVectors', key, owners));
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

  /** Writes none down any more. */
  stop(): void {
    this.#saved?.stop();
  }

  /** Starts no thread only to find that it holds nothing. */
  async countAll(): Promise<VectorCount> {
    if (this.#users.count === 0) return { vectors: 0, bytes: 0 };
    return this.#thread.call('countAllVectors');
  }

  /** What is read goes on while the thread takes in what was, or is still starting. */
  async #fill(key: string, userId: string, isWanted: () => boolean): Promise<void> {
    this.#thread.wake();
    const underWay: Promise<Size>[] = [];
    const restored = await this.#saved?.restore(key);
    if (restored) this.#users.resize(userId, restored.size);
    for await (const { models } of this.#vectors(userId, restored?.position ?? 0)) {
      for (const { entries, ...name } of models) {
        for (const rows of inRows(entries, VECTORS_AT_ONCE)) {
          if (!isWanted()) return this.#letGo(key);
          const sent = this.#thread.addVectors(key, name, rows);
          // Whoever waits for it is told.
          sent.catch(() => undefined);
          const oldest = underWay.push(sent) > MOST_UNDER_WAY ? underWay.shift() : undefined;
          if (oldest) this.#users.resize(userId, await oldest);
        }
      }
    }
    for (const sent of underWay) this.#resize(key, await sent);
    if (!isWanted()) this.#letGo(key);
  }

  async #add(key: string, { entries, ...name }: ModelVectors): Promise<void> {
    for (const rows of inRows(entries, VECTORS_AT_ONCE))
      this.#resize(key, await this.#thread.addVectors(key, name, rows));
  }

  #resize(key: string, size: Size): void {
    this.#users.resize(userOf(key), size);
    this.#saved?.note(key, size);
  }

  #letGo(key: string): void {
    this.#saved?.drop(key);
    this.#thread.call('dropVectors', key).catch(() => {
      // The thread ended, and the vectors with it.
    });
  }
}
