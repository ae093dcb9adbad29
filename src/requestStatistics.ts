import type { Clock } from './clock.ts';

const SECONDS = 60;

/** How many in the last minute, to the second. */
class PerMinute {
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
class Recent {
  readonly #values: Float64Array;
  #seen = 0;

  constructor(size: number) {
    this.#values = new Float64Array(size);
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

export interface RequestFigures {
  readonly requests: { total: number; perMinute: number };
  readonly errors: { total: number; perMinute: number };
  readonly latency: { p50: number; p95: number; p99: number };
}

/** The figures of requests behind `/health/metrics`. An error is an answer of 500 or above. Latency in ms. */
export class RequestStatistics {
  readonly #clock: Clock;
  readonly #requests = new PerMinute();
  readonly #errors = new PerMinute();
  readonly #latency = new Recent(4_096);
  #requestTotal = 0;
  #errorTotal = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  record(ms: number, isError: boolean): void {
    const second = Math.floor(this.#clock() / 1_000);
    this.#requestTotal++;
    this.#requests.add(second);
    this.#latency.add(ms);
    if (!isError) return;
    this.#errorTotal++;
    this.#errors.add(second);
  }

  figures(): RequestFigures {
    const second = Math.floor(this.#clock() / 1_000);
    const [p50 = 0, p95 = 0, p99 = 0] = this.#latency.quantiles([0.5, 0.95, 0.99]);
    return {
      requests: { total: this.#requestTotal, perMinute: this.#requests.total(second) },
      errors: { total: this.#errorTotal, perMinute: this.#errors.total(second) },
      latency: { p50, p95, p99 },
    };
  }
}
