import { type ImportedTurn, readMemoryEvent } from '../../events/memory.ts';
import type { SearchRequest, SearchResult } from '../../projections/memory/index/documents.ts';
import type { MemoryIndex } from '../../projections/memory/index/memoryIndex.ts';
import type { Store } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { documentsOfEpisode } from './documents.ts';

interface SearchingParts {
  readonly store: Store;
  readonly index: Pick<MemoryIndex, 'search' | 'add' | 'remove' | 'drop'>;
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

  async search(userId: string, request: SearchRequest): Promise<SearchResult> {
    await this.#changes.get(userId);
    return this.#parts.index.search(userId, request);
  }

  #follow(stored: StoredEvent): void {
    const userId = stored.userId ?? '';
    const change = this.#changeFor(userId, stored);
    if (!change) return;
    const { index, onFailure } = this.#parts;
    const changed = (this.#changes.get(userId) ?? Promise.resolve()).then(change).catch((error) => {
      onFailure('memory index', error);
      // Built anew from the log when it is asked again, it is right.
      index.drop(userId);
    });
    this.#changes.set(userId, changed);
    void changed.then(() => {
      if (this.#changes.get(userId) === changed) this.#changes.delete(userId);
    });
  }

  #changeFor(userId: string, stored: StoredEvent): (() => Promise<void>) | undefined {
    const { store, index } = this.#parts;
    const event = readMemoryEvent(stored);
    switch (event?.type) {
      case 'memory.conversation.imported':
        if (event.data.turns) this.#imported.set(event.data.episodeId, event.data.turns);
        return undefined;
      case 'memory.episode.created': {
        const turns = this.#imported.get(event.data.episodeId);
        this.#imported.delete(event.data.episodeId);
        return async () => index.add(userId, await documentsOfEpisode(store, userId, event.data, turns));
      }
      case 'memory.episodes.erased':
      case 'memory.episodes.expired': {
        const gone = event.data.episodes.map(({ episodeId }) => episodeId);
        return () => index.remove(userId, gone);
      }
      case 'memory.erased':
        return async () => index.drop(userId);
      default:
        return undefined;
    }
  }
}
