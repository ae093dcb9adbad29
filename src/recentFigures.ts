const SECONDS = 60;

/** How many in the last minute, to the second. */
export class PerMinute {
  readonly #counts = new Float64Array(SECONDS);
  #second = 0;

  add(second: number): void {
    this.#forget(second);
    const slot = second % SECONDS;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
  }

  total(second: number): number {
    this.#forget(second);
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  #forget(second: number): void {
    if (second === this.#second) return;
    if (second < this.#second || second - this.#second >= SECONDS) this.#counts.fill(0);
    else for (let past = this.#second + 1; past <= second; past++) this.#counts[past % SECONDS] = 0;
    this.#second = second;
  }
}

/** The newest values, as many as fit: quantiles are of these. */
export class Recent {
  readonly #values: Float64Array;
  #seen = 0;

  constructor(size: number) {
    this.#values = new Float64Array(size);
  }

  /** All that were ever added. */
  get count(): number {
    return this.#seen;
  }

  add(value: number): void {
    this.#values[this.#seen++ % this.#values.length] = value;
  }

  /** One value for each share asked for; zeros as long as nothing was seen. */
  quantiles(shares: readonly number[]): number[] {
    const sorted = this.#values.slice(0, Math.min(this.#seen, this.#values.length)).sort();
    return shares.map((share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  }
}
