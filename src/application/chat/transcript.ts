import type { Exchange } from '../../projections/chat/exchange.ts';
import { signalsOf, type TurnSignal } from './signals.ts';
import { type LastWord, type Text, type TranscriptEntry, TranscriptReader } from './transcriptReader.ts';

/**
 * All that is told of a turn, in order, while it is told and afterwards. An id is a place in it: which entry, and
 * how many characters of its text. The same turn read back from the log has the same entries, so that a reader
 * may go on with either, and in any process. Where a crash took entries that had been told, the log has none in
 * their place but the last words, which have ids of their own: no reader takes them for something it has read.
 * A reader that is slow gets longer pieces of text, not a longer queue.
 */
export class Transcript {
  readonly #told = { entries: [] as TranscriptEntry[], lastWords: [] as LastWord[], isOver: false };
  readonly #readers = new Set<TranscriptReader>();

  tell(signal: TurnSignal): void {
    const { entries, lastWords } = this.#told;
    switch (signal.type) {
      case 'content':
      case 'thinking':
        this.#say(signal.type, signal.content);
        break;
      case 'error':
      case 'done':
        lastWords.push(signal);
        this.#told.isOver = signal.type === 'done';
        break;
      default:
        entries.push(signal);
    }
    this.#wakeReaders();
  }

  /** Nothing more is told here, whether the turn is over or not. */
  close(): void {
    this.#told.isOver = true;
    this.#wakeReaders();
  }

  /** Brings it to what is recorded, which goes on where it stands. */
  catchUp(exchange: Exchange): void {
    const recorded = new Transcript();
    for (const signal of signalsOf(exchange)) recorded.tell(signal);
    this.#told.entries.push(...recorded.#told.entries.slice(this.#told.entries.length));
    this.#told.lastWords = recorded.#told.lastWords;
    this.#told.isOver = recorded.#told.isOver;
    this.#wakeReaders();
  }

  /** From after the signal with this id, to the end. */
  read(after: string | undefined, signal: AbortSignal): TranscriptReader {
    return new TranscriptReader(this.#told, after, { signal, readers: this.#readers });
  }

  #say(type: Text, text: string): void {
    const { entries } = this.#told;
    const last = entries.at(-1);
    if (last?.type === type && 'pieces' in last) {
      last.pieces.push(text);
      last.length += text.length;
    } else entries.push({ type, pieces: [text], length: text.length });
  }

  #wakeReaders(): void {
    for (const reader of this.#readers) reader.wake();
  }
}
