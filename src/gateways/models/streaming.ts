import { fairShare, hasTime } from '../../fairShare.ts';
import { type Blamed, classify } from './classify.ts';
import { Deadlines } from './deadlines.ts';
import { ModelFailure } from './failure.ts';
import type { Frames } from './frames.ts';
import type { CompletionPart, ModelTimeouts } from './gateway.ts';
import { HttpError } from './providerError.ts';

/** Makes parts of one provider's events; made anew for each answer. */
export interface StreamReader<Event> {
  /** Adds to `parts` what the event says; throws an `HttpError` when it says that the provider failed. */
  read(event: Event, parts: CompletionPart[]): void;
  /** The answer is complete, whether or not more comes. */
  readonly ended: boolean;
  /** Adds to `parts` what is left to say, `finish` last. False when the answer broke off. */
  end(parts: CompletionPart[]): boolean;
}

interface StreamedCall<Event> {
  readonly blamed: Blamed;
  readonly timeouts: ModelTimeouts;
  readonly frames: Frames;
  readonly reader: StreamReader<Event>;
  /** Resolves when the answer begins. */
  open(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** Longer than any frame; one without an end would fill the memory. */
const LONGEST_FRAME = 32 * 2 ** 20;

/**
 * The one loop through which every answer comes. The SDKs ask; what they make of the answer goes through several
 * generators, event by event. Here it is taken as it comes, all events of a piece at once, which costs less than
 * they do, and parts are made of it in a list that is used again and again.
 */
export function streamParts<Event>(
  call: StreamedCall<Event>,
  caller: AbortSignal,
): AsyncIterableIterator<CompletionPart, undefined> {
  return new Flattened(pieces(call, caller));
}

async function* pieces<Event>(
  call: StreamedCall<Event>,
  caller: AbortSignal,
): AsyncGenerator<readonly CompletionPart[], void, undefined> {
  using deadlines = new Deadlines(caller, call.timeouts, call.blamed);
  const answer = new Answer(call);
  try {
    if (deadlines.failure) throw deadlines.failure;
    const pieces = await call.open(deadlines.signal);
    deadlines.answered();
    for await (const bytes of pieces) {
      if (!hasTime()) await fairShare();
      // To the end of the body, so that the connection can be used again.
      if (answer.finished) continue;
      if (!answer.read(bytes)) {
        deadlines.alive();
        continue;
      }
      deadlines.hold();
      yield answer.parts;
      deadlines.release();
      answer.check();
      if (answer.finished) deadlines.close();
    }
    deadlines.complete();
    if (answer.finished) return;
    answer.end();
    deadlines.hold();
    yield answer.parts;
    answer.check();
  } catch (error) {
    if (!answer.finished) throw deadlines.failure ?? classify(error, call.blamed);
  }
}

/** What of an answer has come, and what is wrong with it. */
class Answer<Event> {
  /** Of the last piece. */
  readonly parts: CompletionPart[] = [];
  /** All has been said. */
  finished = false;
  readonly #call: StreamedCall<Event>;
  readonly #decoder = new TextDecoder();
  readonly #frames: string[] = [];
  #trouble: unknown;

  constructor(call: StreamedCall<Event>) {
    this.#call = call;
  }

  /** False when the piece has nothing for the reader. */
  read(bytes: Uint8Array): boolean {
    this.parts.length = 0;
    this.#call.frames.push(this.#decoder.decode(bytes, { stream: true }), this.#frames);
    this.#readFrames();
    return this.parts.length > 0 || this.#trouble !== undefined;
  }

  end(): void {
    this.parts.length = 0;
    this.#call.frames.end(this.#frames);
    this.#readFrames();
    if (!this.finished && this.#trouble === undefined) this.#finish();
  }

  /** After what came before it was handed on. */
  check(): void {
    if (this.#trouble !== undefined) throw this.#trouble;
  }

  #readFrames(): void {
    const { frames, blamed } = this.#call;
    try {
      for (const frame of this.#frames) this.#readFrame(frame);
      if (frames.pending > LONGEST_FRAME) {
        throw new ModelFailure('malformed', { ...blamed, code: 'endless_frame' });
      }
    } catch (error) {
      this.#trouble = error;
    }
    this.#frames.length = 0;
  }

  #readFrame(frame: string): void {
    if (this.finished) return;
    // How OpenAI ends a stream.
    if (frame === '[DONE]') {
      this.#finish();
      return;
    }
    const event = JSON.parse(frame);
    if (typeof event === 'string') throw new HttpError(event);
    if (event?.error) throw new HttpError(event.error);
    const { reader, blamed } = this.#call;
    try {
      reader.read(event, this.parts);
    } catch (error) {
      if (error instanceof HttpError) throw error;
      throw new ModelFailure('malformed', { ...blamed, code: 'unexpected_shape' });
    }
    if (reader.ended) this.#finish();
  }

  #finish(): void {
    const { reader, blamed } = this.#call;
    this.finished = reader.end(this.parts);
    if (!this.finished) this.#trouble = new ModelFailure('network', { ...blamed, code: 'stream_cut' });
  }
}

/** The same for an answer that comes as a whole. */
export async function callWhole<Answer>(
  { blamed, timeouts }: { readonly blamed: Blamed; readonly timeouts: ModelTimeouts },
  caller: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  using deadlines = Deadlines.whole(caller, timeouts, blamed);
  try {
    if (deadlines.failure) throw deadlines.failure;
    const answer = await ask(deadlines.signal);
    deadlines.complete();
    return answer;
  } catch (error) {
    throw deadlines.failure ?? classify(error, blamed);
  }
}

/**
 * The items of lists that come one after the other, for one reader. A generator would take three turns of the
 * microtask queue for each item; what has come already takes one.
 */
class Flattened<Item extends object> implements AsyncIterableIterator<Item, undefined> {
  readonly #lists: AsyncGenerator<readonly Item[], void, undefined>;
  #list: readonly Item[] = [];
  #next = 0;

  constructor(lists: AsyncGenerator<readonly Item[], void, undefined>) {
    this.#lists = lists;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    const value = this.#list[this.#next];
    if (value === undefined) return this.#fetch();
    this.#next++;
    return Promise.resolve({ done: false, value });
  }

  /** The list may be used again by whoever gave it, once the next is asked for. */
  async #fetch(): Promise<IteratorResult<Item, undefined>> {
    for (;;) {
      const { done, value: list } = await this.#lists.next();
      if (done) return { done, value: undefined };
      const [value] = list;
      if (value === undefined) continue;
      this.#list = list;
      this.#next = 1;
      return { done: false, value };
    }
  }

  async return(): Promise<IteratorResult<Item, undefined>> {
    this.#list = [];
    await this.#lists.return();
    return { done: true, value: undefined };
  }
}
