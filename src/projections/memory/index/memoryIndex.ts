import type { Position } from '../../../store/port.ts';
import type { IndexDocument, SearchRequest, SearchResult } from './documents.ts';
import type { Found } from './foundBothWays.ts';
import type { IndexThread } from './indexThread.ts';
import { LoadedUsers, type LoadingOptions, userOf } from './loadedUsers.ts';
import type { Meaning, Size } from './messages.ts';
import { SavedIndex, type SavingOptions } from './savedIndex.ts';

/** More would hold up the main thread while it is copied. */
const DOCUMENTS_AT_ONCE = 256;
const CHARACTERS_AT_ONCE = 1_000_000;
/** So many times that may wait in memory to be taken in. */
const MOST_UNDER_WAY = 8;

interface BegunSearch {
  finish(meaning?: Meaning): Promise<Found>;
}

interface MemoryIndexOptions extends LoadingOptions {
  /** All documents of a user that came after this position, those of an episode in their order. */
  documents(userId: string, after: Position): AsyncIterable<readonly IndexDocument[]>;
  /** Where large indexes are kept. */
  readonly saving?: SavingOptions;
}

/**
 * Finds by words. Each user has an index of their own in a thread beside the main one; it is built when it is first
 * searched, follows what is added and removed from then on, and goes when it is idle.
 */
export class MemoryIndex {
  readonly #thread: IndexThread;
  readonly #users: LoadedUsers;
  readonly #documents: MemoryIndexOptions['documents'];
  readonly #saved: SavedIndex | undefined;
  #lastSearch = 0;

  constructor(thread: IndexThread, { documents, saving, ...loading }: MemoryIndexOptions) {
    this.#thread = thread;
    this.#documents = documents;
    this.#saved = saving && new SavedIndex({ ...saving, thread, kind: 'words', ...loading });
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

  /** How many users' indexes are there. */
  get users(): number {
    return this.#users.count;
  }

  async search(userId: string, request: SearchRequest): Promise<SearchResult> {
    const key = await this.#users.load(userId);
    return this.#thread.call('search', key, request);
  }

  /** Begins to search by words; what the query means may be told when that is finished. */
  async begin(userId: string, request: SearchRequest): Promise<BegunSearch> {
    const key = await this.#users.load(userId);
    const search = ++this.#lastSearch;
    this.#thread.call('begin', key, search, request).catch(() => {
      // Whoever finishes it is told.
    });
    return {
      // An index that was dropped meanwhile is loaded again, and searched anew.
      finish: async (meaning) =>
        this.#thread.call('finish', await this.#users.load(userId), search, request, meaning),
    };
  }

  /** Documents that were not there when the index was loaded. One that is there already is left as it is. */
  async add(userId: string, documents: readonly IndexDocument[]): Promise<void> {
    const key = await this.#users.loadedKey(userId);
    if (key !== undefined) await this.#add(key, documents);
  }

  /** No search that begins afterwards finds them, and no word of them is kept. */
  async remove(userId: string, episodeIds: readonly string[]): Promise<void> {
    const key = await this.#users.loadedKey(userId);
    if (key !== undefined) this.#resize(key, await this.#thread.call('remove', key, episodeIds));
  }

  drop(userId: string): void {
    this.#users.drop(userId);
  }

  /** Writes none down any more. */
  stop(): void {
    this.#saved?.stop();
  }

  /** What is read goes on while the thread takes in what was, or is still starting. */
  async #fill(key: string, userId: string, isWanted: () => boolean): Promise<void> {
    this.#thread.wake();
    const underWay: Promise<Size>[] = [];
    const restored = await this.#saved?.restore(key);
    if (restored) this.#users.resize(userId, restored.size);
    for await (const documents of this.#documents(userId, restored?.position ?? 0)) {
      for (const part of inParts(documents)) {
        if (!isWanted()) return this.#letGo(key);
        const sent = this.#thread.call('add', key, part);
        // Whoever waits for it is told.
        sent.catch(() => undefined);
        const oldest = underWay.push(sent) > MOST_UNDER_WAY ? underWay.shift() : undefined;
        if (oldest) this.#users.resize(userId, await oldest);
      }
    }
    for (const sent of underWay) this.#resize(key, await sent);
    if (!isWanted()) this.#letGo(key);
  }

  async #add(key: string, documents: readonly IndexDocument[]): Promise<void> {
    for (const part of inParts(documents)) this.#resize(key, await this.#thread.call('add', key, part));
  }

  #resize(key: string, size: Size): void {
    this.#users.resize(userOf(key), size);
    this.#saved?.note(key, size);
  }

  #letGo(key: string): void {
    this.#saved?.drop(key);
    this.#thread.call('drop', key).catch(() => {
      // The thread ended, and the index with it.
    });
  }
}

function* inParts(documents: readonly IndexDocument[]): Generator<readonly IndexDocument[]> {
  let from = 0;
  let characters = 0;
  for (const [at, { text }] of documents.entries()) {
    const isFull = at - from === DOCUMENTS_AT_ONCE || characters + text.length > CHARACTERS_AT_ONCE;
    if (isFull && at > from) {
      yield documents.slice(from, at);
      from = at;
      characters = 0;
    }
    characters += text.length;
  }
  if (from < documents.length) yield documents.slice(from);
}
