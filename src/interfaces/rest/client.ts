import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { isLoopback, type Network } from '../../config.ts';

/** Who asks, as far as the network tells. What is limited by address is limited by `limitedAs`. */
export interface Client {
  readonly address: string;
  /** On this machine itself: also not behind a proxy that runs on it. */
  readonly isLocal: boolean;
  /** An IPv6 host owns a whole /64, so that is what counts as one address. */
  readonly limitedAs: string;
}

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

/**
 * Tells clients apart. A header is believed only from the proxies that are named, and makes nobody local: behind a
 * proxy on this machine everybody would seem to be here.
 */
export class Clients {
  readonly #proxies = new BlockList();
  readonly #bySocket = new WeakMap<Socket, Client>();

  constructor(proxies: readonly Network[]) {
    for (const { address, bits, family } of proxies) this.#proxies.addSubnet(address, bits, family);
  }

  of({ socket, headers }: IncomingMessage): Client {
    const direct = this.#bySocket.get(socket) ?? this.#connected(socket);
    return isForwarded(headers) ? this.#behind(direct.address, headers) : direct;
  }

  #connected(socket: Socket): Client {
    const client = clientOn(socket);
    this.#bySocket.set(socket, client);
    return client;
  }

  /** Each proxy appends whom it was asked by: from the end on, the first that is no proxy of ours is the client. */
  #behind(connected: string, { 'x-forwarded-for': header }: IncomingHttpHeaders): Client {
    const hops = String(header ?? '').split(',');
    let address = connected;
    for (let hop = hops.pop(); hop !== undefined && this.#isProxy(address); hop = hops.pop()) {
      const named = addressIn(hop);
      if (named === undefined) break;
      address = named;
    }
    return { address, isLocal: false, limitedAs: limitedAs(address) };
  }

  #isProxy(address: string): boolean {
    const kind = isIP(address);
    return kind !== 0 && this.#proxies.check(address, kind === 4 ? 'ipv4' : 'ipv6');
  }
}

/** Who is at the other end of a connection. */
export function clientOn({ remoteAddress }: Socket): Client {
  const address = withoutMapping(remoteAddress ?? 'unknown');
  return { address, isLocal: isLoopback(address), limitedAs: limitedAs(address) };
}

function isForwarded(headers: IncomingHttpHeaders): boolean {
  return FORWARDING.some((name) => headers[name] !== undefined);
}

/** Some proxies add the port. */
function addressIn(hop: string): string | undefined {
  const [, inBrackets, v4, other] =
    /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3})(?::\d+)?|([0-9a-f:.]+))$/i.exec(hop.trim()) ?? [];
  const address = withoutMapping(inBrackets ?? v4 ?? other ?? '');
  return isIP(address) === 0 ? undefined : address;
}

function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function limitedAs(address: string): string {
  if (!address.includes(':') || address === '::1') return address;
  const [head = '', tail = ''] = address.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  const groups = address.includes('::') ? [...front, ...zeros, ...back] : front;
  return `${groups.slice(0, 4).join(':')}::/64`;
}
