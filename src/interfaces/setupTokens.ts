import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';

const LIFETIME_MS = 30 * 60_000;
/** Each page that sets the service up has its own; of more than these the oldest end early. */
const MOST_TOKENS = 16;

export interface SetupToken {
  readonly token: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

/**
 * What stands for an API key while there is none: shown on this machine, kept in this process alone, and only as
 * digests, which are looked up and so take the same time whatever is guessed.
 */
export class SetupTokens {
  readonly #clock: Clock;
  readonly #expiries = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(): SetupToken {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = this.#clock() + LIFETIME_MS;
    this.#expiries.set(hash('sha256', token), expiresAt);
    const oldest = this.#expiries.size > MOST_TOKENS ? this.#expiries.keys().next().value : undefined;
    if (oldest !== undefined) this.#expiries.delete(oldest);
    return { token, expiresAt };
  }

  accepts(token: string | undefined): boolean {
    if (token === undefined) return false;
    return (this.#expiries.get(hash('sha256', token)) ?? 0) > this.#clock();
  }
}
