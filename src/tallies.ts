import type { HistogramConfiguration } from 'prom-client';
import Counter from 'prom-client/lib/counter.js';
import Histogram from 'prom-client/lib/histogram.js';

/*
 * What is counted with every answer. Prometheus's own series look themselves up by their labels each time, which takes
 * longer than all else that is counted of a request: these are numbers, and become series when somebody reads them.
 */

type Labels<Label extends string> = Record<Label, string>;

/** How often something was. */
export class Tally<Label extends string> {
  readonly labels: Labels<Label>;
  value = 0;

  constructor(labels: Labels<Label>) {
    this.labels = labels;
  }
}

export class TalliedCounter<Label extends string> extends Counter<Label> {
  readonly #tallies = new Map<string, Tally<Label>>();

  /** Stands at zero from now on. To be kept by whoever counts: it is looked up by its labels, in their order. */
  tally(labels: Labels<Label>): Tally<Label> {
    const key = JSON.stringify(labels);
    const tally = this.#tallies.get(key) ?? new Tally(labels);
    this.#tallies.set(key, tally);
    return tally;
  }

  override async get() {
    return { ...(await super.get()), values: [...this.#tallies.values()] };
  }
}

/** How long something took, or how large it was. */
export class Distribution<Label extends string> {
  readonly labels: Labels<Label>;
  readonly #bounds: readonly number[];
  /** Of values up to each bound and above the one before; the last is of those above all bounds. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(labels: Labels<Label>, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let place = 0;
    while (place < this.#bounds.length && value > (this.#bounds[place] ?? 0)) place++;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#sum += value;
  }

  values(name: string) {
    const sharedLabels = this.labels;
    let count = 0;
    const buckets = [...this.#bounds, '+Inf'].map((le, place) => {
      count += this.#counts[place] ?? 0;
      return { labels: { le }, sharedLabels, value: count, metricName: `${name}_bucket` };
    });
    return [
      ...buckets,
      { labels: {}, sharedLabels, value: this.#sum, metricName: `${name}_sum` },
      { labels: {}, sharedLabels, value: count, metricName: `${name}_count` },
    ];
  }
}

interface HistogramOptions<Label extends string> extends HistogramConfiguration<Label> {
  readonly buckets: number[];
}

export class TalliedHistogram<Label extends string> extends Histogram<Label> {
  readonly #options: HistogramOptions<Label>;
  readonly #distributions = new Map<string, Distribution<Label>>();

  constructor(options: HistogramOptions<Label>) {
    super(options);
    this.#options = options;
  }

  /** To be kept, as a tally. */
  distribution(labels: Labels<Label>): Distribution<Label> {
    const key = JSON.stringify(labels);
    const distribution = this.#distributions.get(key) ?? new Distribution(labels, this.#options.buckets);
    this.#distributions.set(key, distribution);
    return distribution;
  }

  /** From this prom-client makes whatever is read of a histogram. */
  async getForPromString() {
    const { name, help } = this.#options;
    const values = [...this.#distributions.values()].flatMap((one) => one.values(name));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }
}
