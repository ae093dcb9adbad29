import type { Clock, Wake } from './clock.ts';
import type { RequestStatistics } from './requestStatistics.ts';

/** How the service was at a moment. Latency in ms, memory in bytes. */
export interface Sample {
  readonly at: number;
  /** Of the process, in seconds. */
  readonly uptime: number;
  readonly requestsPerMinute: number;
  readonly errorsPerMinute: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly memory: number;
}

export const SAMPLE_EVERY_MS = 10_000;
/** An hour. */
const MOST = 360;
const FIELDS = 8;

interface FiguresOptions {
  readonly statistics: Pick<RequestStatistics, 'figures'>;
  readonly clock: Clock;
  readonly wake: Wake;
}

/** The figures of this process over the last hour, in a piece of memory that does not grow. Not in the log. */
export class FiguresOverTime {
  readonly #options: FiguresOptions;
  readonly #ring = new Float64Array(MOST * FIELDS);
  readonly #hearers = new Set<() => void>();
  #taken = 0;
  #cancel: (() => void) | undefined;

  constructor(options: FiguresOptions) {
    this.#options = options;
  }

  start(): void {
    this.#take();
  }

  stop(): void {
    this.#cancel?.();
  }

  /** Oldest first. */
  all(): readonly Sample[] {
    return this.#since(0);
  }

  /** All of them, and then each as it is taken. */
  async *follow(signal: AbortSignal): AsyncGenerator<readonly Sample[]> {
    for (let told = 0; !signal.aborted; ) {
      const news = this.#since(told);
      told = this.#taken;
      if (news.length > 0) yield news;
      else await this.#next(signal);
    }
  }

  #take(): void {
    const { statistics, clock, wake } = this.#options;
    const { requests, errors, latency } = statistics.figures();
    const at = clock();
    const { p50, p95, p99 } = latency;
    const row = [at, process.uptime(), requests.perMinute, errors.perMinute, p50, p95, p99];
    this.#ring.set([...row, process.memoryUsage.rss()], (this.#taken % MOST) * FIELDS);
    this.#taken++;
    for (const hear of [...this.#hearers]) hear();
    this.#cancel = wake(at + SAMPLE_EVERY_MS, () => this.#take());
  }

  #since(told: number): readonly Sample[] {
    const from = Math.max(told, this.#taken - MOST);
    return Array.from({ length: this.#taken - from }, (_, index) => this.#read((from + index) % MOST));
  }

  #read(row: number): Sample {
    const [
      at = 0,
      uptime = 0,
      requestsPerMinute = 0,
      errorsPerMinute = 0,
      p50 = 0,
      p95 = 0,
      p99 = 0,
      memory = 0,
    ] = this.#ring.subarray(row * FIELDS, (row + 1) * FIELDS);
    return { at, uptime, requestsPerMinute, errorsPerMinute, p50, p95, p99, memory };
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#hearers.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#hearers.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
