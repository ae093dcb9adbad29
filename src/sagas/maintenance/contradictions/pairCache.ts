import { hash } from 'node:crypto';
import { setImmediate as breath } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../../../clock.ts';
import type { Deliveries, Snapshots } from '../../../store/port.ts';

const NAME = 'pairCache';
const VERSION = 2;
const MOST_USERS = 64;
/** Of one user; those that are judged last stay. */
const MOST_PAIRS = 20_000;
const DIGEST_LETTERS = 22;
const HASHED_AT_ONCE = 1_000;

/** The digests of both sides and of who judged, a probability from 0 to 1, and when. */
const entries = z.array(z.tuple([z.string(), z.number(), z.number()]));

interface Kept {
  readonly probability: number;
  readonly at: number;
}

interface PairCacheOptions {
  readonly store: () => Deliveries & Snapshots;
  readonly clock: Clock;
  readonly ttlMs: () => number;
  /** Whatever of the user's may be judged: what is forgotten is not among it. */
  readonly statementsOf: (userId: string) => Promise<Iterable<string>>;
  readonly onLookup: (result: 'hit' | 'miss') => void;
}

export interface JudgedPair {
  /** The model, with its revision: what one says is nothing to another. */
  readonly judge: string;
  readonly one: string;
  readonly other: string;
}

/**
 * What models made of pairs of statements, for as long as it counts. It knows digests alone; what outlives the process
 * is a snapshot, sealed under the user's key and dropped with the first thing that the user has forgotten: of what the
 * process knows by then, only that stays whose statements are still there.
 */
export class PairCache {
  readonly #options: PairCacheOptions;
  readonly #users = new Map<string, Map<string, Kept>>();

  constructor(options: PairCacheOptions) {
    this.#options = options;
  }

  async open(userId: string): Promise<UserPairs> {
    // What is forgotten from now on is not to be kept with them.
    const position = this.#options.store().delivered;
    const known = (await this.#load(userId)) ?? (await this.#stillThere(userId));
    this.#users.delete(userId);
    this.#users.set(userId, known);
    const [oldest] = this.#users.keys();
    if (this.#users.size > MOST_USERS && oldest !== undefined) this.#users.delete(oldest);
    return new UserPairs(this.#options, userId, known, position);
  }

  async #load(userId: string): Promise<Map<string, Kept> | undefined> {
    const snapshot = await this.#options.store().loadSnapshot({ owner: userId, name: NAME }, VERSION);
    const { data } = entries.safeParse(snapshot?.state);
    return data && new Map(data.map(([key, probability, at]) => [key, { probability, at }]));
  }

  async #stillThere(userId: string): Promise<Map<string, Kept>> {
    const kept = this.#users.get(userId) ?? new Map<string, Kept>();
    if (kept.size === 0) return kept;
    const known = new Set<string>();
    for (const text of await this.#options.statementsOf(userId)) {
      known.add(digestOf(text));
      if (known.size % HASHED_AT_ONCE === 0) await breath();
    }
    return new Map([...kept].filter(([key]) => sidesOf(key).every((side) => known.has(side))));
  }
}

export class UserPairs {
  readonly #options: PairCacheOptions;
  readonly #userId: string;
  readonly #kept: Map<string, Kept>;
  readonly #position: number;

  constructor(options: PairCacheOptions, userId: string, kept: Map<string, Kept>, position: number) {
    this.#options = options;
    this.#userId = userId;
    this.#kept = kept;
    this.#position = position;
  }

  find(pair: JudgedPair): number | undefined {
    const { clock, ttlMs, onLookup } = this.#options;
    const key = keyOf(pair);
    const found = this.#kept.get(key);
    const counts = found !== undefined && clock() - found.at < ttlMs();
    onLookup(counts ? 'hit' : 'miss');
    return counts ? found.probability : undefined;
  }

  keep(pair: JudgedPair, probability: number): void {
    const key = keyOf(pair);
    this.#kept.delete(key);
    this.#kept.set(key, { probability, at: this.#options.clock() });
  }

  /** Keeps beyond the process what counts, and lets go of the rest. */
  async save(): Promise<void> {
    const { clock, ttlMs, store } = this.#options;
    const now = clock();
    for (const [key, { at }] of this.#kept) if (now - at >= ttlMs()) this.#kept.delete(key);
    // In the order in which they were judged.
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= MOST_PAIRS) break;
      this.#kept.delete(key);
    }
    const state = Array.from(this.#kept, ([key, { probability, at }]) => [key, probability, at]);
    const snapshot = { version: VERSION, position: this.#position, state };
    await store().saveSnapshot({ owner: this.#userId, name: NAME }, snapshot);
  }
}

/** The same whichever side comes first. */
function keyOf({ judge, one, other }: JudgedPair): string {
  return [...[one, other].map(digestOf).sort(), digestOf(judge)].join('');
}

function sidesOf(key: string): readonly [string, string] {
  return [key.slice(0, DIGEST_LETTERS), key.slice(DIGEST_LETTERS, 2 * DIGEST_LETTERS)];
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, DIGEST_LETTERS);
}
