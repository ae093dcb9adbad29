/** A list of numbers that is filled anew for every search, without being made anew. */
export class NumberList {
  readonly #numbers: Uint32Array;
  #length = 0;

  constructor(room: number) {
    this.#numbers = new Uint32Array(room);
  }

  push(number: number): void {
    this.#numbers[this.#length++] = number;
  }
  clear(): void {
    this.#length = 0;
  }
  get length(): number {
    return this.#length;
  }
  get all(): Uint32Array {
    return this.#numbers.subarray(0, this.#length);
  }
}

/** What a search over one corpus writes on. A search ends before the next begins. */
export class Scratch {
  readonly scores: Float32Array;
  /** What the concept of the moment gives to a document, and to which; clean between two. */
  readonly strength: Float32Array;
  readonly near: NumberList;
  /** Which concept counted last in a document. */
  readonly seen: Uint8Array;
  readonly touched: NumberList;
  readonly episodes: Float32Array;
  /** What they come to in the end: of those alone that were touched. */
  readonly whole: Float32Array;
  readonly counts: Float32Array;
  readonly within: NumberList;
  readonly touchedEpisodes: NumberList;

  constructor(documents: number, episodes: number) {
    this.scores = new Float32Array(documents);
    this.strength = new Float32Array(documents);
    this.near = new NumberList(documents);
    this.seen = new Uint8Array(documents);
    this.touched = new NumberList(documents);
    this.episodes = new Float32Array(episodes);
    this.whole = new Float32Array(episodes);
    this.counts = new Float32Array(episodes);
    this.within = new NumberList(episodes);
    this.touchedEpisodes = new NumberList(episodes);
  }

  clear(): void {
    for (const numbers of [this.scores, this.seen, this.episodes, this.counts]) numbers.fill(0);
    for (const list of [this.touched, this.within, this.touchedEpisodes]) list.clear();
  }
}
