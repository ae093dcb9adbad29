import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from '../../config.ts';

/** The other end of a connection. What is limited by address is limited by `limitedAs`. */
export interface Client {
  readonly address: string;
  readonly isLoopback: boolean;
  /** An IPv6 host owns a whole /64, so that is what counts as one address. */
  readonly limitedAs: string;
}

const clients = new WeakMap<Socket, Client>();

export function clientOf({ socket }: IncomingMessage): Client {
  let client = clients.get(socket);
  if (!client) {
    const address = (socket.remoteAddress ?? 'unknown').replace(/^::ffff:(?=\d+\.)/, '');
    client = { address, isLoopback: isLoopback(address), limitedAs: limitedAs(address) };
    clients.set(socket, client);
  }
  return client;
}

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

/**
 * Whether a proxy says that it asks for somebody else. Nobody is believed to be nearer for what a header says;
 * behind a proxy on this machine everybody would seem to be here.
 */
export function isForwarded({ headers }: IncomingMessage): boolean {
  return FORWARDING.some((name) => headers[name] !== undefined);
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
