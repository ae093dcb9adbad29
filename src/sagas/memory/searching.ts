import { isHarkError } from '../../errors.ts';
import { type ImportedTurn, readMemoryEvent } from '../../events/memory.ts';
import type { SearchRequest } from '../../projections/memory/index/documents.ts';
import { type Found, foundByWords } from '../../projections/memory/index/foundBothWays.ts';
import type { MemoryIndex } from '../../projections/memory/index/memoryIndex.ts';
import type {
  NearSource,
  VectorIndex,
  VectorQuery,
} from '../../projections/memory/index/vectors/vectorIndex.ts';
import type { Store } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { documentsOfEpisode } from './documents.ts';
import type { MissingVectors } from './missingVectors.ts';
import type { QueryExpansion } from './queryExpansion.ts';
import type { QueryVectors } from './queryVectors.ts';
import { decoded } from './vectorEvents.ts';

export const searchModes = ['keyword', 'semantic', 'hybrid'] as const;

const NEAREST = 100;

interface SearchingParts {
  readonly store: Store;
  readonly index: Pick<MemoryIndex, 'search' | 'begin' | 'add' | 'remove' | 'drop'>;
  readonly vectors: Pick<VectorIndex, 'near' | 'prepare' | 'add' | 'remove' | 'drop'>;
  readonly queryVectors: Pick<QueryVectors, 'of'>;
  readonly expansion: Pick<QueryExpansion, 'expand'>;
  readonly missing: Pick<MissingVectors, 'areNone' | 'lookAgain'>;
  readonly settings: () => { readonly mode: (typeof searchModes)[number]; readonly threshold: number };
  readonly onFailure: (what: string, error: unknown) => void;
}

/**
 * Searches what is remembered, and keeps the indexes that are loaded as the log goes on: in its order, or what was
 * erased could come back. Who searches finds what was remembered before.
 */
export class Searching {
  readonly #parts: SearchingParts;
  /** By user, the last change to the index that is under way. None of them rejects. */
  readonly #changes = new Map<string, Promise<void>>();
  /** Words whose episode comes next: it is in the same append. */
  readonly #imported = new Map<string, readonly ImportedTurn[]>();
  readonly stop: () => void;

  constructor(parts: SearchingParts) {
    this.#parts = parts;
    this.stop = parts.store.onAppended((events) => {
      for (const event of events) this.#follow(event);
    });
  }

  async search(userId: string, asked: SearchRequest): Promise<Found> {
    const { index, expansion, missing, queryVectors, settings } = this.#parts;
    const { mode, threshold } = settings();
    const [query] = await Promise.all([expansion.expand(asked.query), this.#changes.get(userId)]);
    const request = { ...asked, query };
    if (mode === 'keyword') return foundByWords(await index.search(userId, request));
    // What is not there yet is loaded while the other is; a failure shows when it is asked.
    this.#parts.vectors.prepare(userId).catch(() => undefined);
    const [begun, meaning, isWhole] = await Promise.all([
      index.begin(userId, request),
      queryVectors.of(query),
      missing.areNone(userId),
    ]);
    const limit = Math.max(NEAREST, request.passages ?? 0);
    const source = meaning && (await this.#near(userId, { ...meaning, limit, threshold }));
    // What has no vector yet can only be found by its words.
    return begun.finish(source && { source, threshold, isEnough: mode === 'semantic' && isWhole });
  }

  /** Undefined when the vectors cannot be searched: words are enough. */
  async #near(userId: string, query: VectorQuery): Promise<NearSource | undefined> {
    try {
      return await this.#parts.vectors.near(userId, query);
    } catch (error) {
      if (isHarkError(error)) throw error;
      this.#parts.onFailure('vector search', error);
      return undefined;
    }
  }

  #follow(stored: StoredEvent): void {
    const userId = stored.userId ?? '';
    const change = this.#changeFor(userId, stored);
    if (!change) return;
    const { index, vectors, onFailure } = this.#parts;
    const changed = (this.#changes.get(userId) ?? Promise.resolve()).then(change).catch((error) => {
      onFailure('memory index', error);
      // Built anew from the log when it is asked again, it is right.
      index.drop(userId);
      return vectors.drop(userId);
    });
    this.#changes.set(userId, changed);
    void changed.then(() => {
      if (this.#changes.get(userId) === changed) this.#changes.delete(userId);
    });
  }

  #changeFor(userId: string, stored: StoredEvent): (() => Promise<void>) | undefined {
    const { store, index, vectors, missing } = this.#parts;
    const event = readMemoryEvent(stored);
    switch (event?.type) {
      case 'memory.conversation.imported':
        if (event.data.turns) this.#imported.set(event.data.episodeId, event.data.turns);
        return undefined;
      case 'memory.episode.created': {
        missing.lookAgain(userId);
        const turns = this.#imported.get(event.data.episodeId);
        this.#imported.delete(event.data.episodeId);
        return async () => index.add(userId, await documentsOfEpisode(store, userId, event.data, turns));
      }
      case 'memory.episodes.erased':
      case 'memory.episodes.expired': {
        const gone = event.data.episodes.map(({ episodeId }) => episodeId);
        return async () => {
          await Promise.all([index.remove(userId, gone), vectors.remove(userId, gone)]);
        };
      }
      case 'memory.vectors.made': {
        const { model, entries } = decoded(event.data);
        return () => vectors.add(userId, model, entries);
      }
      case 'memory.erased':
        return async () => {
          index.drop(userId);
          await vectors.drop(userId);
        };
      default:
        return undefined;
    }
  }
}
