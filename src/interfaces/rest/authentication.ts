import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { Client } from './client.ts';

export const MOST_FAILURES = 10;
const WINDOW_MS = 60_000;
const MOST_COUNTED = 10_000;

interface Failures {
  count: number;
  readonly until: number;
}

/** Who is `known` showed the key, or there is none; a `stranger` showed none, and who `guessed` a wrong one. */
export type KeyCheck = 'known' | 'stranger' | 'guessed';

/**
 * Who may ask. What is wrong counts against the address it came from, and against the device that it named; one with too
 * many of those has to wait. Whoever is right never does: others at the same address could lock them out.
 */
export class Authentication {
  readonly #expected: Buffer | undefined;
  /** What each connection was let in with: the same once more is compared as it is, and not hashed again. */
  readonly #accepted = new WeakMap<Client, Buffer>();
  readonly #ofAddresses: FailureCounts;
  readonly #ofDevices: FailureCounts;

  constructor(apiKey: string | undefined, clock: Clock) {
    this.#expected = apiKey === undefined ? undefined : digest(apiKey);
    this.#ofAddresses = new FailureCounts(clock);
    this.#ofDevices = new FailureCounts(clock);
  }

  look({ authorization }: IncomingHttpHeaders, client: Client): KeyCheck {
    if (!this.#expected) return 'known';
    if (authorization === undefined) return 'stranger';
    const shown = Buffer.from(authorization, 'latin1');
    if (isSame(shown, this.#accepted.get(client))) return 'known';
    const key = bearer(authorization);
    if (key === undefined) return 'stranger';
    if (!timingSafeEqual(digest(key), this.#expected)) return 'guessed';
    this.#accepted.set(client, shown);
    return 'known';
  }

  /**
   * Counts a wrong key, secret or code. Returns for how many seconds its address, or whoever asks for this device, has
   * to wait; 0 while they need not.
   */
  countFailure({ limitedAs }: Client, deviceId?: string): number {
    const wait = Math.max(
      this.#ofAddresses.wait(limitedAs),
      deviceId === undefined ? 0 : this.#ofDevices.wait(deviceId),
    );
    if (wait > 0) return wait;
    this.#ofAddresses.count(limitedAs);
    if (deviceId !== undefined) this.#ofDevices.count(deviceId);
    return 0;
  }
}

class FailureCounts {
  readonly #clock: Clock;
  readonly #failures = new Map<string, Failures>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** In seconds. */
  wait(name: string): number {
    const failures = this.#current(name);
    if (!failures || failures.count < MOST_FAILURES) return 0;
    return Math.max(1, Math.ceil((failures.until - this.#clock()) / 1_000));
  }

  count(name: string): void {
    const failures = this.#current(name) ?? { count: 0, until: this.#clock() + WINDOW_MS };
    failures.count++;
    // Those that failed last are behind the others, and are kept longest.
    this.#failures.delete(name);
    this.#failures.set(name, failures);
    const oldest = this.#failures.size > MOST_COUNTED ? this.#failures.keys().next().value : undefined;
    if (oldest !== undefined) this.#failures.delete(oldest);
  }

  #current(name: string): Failures | undefined {
    const failures = this.#failures.get(name);
    return failures && failures.until > this.#clock() ? failures : undefined;
  }
}

function bearer(header: string): string | undefined {
  return /^bearer +([^ ].*)$/i.exec(header)?.[1];
}

/** A proxy may carry several callers over one connection, so this too must not tell how far a guess was right. */
function isSame(shown: Buffer, accepted: Buffer | undefined): boolean {
  return accepted !== undefined && accepted.length === shown.length && timingSafeEqual(shown, accepted);
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
