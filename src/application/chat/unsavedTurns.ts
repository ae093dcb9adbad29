import type { Exchange } from '../../projections/chat/exchange.ts';

/** An exchange without a word takes some room too. */
const SMALLEST_SIZE = 1_000;

/** Turns that are over and not in the log yet. How much may wait is bounded: the log may be away for days. */
export class UnsavedTurns {
  readonly #byStream = new Map<string, readonly Exchange[]>();
  readonly #most: number;
  #size = 0;

  /** Of so many characters; what was begun before they were reached is kept all the same. */
  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#size >= this.#most;
  }

  /** Until what it returns is called. */
  keep(stream: string, exchange: Exchange): () => void {
    const size = sizeOf(exchange);
    this.#size += size;
    this.#byStream.set(stream, [...(this.#byStream.get(stream) ?? []), exchange]);
    return () => {
      this.#size -= size;
      const others = (this.#byStream.get(stream) ?? []).filter((one) => one.turnId !== exchange.turnId);
      if (others.length > 0) this.#byStream.set(stream, others);
      else this.#byStream.delete(stream);
    };
  }

  /** What is learned of one afterwards. */
  change(stream: string, turnId: string, change: (exchange: Exchange) => Exchange): void {
    const kept = this.#byStream.get(stream);
    if (kept)
      this.#byStream.set(
        stream,
        kept.map((one) => (one.turnId === turnId ? change(one) : one)),
      );
  }

  /** What the log says of a stream, brought to what is known here. */
  with(stream: string, exchanges: readonly Exchange[]): readonly Exchange[] {
    const unsaved = this.#byStream.get(stream);
    if (!unsaved) return exchanges;
    const isSame = (one: Exchange) => (other: Exchange) => other.turnId === one.turnId;
    const newest = exchanges.map((one) => unsaved.find(isSame(one)) ?? one);
    return [...newest, ...unsaved.filter((one) => !exchanges.some(isSame(one)))];
  }
}

/** About as many characters as it holds. */
function sizeOf({ text, images, steps }: Exchange): number {
  const shown = images.map(({ base64 }) => base64);
  const said = steps.flatMap(({ parts, returns }) => [
    ...parts.map((part) => part.text),
    ...returns.map(({ result }) => result),
  ]);
  const all = [text, ...shown, ...said];
  return all.reduce((size, one) => size + (one?.length ?? 0), SMALLEST_SIZE);
}
