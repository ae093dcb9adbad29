import type { JSONRPCNotification, RequestId } from '@modelcontextprotocol/server';
import type { Visit } from '../rest/visit.ts';
import type { RpcExchange } from './rpcExchange.ts';

/**
 * Calls that clients of 2025 may cancel by a message of its own. There are no sessions, so that what belongs together
 * is known by who asks, from where and with what; where that is several calls, none is cancelled.
 */
export class CallsInFlight {
  readonly #exchanges = new Map<string, Set<RpcExchange>>();

  /** Returns what is to be called when it is over. */
  add(exchange: RpcExchange, caller: string): () => void {
    const key = keyOf(caller, exchange.id);
    const same = this.#exchanges.get(key) ?? new Set();
    this.#exchanges.set(key, same.add(exchange));
    return () => {
      same.delete(exchange);
      if (same.size === 0 && this.#exchanges.get(key) === same) this.#exchanges.delete(key);
    };
  }

  /** The call that such a message means. */
  meantBy({ params }: JSONRPCNotification, caller: string): RpcExchange | undefined {
    const id = params?.requestId;
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    const [exchange, ...others] = this.#exchanges.get(keyOf(caller, id)) ?? [];
    return others.length === 0 ? exchange : undefined;
  }
}

/** The client as far as its requests tell. */
export function callerOf({ userId, client }: Visit, userAgent = ''): string {
  return `${userId} ${client.address} ${userAgent}`;
}

function keyOf(caller: string, id: RequestId): string {
  return `${typeof id} ${id} ${caller}`;
}
