import type { IncomingMessage } from 'node:http';

/** More waits in the connection. */
const MOST_WAITING_BYTES = 64 * 2 ** 10;

/**
 * The answer of a provider, as the SDKs take it. It is read as text, as JSON, or piece by piece, and in no other way.
 */
export class Answer extends Response {
  readonly #pieces: Pieces;

  constructor(message: IncomingMessage, onEnd: () => void) {
    const { statusCode = 0, statusMessage = '' } = message;
    super(null, { status: statusCode, statusText: statusMessage, headers: headersOf(message) });
    this.#pieces = new Pieces(message, onEnd);
  }

  get pieces(): AsyncIterable<Uint8Array> {
    return this.#pieces;
  }

  override readonly text = async (): Promise<string> => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const piece of this.#pieces) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  };

  override readonly json = async (): Promise<unknown> => JSON.parse(await this.text());
}

/** What there is to read of an answer, whoever fetched it. */
export function piecesOf(response: Response): AsyncIterable<Uint8Array> {
  return response instanceof Answer ? response.pieces : (response.body ?? nothing());
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

/**
 * The body for one reader. It comes faster than through a stream's own iterator, and a reader that stops before the
 * end closes the connection. At the end it lets go of the connection: an SDK holds on to answers for long.
 */
class Pieces implements AsyncIterableIterator<Uint8Array, undefined> {
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
