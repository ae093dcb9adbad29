import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { Client } from './client.ts';

export const MOST_FAILURES = 10;
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;

interface Failures {
  count: number;
  readonly until: number;
}

/** Who is `known` showed the key, or there is none; a `stranger` showed none, and who `guessed` a wrong one. */
export type KeyCheck = 'known' | 'stranger' | 'guessed';

/**
 * Who may ask. What is wrong counts against the address it came from, and an address with too many of those has to
 * wait. Whoever has the right key never does: others at the same address could lock them out.
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

  look({ authorization }: IncomingHttpHeaders, client: Client): KeyCheck {
    if (!this.#expected) return 'known';
    const key = bearer(authorization);
    if (authorization === undefined || key === undefined) return 'stranger';
    const shown = Buffer.from(authorization, 'latin1');
    if (isSame(shown, this.#accepted.get(client))) return 'known';
    if (!timingSafeEqual(digest(key), this.#expected)) return 'guessed';
    this.#accepted.set(client, shown);
    return 'known';
  }

  /** Counts a wrong key or secret. Returns for how many seconds its address has to wait; 0 while it need not. */
  countFailure(client: Client): number {
    const failures = this.#current(client) ?? { count: 0, until: this.#clock() + WINDOW_MS };
    if (failures.count >= MOST_FAILURES)
      return Math.max(1, Math.ceil((failures.until - this.#clock()) / 1_000));
    failures.count++;
    this.#failures.delete(client.limitedAs);
    this.#failures.set(client.limitedAs, failures);
    const oldest = this.#failures.size > MOST_ADDRESSES ? this.#failures.keys().next().value : undefined;
    if (oldest !== undefined) this.#failures.delete(oldest);
    return 0;
  }

  #current({ limitedAs }: Client): Failures | undefined {
    const failures = this.#failures.get(limitedAs);
    return failures && failures.until > this.#clock() ? failures : undefined;
  }
}

function bearer(header: string | undefined): string | undefined {
  return header && /^bearer +([^ ].*)$/i.exec(header)?.[1];
}

/** A proxy may carry several callers over one connection, so this too must not tell how far a guess was right. */
function isSame(shown: Buffer, accepted: Buffer | undefined): boolean {
  return accepted !== undefined && accepted.length === shown.length && timingSafeEqual(shown, accepted);
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
