const LINE_END = 10;
const CARRIAGE_RETURN = 13;

interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A message of a stream of events ends with an empty line. */
  readonly endsMessage: boolean;
}

/** Cuts what comes of a stream of events after each of its messages. */
export class MessageCutter {
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
