import type { Metrics } from '../../metrics.ts';
import type { RequestStatistics } from '../../requestStatistics.ts';
import type { Distribution, Tally } from '../../tallies.ts';

/** Counts what one route answers, under its pattern. The series are looked up once, not for each request. */
export class RouteMeter {
  readonly #method: string;
  readonly #path: string;
  readonly #metrics: Metrics;
  readonly #statistics: RequestStatistics;
  readonly #byStatus: Record<string, Tally<'method' | 'path' | 'status'>> = {};
  #duration: Distribution<'method' | 'path'> | undefined;

  constructor(method: string, path: string, metrics: Metrics, statistics: RequestStatistics) {
    this.#method = method;
    this.#path = path;
    this.#metrics = metrics;
    this.#statistics = statistics;
  }

  /** `closed` stands for a connection that was closed without an answer. */
  record(status: number | 'closed', ms: number): void {
    const tally = this.#byStatus[status] ?? this.#resolve(status);
    tally.value++;
    this.#duration ??= this.#metrics.httpDuration.distribution({ method: this.#method, path: this.#path });
    this.#duration.observe(ms / 1_000);
    this.#statistics.record(ms, status !== 'closed' && status >= 500);
  }

  /** Makes the series of the usual answer, so that it stands at zero until then. */
  declare(status: number): void {
    this.#resolve(status);
  }

  #resolve(status: number | 'closed'): Tally<'method' | 'path' | 'status'> {
    const labels = { method: this.#method, path: this.#path, status: String(status) };
    const tally = this.#metrics.httpRequests.tally(labels);
    this.#byStatus[status] = tally;
    return tally;
  }
}
