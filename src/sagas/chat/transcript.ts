import { type ErrorCode, errorRegistry } from '../../errors.ts';
import type { TurnMetadata } from '../../events/chat.ts';
import type { Exchange, ExchangeEnd, ToolReturn, ToolUse } from '../../projections/chat/exchange.ts';

/** What a client that listens to a turn is told, under the names of the specification. */
export type TurnSignal =
  | { readonly type: 'content' | 'thinking'; readonly content: string }
  | {
      readonly type: 'tool_start';
      readonly name: string;
      readonly id: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly result: string;
      readonly error: boolean;
      readonly durationMs: number;
    }
  | { readonly type: 'step'; readonly stepNumber: number }
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  | { readonly type: 'done'; readonly metadata: DoneMetadata };

export interface DoneMetadata extends TurnMetadata {
  readonly turnId: string;
  readonly sessionId?: string;
}

type Text = Extract<TurnSignal, { content: string }>['type'];
type LastWord = Extract<TurnSignal, { type: 'error' | 'done' }>;
/** A text grows while it is said; everything else is there at once. */
type Entry = GrowingText | Exclude<TurnSignal, { content: string } | LastWord>;

/** Its pieces are not joined before they are read: the whole would be copied for each that comes. */
interface GrowingText {
  readonly type: Text;
  readonly pieces: string[];
  length: number;
}

export interface NumberedSignal {
  /** Names everything up to and with this signal: who read so far goes on after it. */
  readonly id: string;
  readonly signal: TurnSignal;
}

/** How far a reader has come. */
interface Place {
  readonly at: number;
  /** Characters of the text there. */
  readonly read: number;
  /** How many pieces these are; unknown to a reader who comes back. */
  readonly pieces?: number;
}

/**
 * All that is told of a turn, in order, while it is told and afterwards. An id is a place in it: which entry, and
 * how many characters of its text. The same turn read back from the log has the same entries, so that a reader
 * may go on with either, and in any process. Where a crash took entries that had been told, the log has none in
 * their place but the last words, which have ids of their own: no reader takes them for something it has read.
 * A reader that is slow gets longer pieces of text, not a longer queue.
 */
export class Transcript {
  readonly #entries: Entry[] = [];
  #lastWords: readonly LastWord[] = [];
  #isOver = false;
  #waiting: (() => void)[] = [];

  say(type: Text, text: string): void {
    const last = this.#entries.at(-1);
    if (last?.type === type && 'pieces' in last) {
      last.pieces.push(text);
      last.length += text.length;
      this.#tell();
    } else this.#add({ type, pieces: [text], length: text.length });
  }

  step(stepNumber: number): void {
    this.#add({ type: 'step', stepNumber });
  }

  calls(calls: readonly ToolUse[]): void {
    for (const { callId: id, name, input } of calls)
      this.#add({ type: 'tool_start', name, id, input: input ?? {} });
  }

  returned({ callId: id, result, failed: error, durationMs }: ToolReturn): void {
    this.#add({ type: 'tool_result', id, result: result ?? '', error, durationMs });
  }

  end(turn: Pick<Exchange, 'turnId' | 'sessionId'>, end: ExchangeEnd): void {
    const error = errorOf(end);
    const done = { type: 'done', metadata: metadataOf(turn, end) } as const;
    this.#lastWords = error ? [{ type: 'error', ...error }, done] : [done];
    this.close();
  }

  /** Nothing more is told here, whether the turn is over or not. */
  close(): void {
    this.#isOver = true;
    this.#tell();
  }

  /** Brings it to what is recorded, which goes on where it stands. */
  catchUp(exchange: Exchange): void {
    const recorded = new Transcript();
    recorded.#play(exchange);
    this.#entries.push(...recorded.#entries.slice(this.#entries.length));
    this.#lastWords = recorded.#lastWords;
    this.#isOver = recorded.#isOver;
    this.#tell();
  }

  #play(exchange: Exchange): void {
    for (const { step, parts, calls, returns } of exchange.steps) {
      this.step(step);
      for (const { type, text } of parts) if (text) this.say(type, text);
      this.calls(calls);
      for (const back of returns) this.returned(back);
    }
    if (exchange.end) this.end(exchange, exchange.end);
  }

  /** From after the signal with this id, to the end. */
  async *read(after: string | undefined, signal: AbortSignal): AsyncGenerator<readonly NumberedSignal[]> {
    const stop = () => this.#tell();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (let place = placeOf(after); !signal.aborted; ) {
        const { batch, next } = this.#since(place);
        place = next;
        if (this.#isOver) {
          const rest = [...batch, ...this.#lastWordsAfter(after)];
          if (rest.length > 0) yield rest;
          return;
        }
        if (batch.length > 0) yield batch;
        else await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  #since(place: Place): { readonly batch: readonly NumberedSignal[]; readonly next: Place } {
    const batch: NumberedSignal[] = [];
    let next = place;
    for (let at = place.at; at < this.#entries.length; at++) {
      const entry = this.#entries[at];
      if (!entry) break;
      if (!('pieces' in entry)) {
        batch.push({ id: `${at}.0`, signal: entry });
        next = { at: at + 1, ...NOTHING_READ };
        continue;
      }
      const { type, pieces, length } = entry;
      const content = unread(pieces, at === place.at ? place : NOTHING_READ);
      if (content !== '') batch.push({ id: `${at}.${length}`, signal: { type, content } });
      next = { at, read: length, pieces: pieces.length };
    }
    return { batch, next };
  }

  #lastWordsAfter(id: string | undefined): readonly NumberedSignal[] {
    const words = this.#lastWords.map((signal) => ({ id: signal.type, signal }));
    return words.slice(words.findIndex((word) => word.id === id) + 1);
  }

  #add(entry: Entry): void {
    this.#entries.push(entry);
    this.#tell();
  }

  #tell(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }
}

const NOTHING_READ = { read: 0, pieces: 0 };

/** After the last words there is nothing; an id that is none is no reason to leave anything out. */
function placeOf(id: string | undefined): Place {
  if (id === 'error' || id === 'done') return { at: Number.POSITIVE_INFINITY, read: 0 };
  const [, at, read] = /^(\d{1,9})\.(\d{1,9})$/.exec(id ?? '') ?? [];
  if (at === undefined || read === undefined) return { at: 0, ...NOTHING_READ };
  return read === '0' ? { at: Number(at) + 1, ...NOTHING_READ } : { at: Number(at), read: Number(read) };
}

function unread(pieces: readonly string[], { read, pieces: known }: Omit<Place, 'at'>): string {
  if (known === undefined) return pieces.join('').slice(read);
  const [first = '', ...others] = known === pieces.length - 1 ? pieces.slice(-1) : pieces.slice(known);
  return others.length === 0 ? first : first + others.join('');
}

export function metadataOf(
  { turnId, sessionId }: Pick<Exchange, 'turnId' | 'sessionId'>,
  { metadata }: ExchangeEnd,
): DoneMetadata {
  return { ...metadata, turnId, ...(sessionId === null ? {} : { sessionId }) };
}

/** Said of a model that was heard, where another that is not there would be the wrong thing to look for. */
const BROKE_OFF = 'The model broke off, or had nothing to say; try again';

const otherWords = {
  MAX_STEPS: 'The turn took more steps than it may',
  INTERRUPTED: 'The turn was interrupted; what was said so far is kept',
  INTERNAL: 'The turn failed here; the log has it under this turn',
} as const;

/** Why there is no reply, in words for the user. */
export function errorOf({
  as,
  code = 'INTERRUPTED',
  metadata,
}: ExchangeEnd): { code: string; message: string } | undefined {
  if (as === 'replied' || as === 'delegated') return undefined;
  const wasHeard = code === 'MODEL_UNAVAILABLE' && metadata.provider !== null;
  const message = wasHeard ? BROKE_OFF : isOther(code) ? otherWords[code] : errorRegistry[code].message;
  // The specification has no code for it.
  return { code: code === 'REQUEST_REFUSED' ? 'INTERNAL' : code, message };
}

function isOther(
  code: Extract<ErrorCode, string> | keyof typeof otherWords,
): code is keyof typeof otherWords {
  return Object.hasOwn(otherWords, code);
}
