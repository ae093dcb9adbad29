import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { HarkError } from '../errors.ts';
import type { Caller } from './operation.ts';

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

interface Claims {
  readonly config: Config;
  readonly setupTokens: SetupTokens;
}

/** Of a caller who was let in with the API key, or needs none: while there is none, a setup token stands for it. */
export function requireClaim({ config, setupTokens }: Claims, { setupToken }: Caller): void {
  if (config.SERVICE_API_KEY === undefined && !setupTokens.accepts(setupToken))
    throw new HarkError('UNAUTHORIZED', {
      message:
        'Send a setup token (X-Setup-Token), which is valid for 30 minutes: `hark start` prints one at a terminal, and ' +
        'POST /api/setup-token makes one on the machine that hark runs on',
    });
}

/** Keys of providers are taken from this machine alone. Says what to do instead, since a container is never this machine. */
export function refuseFromElsewhere({ isLoopback }: Caller): void {
  if (!isLoopback)
    throw new HarkError('FORBIDDEN', {
      message:
        'Keys are taken only from the machine that hark runs on. Run `hark setup` or `hark keys add` there (in a ' +
        'container: docker exec -it <container> hark setup), or give the key to the service as ANTHROPIC_API_KEY, ' +
        'OPENAI_API_KEY or OPENROUTER_API_KEY, or in a file that ANTHROPIC_API_KEY_FILE (and so on) names',
    });
}
