import type { SettableClock } from '../../src/clock.ts';
import { isEvent } from '../../src/events/definition.ts';
import type { IndexDocument, SearchResult } from '../../src/projections/memory/index/documents.ts';
import type { IndexThread } from '../../src/projections/memory/index/indexThread.ts';
import { MemoryIndex } from '../../src/projections/memory/index/memoryIndex.ts';
import { type Frame, frameOf } from '../../src/projections/memory/index/pieces.ts';
import type { Log } from '../../src/store/log.ts';
import type { StoredEvent } from '../../src/store/storedEvent.ts';
import { AT, noted } from '../store/sampleEvents.ts';

/** By then a large index is kept, however recently that was done; it is not yet dropped for being idle. */
export const SAVED_AFTER_MS = 11 * 60_000;

interface Watching {
  /** Called when a piece has been kept. */
  readonly onPiece?: (frame: Frame) => void;
  /** Called with the position after which the log is read. */
  readonly onRead?: (after: number) => void;
}

/** Of the notes of a log, kept beside it. */
export function indexOf(
  log: Log,
  thread: IndexThread,
  clock: SettableClock,
  { onPiece, onRead }: Watching = {},
): MemoryIndex {
  return new MemoryIndex(thread, {
    clock: clock.read,
    wake: clock.wake,
    async *documents(userId, after) {
      onRead?.(after);
      for await (const { events } of log.readAll({ after, userId })) yield events.flatMap(documentOf);
    },
    saving: {
      store: {
        async saveBytes(key, piece) {
          const isKept = await log.saveBytes(key, piece);
          const frame = frameOf(piece.state);
          if (frame) onPiece?.(frame);
          return isKept;
        },
        loadBytes: (key, version) => log.loadBytes(key, version),
        onAppended: (listener) => log.onAppended(listener),
        onReplaced: (listener) => log.onReplaced(listener),
        get delivered() {
          return log.delivered;
        },
      },
      settled: async () => {},
    },
  });
}

export function documentOf(event: StoredEvent): readonly IndexDocument[] {
  if (!isEvent(event, noted) || event.data.text === null) return [];
  const { note: id, text } = event.data;
  return [{ id, episodeId: id, kind: 'episode', text, at: AT, importance: 0.5 }];
}

export function find(index: MemoryIndex, query: string): Promise<SearchResult> {
  return index.search('ann', { query, limit: 50, passages: 50, now: AT });
}
