import type { Bucket } from './port.ts';

const MOST_BUCKETS = 50_000;

interface Level {
  tokens: number;
  at: number;
}

/** Token buckets of one process: each fills at a steady rate up to its capacity, and a request takes from it. */
export class Buckets {
  readonly #levels = new Map<string, Level>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  take(name: string, capacity: number, perMs: number, tokens: number): Bucket {
    const now = this.#now();
    const level = this.#levels.get(name) ?? this.#start(name, capacity, now);
    level.tokens = Math.min(capacity, level.tokens + Math.max(0, now - level.at) * perMs);
    level.at = now;
    if (level.tokens < tokens)
      return { allowed: false, remaining: 0, retryAfterMs: Math.ceil((tokens - level.tokens) / perMs) };
    level.tokens -= tokens;
    return { allowed: true, remaining: Math.floor(level.tokens), retryAfterMs: 0 };
  }

  #start(name: string, capacity: number, at: number): Level {
    // The bucket that was started first is the likeliest to be full again, and a full one need not be kept.
    const oldest = this.#levels.size >= MOST_BUCKETS ? this.#levels.keys().next().value : undefined;
    if (oldest !== undefined) this.#levels.delete(oldest);
    const level = { tokens: capacity, at };
    this.#levels.set(name, level);
    return level;
  }
}
