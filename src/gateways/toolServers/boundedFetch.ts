import type { Intake } from './intake.ts';
import { pinnedFetch } from './pinnedFetch.ts';

const SPACE = 32;
const BATCH_START = 91;

interface Bounds {
  /** What a server sends beyond this many bytes breaks the answer off. */
  readonly mostBytes: number;
  /** A server that asks is answered with a request: it could have any number of them. */
  readonly mostAtOnce: number;
  /** So long somebody may wait for an answer. */
  readonly longestMs: number;
  readonly intake: Pick<Intake, 'take'>;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Takes in no more of an answer than it may have, and no faster than the intake has it. */
export function boundedFetch(bounds: Bounds, ask = pinnedFetch()): typeof fetch {
  const { mostAtOnce } = bounds;
  let underWay = 0;
  return async (input, init = {}) => {
    if (underWay >= mostAtOnce) throw new TypeError(`There are ${mostAtOnce} requests under way already`);
    underWay++;
    const over = once(() => underWay--);
    try {
      const answer = await ask(input, { ...init, signal: timeoutOf(init, bounds) });
      if (answer.body) return withBody(answer, answer.body.pipeThrough(taking(init, bounds, over)));
      over();
      return answer;
    } catch (error) {
      over();
      throw error;
    }
  };
}

/**
 * The SDK asks servers of the older revisions, and answers them, without ever letting go of a request. Those of the
 * newer one, which name what they ask for, it ends by itself.
 */
function timeoutOf({ method, headers, signal }: RequestInit, { longestMs }: Bounds): AbortSignal | null {
  if (method !== 'POST' || new Headers(headers).has('mcp-method')) return signal ?? null;
  const longest = AbortSignal.timeout(longestMs);
  return signal ? AbortSignal.any([signal, longest]) : longest;
}

/** A stream of news has no end: there the length counts for each message, or one without end would fill the memory. */
function taking({ method }: RequestInit, { mostBytes, intake }: Bounds, over: () => void) {
  const cutter = new MessageCutter();
  let size = 0;
  let begins: number | undefined;
  const take = async (chunk: Bytes, controller: TransformStreamDefaultController<Bytes>) => {
    for (const { bytes, endsMessage } of cutter.cut(chunk)) {
      size += bytes.length;
      if (size > mostBytes) throw new TypeError(`The answer is longer than ${mostBytes} bytes`);
      begins ??= bytes.find((byte) => byte > SPACE);
      // Nobody asked for a batch, and thousands of messages would be heard in one go.
      if (begins === BATCH_START) throw new TypeError('The answer is a batch');
      await intake.take(bytes.length);
      controller.enqueue(bytes);
      if (endsMessage && method !== 'POST') size = 0;
    }
  };
  return new TransformStream<Bytes, Bytes>({
    transform: (chunk, controller) =>
      take(chunk, controller).catch((error) => {
        over();
        throw error;
      }),
    flush: over,
    cancel: over,
  });
}

function withBody({ status, statusText, headers }: Response, body: ReadableStream<Bytes>): Response {
  return new Response(body, { status, statusText, headers });
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

const LINE_END = 10;
const CARRIAGE_RETURN = 13;

interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A message of a stream of events ends with an empty line. */
  readonly endsMessage: boolean;
}

/** Cuts what comes of a stream of events after each of its messages. */
class MessageCutter {
  #isEmptyLine = true;

  *cut(chunk: Uint8Array<ArrayBuffer>): Generator<Piece> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === LINE_END) {
        if (this.#isEmptyLine) {
          yield { bytes: chunk.subarray(from, at + 1), endsMessage: true };
          from = at + 1;
        }
        this.#isEmptyLine = true;
      } else if (byte !== CARRIAGE_RETURN) this.#isEmptyLine = false;
    }
    if (from < chunk.length) yield { bytes: chunk.subarray(from), endsMessage: false };
  }
}
