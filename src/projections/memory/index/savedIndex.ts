import { randomInt } from 'node:crypto';
import type { Clock, Wake } from '../../../clock.ts';
import { fairShare, hasTime } from '../../../fairShare.ts';
import type { Deliveries, OwnedKey, Position, Snapshots } from '../../../store/port.ts';
import type { IndexThread } from './indexThread.ts';
import { userOf } from './loadedUsers.ts';
import type { IndexKind, Size } from './messages.ts';
import { type Frame, frameOf, type IndexPiece } from './pieces.ts';

/** To be raised whenever texts are taken apart in another way, or pieces are laid out otherwise: a test says so then. */
const VERSION = 1;
/** What is smaller is drawn from the log as quickly. */
const FEWEST = 500;
/** By so much an index has to grow until it is written anew: there are some megabytes of it. */
const GROWTH = 1 / 10;
/** After an import or a sweep, which go on for a while. */
const REST_MS = 30_000;
/** For who forgets something again and again. */
const PAUSE_MS = 10 * 60_000;
const MOST_UNDER_WAY = 4;
const MOST_SAVES = 2 ** 32 - 1;

export interface SavingOptions {
  readonly store: Pick<Snapshots, 'saveBytes' | 'loadBytes'> & Deliveries;
  /** Resolves when all that has been delivered of the user is in the index. */
  readonly settled: (userId: string) => Promise<void>;
}

interface SavedIndexOptions extends SavingOptions {
  readonly thread: IndexThread;
  readonly kind: IndexKind;
  readonly clock: Clock;
  readonly wake: Wake;
}

interface Known {
  readonly key: string;
  entries: number;
  /** How many of them are kept; none, once anything of the user was forgotten. */
  saved: number;
  changedAt: number;
  savedAt: number;
  /** Where it is to be looked at again. */
  cancelWake: (() => void) | undefined;
}

export interface Restored {
  readonly size: Size;
  /** Up to here it has taken in the log. */
  readonly position: Position;
}

interface Loaded {
  readonly frame: Frame;
  readonly piece: IndexPiece;
  readonly position: Position;
}

/**
 * Large indexes beside the log, sealed under their user's key: who comes back need not wait until all is read again.
 * Whatever a user forgets drops them, and what does not read back is none. They are written once they have rested.
 */
export class SavedIndex {
  readonly #options: SavedIndexOptions;
  /** By user. */
  readonly #known = new Map<string, Known>();
  readonly #stopListening: () => void;

  constructor(options: SavedIndexOptions) {
    this.#options = options;
    this.#stopListening = options.store.onAppended((events) => {
      for (const { owner, forgets } of events) if (forgets.length > 0) this.#noteForget(owner);
    });
  }

  /** Fills an index with what was kept of it; undefined, and nothing is in it, where that was nothing. */
  async restore(key: string): Promise<Restored | undefined> {
    const first = await this.#load(userOf(key), 0);
    if (!first) return undefined;
    try {
      const size = await this.#restoreAll(key, first);
      if (size) {
        this.#begin(key, { entries: size.entries, saved: size.entries, savedAt: this.#options.clock() });
        return { size, position: first.position };
      }
    } catch {
      // What was taken in of it goes.
    }
    await this.#options.thread.call(this.#options.kind === 'words' ? 'drop' : 'dropVectors', key);
    return undefined;
  }

  /** How much the index has now. */
  note(key: string, { entries }: Size): void {
    const before = this.#known.get(userOf(key));
    const known = before?.key === key ? before : this.#begin(key, { entries, saved: 0, savedAt: 0 });
    known.entries = entries;
    known.changedAt = this.#options.clock();
    this.#plan(known);
  }

  drop(key: string): void {
    const known = this.#known.get(userOf(key));
    if (known?.key !== key) return;
    known.cancelWake?.();
    this.#known.delete(userOf(key));
  }

  clear(): void {
    for (const { key } of [...this.#known.values()]) this.drop(key);
  }

  stop(): void {
    this.#stopListening();
    this.clear();
  }

  #begin(key: string, counted: Pick<Known, 'entries' | 'saved' | 'savedAt'>): Known {
    this.#known.get(userOf(key))?.cancelWake?.();
    const known: Known = { key, ...counted, changedAt: this.#options.clock(), cancelWake: undefined };
    this.#known.set(userOf(key), known);
    return known;
  }

  #noteForget(userId: string): void {
    const known = this.#known.get(userId);
    if (!known) return;
    known.saved = 0;
    known.changedAt = this.#options.clock();
    this.#plan(known);
  }

  #plan(known: Known): void {
    const grown = known.entries - known.saved;
    if (known.cancelWake || grown < Math.max(FEWEST, known.saved * GROWTH)) return;
    const at = Math.max(known.changedAt + REST_MS, known.savedAt + PAUSE_MS);
    known.cancelWake = this.#options.wake(at, () => {
      known.cancelWake = undefined;
      if (this.#options.clock() < known.changedAt + REST_MS) this.#plan(known);
      // Only a cache: without it, all is read from the log.
      else void this.#save(known).catch(() => undefined);
    });
  }

  async #save(known: Known): Promise<void> {
    const { store, thread, kind, settled, clock } = this.#options;
    const { key, changedAt } = known;
    const userId = userOf(key);
    known.savedAt = clock();
    const position = store.delivered;
    await settled(userId);
    const { entries } = known;
    const count = await thread.call('beginPieces', key, kind, randomInt(MOST_SAVES));
    for (let number = 0; number < count; number++) {
      const state = await thread.call('piece', key, kind, number);
      const isKept =
        state && (await store.saveBytes(this.#nameOf(userId, number), { version: VERSION, position, state }));
      // It changed meanwhile, or something was forgotten: it is written when it has rested again.
      if (!isKept) return this.#plan(known);
      if (!hasTime()) await fairShare();
    }
    if (known.changedAt === changedAt) known.saved = entries;
  }

  async #restoreAll(key: string, first: Loaded): Promise<Size | undefined> {
    const { thread, kind } = this.#options;
    const restored: Promise<Size>[] = [];
    for (let number = 0; number < first.frame.of; number++) {
      const loaded = number === 0 ? first : await this.#load(userOf(key), number);
      // Of another save, that the end of a process cut off, or gone because something was forgotten.
      if (loaded?.frame.save !== first.frame.save) return undefined;
      const sent = thread.restore(key, kind, loaded.piece);
      // Whoever waits for it is told.
      sent.catch(() => undefined);
      restored.push(sent);
      await restored[number - MOST_UNDER_WAY];
      if (!hasTime()) await fairShare();
    }
    return (await Promise.all(restored)).at(-1);
  }

  async #load(userId: string, number: number): Promise<Loaded | undefined> {
    const saved = await this.#options.store.loadBytes(this.#nameOf(userId, number), VERSION);
    if (!saved) return undefined;
    const frame = frameOf(saved.state);
    return frame?.number === number ? { frame, piece: saved.state, position: saved.position } : undefined;
  }

  #nameOf(owner: string, number: number): OwnedKey {
    return { owner, name: `index of ${this.#options.kind} ${number}` };
  }
}
