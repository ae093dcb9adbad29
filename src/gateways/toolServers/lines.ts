const LINE_END = 10;

/** Puts the lines of a program together again from the pieces in which they came. */
export class Lines {
  readonly #most: number;
  readonly #onTooLong: () => never;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(most: number, onTooLong: () => never) {
    this.#most = most;
    this.#onTooLong = onTooLong;
  }

  *endedBy(chunk: Buffer): Generator<Buffer> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      this.#keep(chunk.subarray(from, end));
      const line = Buffer.concat(this.#pieces, this.#size);
      this.#pieces = [];
      this.#size = 0;
      from = end + 1;
      yield line;
    }
    this.#keep(chunk.subarray(from));
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > this.#most) this.#onTooLong();
    this.#pieces.push(piece);
  }
}
