import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../clock.ts';
import { HarkError } from '../../errors.ts';
import type { Client } from './client.ts';

export const MOST_FAILURES = 10;
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;

interface Failures {
  count: number;
  readonly until: number;
}

/**
 * Who may ask. A wrong key or secret counts against the address it came from; an address with too many of them
 * has to wait before any key of its is looked at again, also the right one, or guessing would go on.
 */
export class Authentication {
  readonly #expected: Buffer | undefined;
  readonly #clock: Clock;
  /** What each connection was let in with: the same once more is compared as it is, and not hashed again. */
  readonly #accepted = new WeakMap<Client, Buffer>();
  readonly #failures = new Map<string, Failures>();

  constructor(apiKey: string | undefined, clock: Clock) {
    this.#expected = apiKey === undefined ? undefined : digest(apiKey);
    this.#clock = clock;
  }

  /** How many seconds the address has to wait until its keys are looked at again; 0 when it need not. */
  waitFor(client: Client): number {
    const failures = this.#failures.size > 0 ? this.#current(client) : undefined;
    if (!failures || failures.count < MOST_FAILURES) return 0;
    return Math.max(1, Math.ceil((failures.until - this.#clock()) / 1_000));
  }

  /** Whether the request shows the key, or none is configured. Throws for a wrong one. */
  isTrusted(headers: IncomingHttpHeaders, client: Client): boolean {
    if (headers['x-device-secret'] !== undefined || headers['x-device-id'] !== undefined)
      this.#refuse(client, 'Unknown device or wrong device secret');
    if (!this.#expected) return true;
    const { authorization } = headers;
    const key = bearer(authorization);
    if (authorization === undefined || key === undefined) return false;
    const shown = Buffer.from(authorization, 'latin1');
    if (isSame(shown, this.#accepted.get(client))) return true;
    if (!timingSafeEqual(digest(key), this.#expected)) this.#refuse(client, 'Wrong API key');
    this.#accepted.set(client, shown);
    return true;
  }

  #refuse(client: Client, message: string): never {
    const failures = this.#current(client) ?? { count: 0, until: this.#clock() + WINDOW_MS };
    failures.count++;
    this.#failures.delete(client.limitedAs);
    this.#failures.set(client.limitedAs, failures);
    const oldest = this.#failures.size > MOST_ADDRESSES ? this.#failures.keys().next().value : undefined;
    if (oldest !== undefined) this.#failures.delete(oldest);
    throw new HarkError('UNAUTHORIZED', { message });
  }

  #current({ limitedAs }: Client): Failures | undefined {
    const failures = this.#failures.get(limitedAs);
    return failures && failures.until > this.#clock() ? failures : undefined;
  }
}

function bearer(header: string | undefined): string | undefined {
  return header && /^bearer +(.+)$/i.exec(header)?.[1];
}

/** A proxy may carry several callers over one connection, so this too must not tell how far a guess was right. */
function isSame(shown: Buffer, accepted: Buffer | undefined): boolean {
  return accepted !== undefined && accepted.length === shown.length && timingSafeEqual(shown, accepted);
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
