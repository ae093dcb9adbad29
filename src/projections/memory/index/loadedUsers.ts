import type { Clock, Wake } from '../../../clock.ts';
import type { Size } from './messages.ts';

const IDLE_MS = 15 * 60_000;
const MOST_BYTES = 96 * 2 ** 20;

export interface LoadingOptions {
  readonly clock: Clock;
  readonly wake: Wake;
  /** After so long unused an index goes. */
  readonly idleMs?: number;
  /** Above this those go that were used longest ago. */
  readonly mostBytes?: number;
}

interface Filling extends LoadingOptions {
  /** Fills the index of this key with what there is of the user, until it is done or no longer wanted. */
  fill(key: string, userId: string, isWanted: () => boolean): Promise<void>;
  /** Lets go of an index. */
  drop(key: string): void;
}

/** Of all that were ever loaded: none gets the key of another. */
let lastNumber = 0;

/** Whose index has this key. */
export function userOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

interface Loaded {
  readonly key: string;
  readonly ready: Promise<void>;
  bytes: number;
  usedAt: number;
  cancelWake: () => void;
}

/**
 * Which users' indexes are there: loaded when they are used, dropped when idle or when there are too many. A user who
 * comes back gets an index with another key, so that what was still under way for the old one reaches nobody.
 */
export class LoadedUsers {
  readonly #options: Required<Filling>;
  readonly #loaded = new Map<string, Loaded>();

  constructor(options: Filling) {
    this.#options = { idleMs: IDLE_MS, mostBytes: MOST_BYTES, ...options };
  }

  get count(): number {
    return this.#loaded.size;
  }

  /** The key of the user's index, which is complete then. */
  async load(userId: string): Promise<string> {
    for (;;) {
      const loaded = this.#loaded.get(userId) ?? this.#begin(userId);
      loaded.usedAt = this.#options.clock();
      // The last of the map is the one that was used last.
      this.#loaded.delete(userId);
      this.#loaded.set(userId, loaded);
      await loaded.ready;
      if (this.#loaded.get(userId) === loaded) return loaded.key;
    }
  }

  /** The key of an index that is there, or will be when it is loaded; undefined when there is nothing to change. */
  async loadedKey(userId: string): Promise<string | undefined> {
    const loaded = this.#loaded.get(userId);
    await loaded?.ready.catch(() => undefined);
    return loaded && this.#loaded.get(userId) === loaded ? loaded.key : undefined;
  }

  resize(userId: string, { bytes }: Pick<Size, 'bytes'>): void {
    const loaded = this.#loaded.get(userId);
    if (!loaded) return;
    loaded.bytes = bytes;
    let total = 0;
    for (const one of this.#loaded.values()) total += one.bytes;
    for (const [other, one] of this.#loaded) {
      if (total <= this.#options.mostBytes) return;
      if (one === loaded) continue;
      total -= one.bytes;
      this.drop(other);
    }
  }

  drop(userId: string): void {
    const loaded = this.#loaded.get(userId);
    if (!loaded) return;
    this.#loaded.delete(userId);
    loaded.cancelWake();
    this.#options.drop(loaded.key);
  }

  /** All indexes are gone already. */
  clear(): void {
    for (const { cancelWake } of this.#loaded.values()) cancelWake();
    this.#loaded.clear();
  }

  #begin(userId: string): Loaded {
    const key = `${++lastNumber} ${userId}`;
    const isWanted = () => this.#loaded.get(userId)?.key === key;
    // Not before it is among the loaded ones.
    const ready = Promise.resolve().then(() => this.#options.fill(key, userId, isWanted));
    const loaded: Loaded = { key, ready, bytes: 0, usedAt: this.#options.clock(), cancelWake: () => {} };
    ready.catch(() => isWanted() && this.drop(userId));
    this.#loaded.set(userId, loaded);
    this.#watch(userId, loaded);
    return loaded;
  }

  #watch(userId: string, loaded: Loaded): void {
    const { clock, wake, idleMs } = this.#options;
    loaded.cancelWake = wake(loaded.usedAt + idleMs, () => {
      if (this.#loaded.get(userId) !== loaded) return;
      if (clock() - loaded.usedAt >= idleMs) this.drop(userId);
      else this.#watch(userId, loaded);
    });
  }
}
