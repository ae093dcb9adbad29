import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  type RequestId,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { Visit } from '../rest/visit.ts';
import type { RpcExchange } from './rpcExchange.ts';

/**
 * The one connection of a server of the SDK, over which it answers requests of all clients: a server, with its
 * handlers and registers, costs more than the call that it would be made for. Each request has an id of ours here,
 * so that no client can be given what another one asked for, whatever ids they choose.
 */
export class Channel extends PerRequestHTTPServerTransport {
  readonly #extra: { readonly classification: MessageClassification };
  readonly #exchanges = new Map<RequestId, RpcExchange>();
  /** Whose request the server looks at in this moment; its handlers begin after that. */
  #received: RpcExchange | undefined;

  constructor(classification: MessageClassification) {
    super({ classification });
    this.#extra = { classification };
  }

  /**
   * To be called once a server is connected, which then answers it. False when the server refuses it at once: nothing
   * was done or answered then.
   */
  receive(request: JSONRPCRequest, exchange: RpcExchange): boolean {
    const id = exchange.number;
    this.#exchanges.set(id, exchange);
    this.#received = exchange;
    this.onmessage?.({ ...request, id }, this.#extra);
    this.#received = undefined;
    return this.#exchanges.has(id);
  }

  /** Of a request that is not over yet, by the id that it has here. */
  exchange(id: RequestId): RpcExchange {
    const exchange = this.#exchanges.get(id);
    if (!exchange) throw new TypeError('This request is over');
    return exchange;
  }

  /** Ends what was asked for. Nothing is answered to it any more. */
  cancel({ number }: RpcExchange): void {
    if (!this.#exchanges.delete(number)) return;
    const params = { requestId: number };
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, this.#extra);
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    // The server made it: it need not be looked at more closely, which costs two errors for each answer.
    const isAnswer = !('method' in message);
    const id = isAnswer ? message.id : options?.relatedRequestId;
    const exchange = id === undefined ? undefined : this.#exchanges.get(id);
    if (!exchange) return;
    if (!isAnswer) {
      exchange.tell(message);
      return;
    }
    this.#exchanges.delete(exchange.number);
    if (exchange !== this.#received) exchange.answer({ ...message, id: exchange.id });
  }
}

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
export function callerOf({ userId, device, client }: Visit, userAgent = ''): string {
  return `${userId} ${device?.deviceId} ${client.address} ${userAgent}`;
}

function keyOf(caller: string, id: RequestId): string {
  return `${typeof id} ${id} ${caller}`;
}
