import type { Clock } from './clock.ts';
import { PerMinute, Recent } from './recentFigures.ts';

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
