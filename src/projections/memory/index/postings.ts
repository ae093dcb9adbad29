const MOST_COUNTED = 255;

/** For each term the documents that have it, and how often, in two long arrays. */
export class Postings {
  readonly documents: Uint32Array;
  readonly counts: Uint8Array;
  readonly #starts: Uint32Array;

  /** From the terms of all documents, one after the other; `starts` has where each begins, and the end. */
  constructor(sequence: Uint32Array, starts: readonly number[], terms: number) {
    const sizes = new Uint32Array(terms + 1);
    this.#starts = sizes;
    const last = new Int32Array(terms).fill(-1);
    eachTerm(sequence, starts, (term, document) => {
      if (last[term] === document) return;
      last[term] = document;
      sizes[term + 1] = this.start(term + 1) + 1;
    });
    for (let term = 0; term < terms; term++) sizes[term + 1] = this.start(term + 1) + this.start(term);
    this.documents = new Uint32Array(this.start(terms));
    this.counts = new Uint8Array(this.documents.length);
    const next = sizes.slice(0, terms);
    last.fill(-1);
    eachTerm(sequence, starts, (term, document) => {
      if (last[term] !== document) {
        last[term] = document;
        const place = next[term] ?? 0;
        next[term] = place + 1;
        this.documents[place] = document;
      }
      const place = (next[term] ?? 1) - 1;
      this.counts[place] = Math.min(MOST_COUNTED, (this.counts[place] ?? 0) + 1);
    });
  }

  /** Where the entries of a term begin; they end where those of the next begin. */
  start(term: number): number {
    return this.#starts[term] ?? 0;
  }
  /** How many documents have it. */
  spread(term: number): number {
    return this.start(term + 1) - this.start(term);
  }
}

function eachTerm(
  sequence: Uint32Array,
  starts: readonly number[],
  visit: (term: number, document: number) => void,
): void {
  for (let document = 0; document + 1 < starts.length; document++) {
    const end = starts[document + 1] ?? 0;
    for (let at = starts[document] ?? 0; at < end; at++) visit(sequence[at] ?? 0, document);
  }
}
