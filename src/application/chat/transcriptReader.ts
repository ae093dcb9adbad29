import type { NumberedSignal, TurnSignal } from './signals.ts';

export type Text = Extract<TurnSignal, { content: string }>['type'];
export type LastWord = Extract<TurnSignal, { type: 'error' | 'done' }>;
/** A text grows while it is said; everything else is there at once. */
export type TranscriptEntry = GrowingText | Exclude<TurnSignal, { content: string } | LastWord>;

/** Its pieces are not joined before they are read: the whole would be copied for each that comes. */
interface GrowingText {
  readonly type: Text;
  readonly pieces: string[];
  length: number;
}

/** What is told so far. It grows. */
export interface ToldSoFar {
  readonly entries: readonly TranscriptEntry[];
  readonly lastWords: readonly LastWord[];
  readonly isOver: boolean;
}

/** How far a reader has come. */
interface Place {
  readonly at: number;
  /** Characters of the text there. */
  readonly read: number;
  /** How many pieces these are; unknown to a reader who comes back. */
  readonly pieces?: number;
}

const NOTHING_READ = { read: 0, pieces: 0 };
const OVER = { done: true, value: undefined } as const;

/**
 * Reads what is told from after the signal with an id, to the end. Written out where a generator would do: there are
 * hundreds that wait at the same time, and what each of them waits with outlives a collection.
 */
export class TranscriptReader implements AsyncIterableIterator<readonly NumberedSignal[], undefined> {
  readonly #told: ToldSoFar;
  readonly #after: string | undefined;
  readonly #signal: AbortSignal;
  readonly #readers: Set<TranscriptReader>;
  #place: Place;
  #isOver = false;
  #goOn: (() => void) | undefined;

  /** It is one of `readers` while it has to be woken. */
  constructor(
    told: ToldSoFar,
    after: string | undefined,
    { signal, readers }: { readonly signal: AbortSignal; readonly readers: Set<TranscriptReader> },
  ) {
    this.#told = told;
    this.#after = after;
    this.#signal = signal;
    this.#readers = readers;
    this.#place = placeOf(after);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** To be called when more is told. */
  readonly wake = (): void => {
    this.#goOn?.();
  };

  async next(): Promise<IteratorResult<readonly NumberedSignal[], undefined>> {
    while (!this.#isOver && !this.#signal.aborted) {
      const { isOver } = this.#told;
      const batch = this.#unread();
      if (isOver) this.#leave();
      if (batch) return { done: false, value: batch };
      if (!isOver) await this.#more();
    }
    this.#leave();
    return OVER;
  }

  async return(): Promise<IteratorResult<readonly NumberedSignal[], undefined>> {
    this.#leave();
    return OVER;
  }

  #more(): Promise<void> {
    if (!this.#readers.has(this)) {
      this.#readers.add(this);
      this.#signal.addEventListener('abort', this.wake, { once: true });
    }
    return new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }

  #leave(): void {
    this.#isOver = true;
    this.#readers.delete(this);
    this.#signal.removeEventListener('abort', this.wake);
  }

  #unread(): readonly NumberedSignal[] | undefined {
    const { entries, isOver } = this.#told;
    let batch: NumberedSignal[] | undefined;
    for (let at = this.#place.at; at < entries.length; at++) {
      const signal = this.#read(at, entries[at]);
      if (!signal) continue;
      if (batch) batch.push(signal);
      else batch = [signal];
    }
    return isOver ? withMore(batch, this.#lastWords()) : batch;
  }

  /** Nothing where there is no more of it. */
  #read(at: number, entry: TranscriptEntry | undefined): NumberedSignal | undefined {
    if (!entry) return undefined;
    if (!('pieces' in entry)) {
      this.#place = { at: at + 1, ...NOTHING_READ };
      return { id: `${at}.0`, signal: entry };
    }
    const { type, pieces, length } = entry;
    const content = unread(pieces, at === this.#place.at ? this.#place : NOTHING_READ);
    this.#place = { at, read: length, pieces: pieces.length };
    return content === '' ? undefined : { id: `${at}.${length}`, signal: { type, content } };
  }

  #lastWords(): readonly NumberedSignal[] {
    const words = this.#told.lastWords.map((signal) => ({ id: signal.type, signal }));
    return words.slice(words.findIndex((word) => word.id === this.#after) + 1);
  }
}

function withMore(
  batch: readonly NumberedSignal[] | undefined,
  more: readonly NumberedSignal[],
): readonly NumberedSignal[] | undefined {
  return more.length === 0 ? batch : [...(batch ?? []), ...more];
}

/** After the last words there is nothing; an id that is none is no reason to leave anything out. */
function placeOf(id: string | undefined): Place {
  if (id === 'error' || id === 'done') return { at: Number.POSITIVE_INFINITY, read: 0 };
  const [, at, read] = /^(\d{1,9})\.(\d{1,9})$/.exec(id ?? '') ?? [];
  if (at === undefined || read === undefined) return { at: 0, ...NOTHING_READ };
  return read === '0' ? { at: Number(at) + 1, ...NOTHING_READ } : { at: Number(at), read: Number(read) };
}

function unread(pieces: readonly string[], { read, pieces: known }: Omit<Place, 'at'>): string {
  if (known === undefined) return pieces.join('').slice(read);
  if (known === pieces.length) return '';
  const [first = '', ...others] = known === pieces.length - 1 ? pieces.slice(-1) : pieces.slice(known);
  return others.length === 0 ? first : first + others.join('');
}
