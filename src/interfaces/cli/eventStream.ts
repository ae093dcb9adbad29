import { setTimeout as wait } from 'node:timers/promises';
import { CliFailure, oneLine } from './failure.ts';
import { printError } from './output.ts';
import { RequestFailure } from './restClient.ts';

/** The service says something every 15 s. Three times that without a word, and the connection is dead. */
const LONGEST_SILENCE_MS = 45_000;
const SHORTEST_BACK_OFF_MS = 250;
const LONGEST_BACK_OFF_MS = 10_000;

interface StreamOptions {
  /** Asks for the stream: from its start, or with headers that say where to go on. */
  readonly connect: (headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Response>;
  /** Told when the connection is gone and will be tried again. */
  readonly onLost: (why: string) => void;
  /** A connection that is gone for so long does not come back. */
  readonly timeoutMs?: number;
}

/**
 * The messages of an event stream, for ever: after a lost connection it goes on behind the last message that
 * arrived. It gives up only when the service refuses, was never reached, or stays away for longer than it is
 * waited for.
 */
export class EventStream {
  readonly #options: StreamOptions;
  #lastId: string | undefined;
  #wasReached = false;
  #lostAt = 0;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  async *messages(): AsyncGenerator<SseMessage> {
    for (let failures = 0; ; ) {
      try {
        for await (const message of this.#readOnce()) {
          failures = 0;
          yield message;
        }
        throw new RequestFailure('The service ended the stream');
      } catch (error) {
        if (!(error instanceof RequestFailure) || !error.isPassing || !this.#wasReached) throw error;
        if (failures === 0) {
          this.#lostAt = performance.now();
          this.#options.onLost(error.message);
        }
        const { timeoutMs = Number.POSITIVE_INFINITY } = this.#options;
        if (performance.now() - this.#lostAt > timeoutMs) throw error;
        await wait(Math.max(error.retryAfterMs, backOff(failures++)));
      }
    }
  }

  async *#readOnce(): AsyncGenerator<SseMessage> {
    const ending = new AbortController();
    const silence = setTimeout(() => ending.abort(), LONGEST_SILENCE_MS);
    try {
      const body = await this.#connect(ending.signal);
      const parser = new SseParser();
      for await (const chunk of lossAware(body.pipeThrough(new TextDecoderStream()))) {
        silence.refresh();
        for (const message of parser.push(chunk)) {
          this.#lastId = parser.lastId ?? this.#lastId;
          yield message;
        }
        this.#lastId = parser.lastId ?? this.#lastId;
      }
    } finally {
      clearTimeout(silence);
      ending.abort();
    }
  }

  async #connect(signal: AbortSignal): Promise<NonNullable<Response['body']>> {
    const resume = this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId };
    const headers = { accept: 'text/event-stream', ...resume };
    const response = await this.#options.connect(headers, signal);
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
      throw new CliFailure('The service does not answer with an event stream');
    this.#wasReached = true;
    return response.body;
  }
}

async function* lossAware(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* chunks;
  } catch {
    throw new RequestFailure('The connection was lost');
  }
}

/** With some chance in it, so that many clients of a service that restarts do not come back at one instant. */
function backOff(failures: number): number {
  const full = Math.min(LONGEST_BACK_OFF_MS, SHORTEST_BACK_OFF_MS * 2 ** failures);
  return full * (0.5 + Math.random() / 2);
}

export function sayLost(why: string): void {
  printError(`${oneLine(why)}; trying again`);
}

interface SseMessage {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Server-sent events out of text that arrives in pieces. A message counts once the empty line after it is there. */
export class SseParser {
  #rest = '';
  #id = '';
  #event = '';
  #data: string[] = [];
  #lastId: string | undefined;

  /** Where to go on after a lost connection. It moves with messages, and with ids that are sent alone. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  *push(chunk: string): Generator<SseMessage> {
    const lines = (this.#rest + chunk).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') {
        this.#take(line);
        continue;
      }
      this.#lastId = this.#id || this.#lastId;
      if (this.#data.length > 0) yield this.#finish();
      else this.#event = '';
    }
  }

  #take(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id') this.#id = value;
  }

  #finish(): SseMessage {
    const message = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') };
    this.#event = '';
    this.#data = [];
    return message;
  }
}
