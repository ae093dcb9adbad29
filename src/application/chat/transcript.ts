import { type ErrorCode, errorRegistry } from '../../errors.ts';
import type { Exchange, ExchangeEnd, ToolReturn, ToolUse } from '../../projections/chat/exchange.ts';
import type { DoneMetadata } from './signals.ts';
import { type Entry, type LastWord, type Text, TranscriptReader } from './transcriptReader.ts';

/**
 * All that is told of a turn, in order, while it is told and afterwards. An id is a place in it: which entry, and
 * how many characters of its text. The same turn read back from the log has the same entries, so that a reader
 * may go on with either, and in any process. Where a crash took entries that had been told, the log has none in
 * their place but the last words, which have ids of their own: no reader takes them for something it has read.
 * A reader that is slow gets longer pieces of text, not a longer queue.
 */
export class Transcript {
  readonly #told = { entries: [] as Entry[], lastWords: [] as LastWord[], isOver: false };
  readonly #readers = new Set<TranscriptReader>();

  say(type: Text, text: string): void {
    const last = this.#told.entries.at(-1);
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
    this.#told.lastWords = error ? [{ type: 'error', ...error }, done] : [done];
    this.close();
  }

  /** Nothing more is told here, whether the turn is over or not. */
  close(): void {
    this.#told.isOver = true;
    this.#tell();
  }

  /** Brings it to what is recorded, which goes on where it stands. */
  catchUp(exchange: Exchange): void {
    const recorded = new Transcript();
    recorded.#play(exchange);
    this.#told.entries.push(...recorded.#told.entries.slice(this.#told.entries.length));
    this.#told.lastWords = recorded.#told.lastWords;
    this.#told.isOver = recorded.#told.isOver;
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
  read(after: string | undefined, signal: AbortSignal): TranscriptReader {
    return new TranscriptReader(this.#told, after, { signal, readers: this.#readers });
  }

  #add(entry: Entry): void {
    this.#told.entries.push(entry);
    this.#tell();
  }

  #tell(): void {
    for (const reader of this.#readers) reader.wake();
  }
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
