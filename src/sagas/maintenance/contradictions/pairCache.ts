import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../clock.ts';
import type { Store } from '../../../store/port.ts';

const NAME = 'pairCache';
const VERSION = 1;
const MOST_USERS = 64;
const DIGEST_LETTERS = 22;

/** Who judged, a probability from 0 to 1, and when. */
const entries = z.array(z.tuple([z.string(), z.number(), z.number()]));

interface Kept {
  readonly probability: number;
  readonly at: number;
}

interface PairCacheOptions {
  readonly store: () => Store;
  readonly clock: Clock;
  readonly ttlMs: () => number;
  readonly onLookup: (result: 'hit' | 'miss') => void;
}

export interface JudgedPair {
  /** The model, with its revision: what one says is nothing to another. */
  readonly judge: string;
  readonly one: string;
  readonly other: string;
}

/**
 * What models made of pairs of statements, for as long as it counts and somebody asks for it: of what was forgotten
 * nobody does. It knows digests alone; what outlives the process is a snapshot, sealed under the user's key and
 * dropped with the first thing that the user has forgotten.
 */
export class PairCache {
  readonly #options: PairCacheOptions;
  readonly #users = new Map<string, Map<string, Kept>>();

  constructor(options: PairCacheOptions) {
    this.#options = options;
  }

  async open(userId: string): Promise<UserPairs> {
    const known = this.#users.get(userId) ?? (await this.#load(userId));
    this.#users.delete(userId);
    this.#users.set(userId, known);
    const [oldest] = this.#users.keys();
    if (this.#users.size > MOST_USERS && oldest !== undefined) this.#users.delete(oldest);
    // What is forgotten while pairs are judged is not to be kept with them.
    return new UserPairs(this.#options, userId, known, this.#options.store().delivered);
  }

  async #load(userId: string): Promise<Map<string, Kept>> {
    const snapshot = await this.#options.store().loadSnapshot({ owner: userId, name: NAME }, VERSION);
    const { data = [] } = entries.safeParse(snapshot?.state);
    return new Map(data.map(([key, probability, at]) => [key, { probability, at }]));
  }
}

export class UserPairs {
  readonly #options: PairCacheOptions;
  readonly #userId: string;
  readonly #kept: Map<string, Kept>;
  readonly #position: number;
  /** What was asked for, or kept, since it was opened. */
  readonly #used = new Set<string>();

  constructor(options: PairCacheOptions, userId: string, kept: Map<string, Kept>, position: number) {
    this.#options = options;
    this.#userId = userId;
    this.#kept = kept;
    this.#position = position;
  }

  find(pair: JudgedPair): number | undefined {
    const { clock, ttlMs, onLookup } = this.#options;
    const key = keyOf(pair);
    this.#used.add(key);
    const found = this.#kept.get(key);
    const counts = found !== undefined && clock() - found.at < ttlMs();
    onLookup(counts ? 'hit' : 'miss');
    return counts ? found.probability : undefined;
  }

  keep(pair: JudgedPair, probability: number): void {
    const key = keyOf(pair);
    this.#used.add(key);
    this.#kept.set(key, { probability, at: this.#options.clock() });
  }

  /** Keeps beyond the process what counts and was used, and lets go of the rest. */
  async save(): Promise<void> {
    const { clock, ttlMs, store } = this.#options;
    const now = clock();
    for (const [key, { at }] of this.#kept)
      if (!this.#used.has(key) || now - at >= ttlMs()) this.#kept.delete(key);
    const state = Array.from(this.#kept, ([key, { probability, at }]) => [key, probability, at]);
    const snapshot = { version: VERSION, position: this.#position, state };
    await store().saveSnapshot({ owner: this.#userId, name: NAME }, snapshot);
  }
}

/** The same whichever side comes first. */
function keyOf({ judge, one, other }: JudgedPair): string {
  const sides = [one, other].map((text) => hash('sha256', text, 'base64url')).sort();
  return hash('sha256', [judge, ...sides].join('\n'), 'base64url').slice(0, DIGEST_LETTERS);
}
