import type { Clock } from '../../clock.ts';
import { HarkError } from '../../errors.ts';
import type { Bucket, Limits } from '../../store/port.ts';
import type { RuntimeSettings } from '../runtimeSettings.ts';
import type { Client } from './client.ts';

const MINUTE_MS = 60_000;
/** A shared store that did not answer is not asked again for so long. */
const PASSED_OVER_MS = 1_000;

export type Limit = 'api' | 'chat' | 'v1';

const CAPACITIES = { api: 'apiRateLimit', chat: 'chatRateLimit', v1: 'v1RateLimit' } as const;

const CHAT_PATHS = /^\/api\/(chat|tasks|credentials|setup\/try)(\/|$)|^\/api\/workflows\/[^/]+\/execute$/;

/** Below them, what reads what was said: no model is asked. */
const READS = /^\/api\/chat\/(sessions$|sessions\/[^/]+\/turns$|turns\/)/;

export function limitOf(path: string): Limit | undefined {
  if (CHAT_PATHS.test(path) && !READS.test(path)) return 'chat';
  if (/^\/v1(\/|$)/.test(path)) return 'v1';
  return /^\/api(\/|$)/.test(path) ? 'api' : undefined;
}

export interface Taken extends Bucket {
  readonly capacity: number;
}

interface LocalBuckets {
  take(name: string, capacity: number, perMs: number, tokens: number): Bucket;
}

interface RateLimitOptions {
  readonly settings: RuntimeSettings;
  readonly clock: Clock;
  readonly buckets: Readonly<Record<Limit, LocalBuckets>>;
  /** The store whose buckets all processes share; undefined where this process is the only one. */
  readonly shared: { readonly current: { readonly store: Limits } | undefined } | undefined;
}

/**
 * Token buckets by client address. The capacity is asked for each time, so that a changed setting counts at
 * once. Processes on one Redis share the buckets; while it is away each process counts by itself.
 */
export class RateLimits {
  readonly #options: RateLimitOptions;
  #passedOverUntil = 0;

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** Who shows no key takes from buckets of their own, and cannot empty those of who does at the same address. */
  take(limit: Limit, client: Client, isKnown: boolean): Taken | Promise<Taken> {
    return this.#take(limit, client, isKnown, 1);
  }

  /** How many are left, without taking one. */
  look(limit: Limit, client: Client, isKnown: boolean): Taken | Promise<Taken> {
    return this.#take(limit, client, isKnown, 0);
  }

  #take(limit: Limit, client: Client, isKnown: boolean, tokens: number): Taken | Promise<Taken> {
    const name = isKnown ? client.limitedAs : `stranger ${client.limitedAs}`;
    const { settings, shared, clock } = this.#options;
    const capacity = settings.number(CAPACITIES[limit]);
    const store = shared?.current?.store;
    if (!store || clock() < this.#passedOverUntil) return this.#takeHere(limit, name, capacity, tokens);
    return store
      .takeTokens(`${limit}:${name}`, capacity, capacity / MINUTE_MS, tokens)
      .then((bucket) => ({ ...bucket, capacity }))
      .catch(() => {
        this.#passedOverUntil = clock() + PASSED_OVER_MS;
        return this.#takeHere(limit, name, capacity, tokens);
      });
  }

  #takeHere(limit: Limit, name: string, capacity: number, tokens: number): Taken {
    const { allowed, remaining, retryAfterMs } = this.#options.buckets[limit].take(
      name,
      capacity,
      capacity / MINUTE_MS,
      tokens,
    );
    return { allowed, remaining, retryAfterMs, capacity };
  }
}

/** Of a caller that has to wait for a bucket: an empty one is full again after a minute. */
export function refuseForNow(
  headers: Record<string, string | number>,
  capacity: number,
  retryAfter: number,
  message?: string,
): HarkError {
  headers['x-ratelimit-reset'] = MINUTE_MS / 1_000;
  return new HarkError('TOO_MANY_REQUESTS', {
    ...(message === undefined ? {} : { message }),
    ...{ limit: capacity, body: { retryAfter } },
  });
}
