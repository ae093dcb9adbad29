const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;

/** How an engine failed, and when it may be tried again: at once after the first time, then after pauses that grow. */
export class Outage {
  #failures = 0;
  #last: { readonly why: string; readonly until: number } | undefined;

  /** Why it is not to be asked at the moment. */
  get broken(): string | undefined {
    return this.#last && performance.now() < this.#last.until ? this.#last.why : undefined;
  }

  /** Why it failed when it was last tried, until it works again. */
  get lastFailure(): string | undefined {
    return this.#last?.why;
  }

  begin(why: string): void {
    const pause = this.#failures === 0 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (this.#failures - 1));
    this.#failures++;
    this.#last = { why, until: performance.now() + pause };
  }

  end(): void {
    this.#failures = 0;
    this.#last = undefined;
  }
}
