import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { type Config, isLoopback } from '../../config.ts';

const MOST_REMEMBERED = 64;

/**
 * Refuses names that this service does not go by: a page that made its own name point here (DNS rebinding)
 * would else read everything, because to a browser it is asking its own origin. An address written as digits
 * cannot be made to point elsewhere, and a key keeps such a page out where names are not known beforehand.
 */
export class Hosts {
  readonly #isOpen: boolean;
  readonly #isLocal: boolean;
  readonly #names: ReadonlySet<string>;
  readonly #accepted = new Set<string>();

  constructor(config: Config) {
    const origins = config.CORS_ORIGIN.split(',').map((origin) => origin.trim());
    this.#isLocal = isLoopback(config.SERVICE_HOST);
    this.#isOpen = origins.includes('*') || (!this.#isLocal && config.SERVICE_API_KEY !== undefined);
    const corsHosts = origins.flatMap((origin) => (URL.canParse(origin) ? [new URL(origin).hostname] : []));
    const own = this.#isLocal ? [] : [hostname()];
    this.#names = new Set([config.SERVICE_HOST, ...own, ...corsHosts].map((name) => name.toLowerCase()));
  }

  serves(host: string | undefined): boolean {
    // Only HTTP/1.0 may leave it out, and no browser speaks that.
    if (this.#isOpen || host === undefined || this.#accepted.has(host)) return true;
    if (!this.#isKnown(host)) return false;
    if (this.#accepted.size < MOST_REMEMBERED) this.#accepted.add(host);
    return true;
  }

  #isKnown(host: string): boolean {
    const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.exec(host);
    const name = match?.[1]?.toLowerCase();
    if (!name) return false;
    if (isLoopback(name) || this.#names.has(name)) return true;
    return !this.#isLocal && isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  }
}
