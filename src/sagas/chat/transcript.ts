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
/** A text grows while it is said; everything else is there at once. */
type Entry = { readonly type: Text; text: string } | Exclude<TurnSignal, { content: string }>;

export interface NumberedSignal {
  /** Names everything up to and with this signal: who read so far goes on after it. */
  readonly id: string;
  readonly signal: TurnSignal;
}

/**
 * All that is told of a turn, in order, while it is told and afterwards. An id is a place in it: which entry, and
 * how many characters of its text. The same turn read back from the log has the same entries, so that a reader
 * may go on with either, and in any process. A reader that is slow gets longer pieces of text, not a longer queue.
 */
export class Transcript {
  readonly #entries: Entry[] = [];
  #isOver = false;
  #waiting: (() => void)[] = [];

  say(type: Text, text: string): void {
    const last = this.#entries.at(-1);
    if (last?.type === type && 'text' in last) last.text += text;
    else this.#entries.push({ type, text });
    this.#tell();
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
    if (error) this.#entries.push({ type: 'error', ...error });
    this.#isOver = true;
    this.#add({ type: 'done', metadata: metadataOf(turn, end) });
  }

  /** Brings it to what is recorded, which goes on where it stands. */
  catchUp(exchange: Exchange): void {
    const recorded = new Transcript();
    recorded.#play(exchange);
    this.#entries.push(...recorded.#entries.slice(this.#entries.length));
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
      for (let cursor = this.#placeOf(after); !signal.aborted; ) {
        const { batch, next } = this.#since(cursor);
        cursor = next;
        if (batch.length > 0) yield batch;
        else if (this.#isOver) return;
        else await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Where to go on: an id that does not fit was given before a crash took what it named. */
  #placeOf(id: string | undefined): Place {
    const [, at, read] = /^(\d{1,9})\.(\d{1,9})$/.exec(id ?? '') ?? [];
    if (at === undefined || read === undefined) return { at: 0, read: 0 };
    const entry = this.#entries[Number(at)];
    if (entry === undefined && this.#isOver) return { at: this.#lastWordsAt(), read: 0 };
    const isRead = read === '0' && (entry === undefined || !('text' in entry));
    return isRead ? { at: Number(at) + 1, read: 0 } : { at: Number(at), read: Number(read) };
  }

  #lastWordsAt(): number {
    return this.#entries.length - (this.#entries.at(-2)?.type === 'error' ? 2 : 1);
  }

  #since({ at, read }: Place): { readonly batch: readonly NumberedSignal[]; readonly next: Place } {
    const batch: NumberedSignal[] = [];
    let next: Place = { at, read };
    for (let index = at; index < this.#entries.length; index++) {
      const entry = this.#entries[index];
      if (!entry) break;
      if (!('text' in entry)) {
        batch.push({ id: `${index}.0`, signal: entry });
        next = { at: index + 1, read: 0 };
        continue;
      }
      const { type, text } = entry;
      const content = text.slice(index === at ? read : 0);
      if (content !== '') batch.push({ id: `${index}.${text.length}`, signal: { type, content } });
      next = { at: index, read: text.length };
    }
    return { batch, next };
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

interface Place {
  readonly at: number;
  readonly read: number;
}

export function metadataOf(
  { turnId, sessionId }: Pick<Exchange, 'turnId' | 'sessionId'>,
  { metadata }: ExchangeEnd,
): DoneMetadata {
  return { ...metadata, turnId, ...(sessionId === null ? {} : { sessionId }) };
}

const otherWords = {
  MAX_STEPS: 'The turn took more steps than it may',
  INTERRUPTED: 'The turn was interrupted; what was said so far is kept',
  INTERNAL: 'The turn failed here; the log has it under this turn',
} as const;

/** Why there is no reply, in words for the user. */
export function errorOf({
  as,
  code = 'INTERRUPTED',
}: ExchangeEnd): { code: string; message: string } | undefined {
  if (as === 'replied' || as === 'delegated') return undefined;
  return { code, message: isOther(code) ? otherWords[code] : errorRegistry[code].message };
}

function isOther(
  code: Extract<ErrorCode, string> | keyof typeof otherWords,
): code is keyof typeof otherWords {
  return Object.hasOwn(otherWords, code);
}
