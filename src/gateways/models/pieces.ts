import type { IncomingMessage } from 'node:http';

/** More waits in the connection. */
const MOST_WAITING_BYTES = 64 * 2 ** 10;

/**
 * The body for one reader. It comes faster than through a stream's own iterator, and a reader that stops before the
 * end closes the connection. At the end it lets go of the connection: an SDK holds on to answers for long.
 */
export class Pieces implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #onEnd: () => void;
  #message: IncomingMessage | undefined;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #reader: PromiseWithResolvers<IteratorResult<Uint8Array, undefined>> | undefined;
  #failure: unknown;

  constructor(message: IncomingMessage, onEnd: () => void) {
    this.#message = message;
    this.#onEnd = onEnd;
    message.on('data', (piece: Uint8Array) => this.#take(piece));
    message.once('end', () => this.#end());
    message.once('error', (error) => this.#end(error));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const value = this.#waiting.shift();
    if (value) {
      this.#waitingBytes -= value.byteLength;
      if (this.#waitingBytes === 0) this.#message?.resume();
      return Promise.resolve({ done: false, value });
    }
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (!this.#message) return Promise.resolve({ done: true, value: undefined });
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#message?.destroy();
    this.#end();
    this.#waiting = [];
    return { done: true, value: undefined };
  }

  #take(piece: Uint8Array): void {
    const reader = this.#reader;
    if (reader) {
      this.#reader = undefined;
      reader.resolve({ done: false, value: piece });
      return;
    }
    this.#waiting.push(piece);
    this.#waitingBytes += piece.byteLength;
    if (this.#waitingBytes > MOST_WAITING_BYTES) this.#message?.pause();
  }

  #end(failure?: unknown): void {
    if (!this.#message) return;
    this.#message = undefined;
    this.#failure = failure;
    this.#onEnd();
    const reader = this.#reader;
    this.#reader = undefined;
    if (failure === undefined) reader?.resolve({ done: true, value: undefined });
    else reader?.reject(failure);
  }
}

/** What there is to read of an answer, whoever fetched it. */
export function piecesOf(response: Response): AsyncIterable<Uint8Array> {
  if ('pieces' in response && response.pieces instanceof Pieces) return response.pieces;
  return response.body ?? nothing();
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
