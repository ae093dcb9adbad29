import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { type Config, isLoopback } from '../../config.ts';

/** Where the desktop app's pages come from, on each kind of system. */
const DESKTOP_ORIGINS = ['tauri://localhost', 'http://tauri.localhost'];

const EXPOSED = [
  'X-Correlation-Id',
  'X-Turn-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
].join(', ');

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
  'X-Correlation-Id',
  'X-Device-Id',
  'X-Device-Secret',
  'X-Setup-Token',
  'X-User-Id',
];

/** OpenAI's client tells of itself in these, by many names; nobody here looks at them. */
const OF_OPENAI = /^x-stainless-[a-z-]{1,50}$/;

/** Which pages of which origins may ask. */
export class Origins {
  readonly #all: boolean;
  readonly #allowed: ReadonlySet<string>;

  constructor(setting: string) {
    const given = setting.split(',').map((origin) => origin.trim().replace(/\/$/, ''));
    this.#all = given.includes('*');
    this.#allowed = new Set([...given, ...DESKTOP_ORIGINS]);
  }

  /** Its own pages count as well. */
  allows(origin: string, host: string | undefined): boolean {
    return this.#all || this.#allowed.has(origin) || isOwn(origin, host);
  }

  headersFor(origin: string): Readonly<Record<string, string>> {
    return {
      'access-control-allow-origin': this.#all ? '*' : origin,
      'access-control-expose-headers': EXPOSED,
    };
  }

  /** What a browser wants to know before it asks. Without these headers it does not ask. */
  preflight(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
    const { origin, host } = headers;
    if (!origin || !this.allows(origin, host)) return {};
    const asked = headers['access-control-request-headers']?.split(',').map((name) => name.trim()) ?? [];
    const ofOpenAi = asked.filter((name) => OF_OPENAI.test(name)).slice(0, 20);
    const fromInside = headers['access-control-request-private-network'] === 'true';
    return {
      ...this.headersFor(origin),
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': [...ALLOWED_HEADERS, ...ofOpenAi].join(', '),
      'access-control-max-age': '600',
      ...(fromInside ? { 'access-control-allow-private-network': 'true' } : {}),
    };
  }
}

/** Whether a page of ours asks; `host` has been checked, so that no other can claim to be one. */
export function isOwn(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/**
 * Whether a browser says that a page of another site loads this, as pictures, scripts and links do: it names no origin
 * then. https://www.w3.org/TR/fetch-metadata/
 */
export function isLoadedElsewhere({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'cross-site' || site === 'same-site';
}

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
