import type { Counter, Histogram } from 'prom-client';
import type { Metrics } from '../../metrics.ts';
import type { RequestStatistics } from '../../requestStatistics.ts';

/** Counts what one route answers, under its pattern. The series are looked up once, not for each request. */
export class RouteMeter {
  readonly #method: string;
  readonly #path: string;
  readonly #metrics: Metrics;
  readonly #statistics: RequestStatistics;
  readonly #byStatus: Record<string, Counter.Internal> = {};
  #duration: Histogram.Internal<'method' | 'path'> | undefined;

  constructor(method: string, path: string, metrics: Metrics, statistics: RequestStatistics) {
    this.#method = method;
    this.#path = path;
    this.#metrics = metrics;
    this.#statistics = statistics;
  }

  /** `closed` stands for a connection that was closed without an answer. */
  record(status: number | 'closed', ms: number): void {
    const counter = this.#byStatus[status] ?? this.#resolve(status);
    counter.inc();
    this.#duration ??= this.#metrics.httpDuration.labels({ method: this.#method, path: this.#path });
    this.#duration.observe(ms / 1_000);
    this.#statistics.record(ms, status !== 'closed' && status >= 500);
  }

  /** Makes the series of the usual answer, so that it stands at zero until then. */
  declare(status: number): void {
    this.#resolve(status);
  }

  #resolve(status: number | 'closed'): Counter.Internal {
    const labels = { method: this.#method, path: this.#path, status: String(status) };
    const counter = this.#metrics.httpRequests.labels(labels);
    counter.inc(0);
    this.#byStatus[status] = counter;
    return counter;
  }
}
