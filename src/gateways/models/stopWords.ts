/** What is said up to the first of some words, which may come in pieces. */
export class StopWords {
  isReached = false;
  readonly #stop: readonly string[];
  /** The beginning of a stop, perhaps. */
  #held = '';

  constructor(stop: readonly string[]) {
    this.#stop = stop;
  }

  /** What of it can be told. */
  hear(text: string): string {
    if (this.isReached) return '';
    const said = this.#held + text;
    const ends = this.#stop.map((stop) => said.indexOf(stop)).filter((at) => at !== -1);
    this.isReached = ends.length > 0;
    const until = this.isReached ? Math.min(...ends) : said.length - this.#lengthOfBeginning(said);
    this.#held = this.isReached ? '' : said.slice(until);
    return said.slice(0, until);
  }

  /** At the end, what only looked like a beginning. */
  rest(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  #lengthOfBeginning(said: string): number {
    const longest = Math.max(0, ...this.#stop.map((stop) => stop.length - 1));
    for (let length = Math.min(longest, said.length); length > 0; length--) {
      const end = said.slice(-length);
      if (this.#stop.some((stop) => stop.startsWith(end))) return length;
    }
    return 0;
  }
}
