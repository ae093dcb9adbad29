/*
 * The four kinds of metrics of the text exposition format 0.0.4. A child is one series; whoever counts in a hot
 * path asks for the child once and keeps it, so that counting is an addition and builds no string.
 */

type Labels<Name extends string> = Readonly<Record<Name, string>>;

interface Child {
  /** The lines of this series; `labels` is `a="b",c="d"`, or empty. */
  render(name: string, labels: string): string;
}

export class Counter implements Child {
  value = 0;

  inc(by = 1): void {
    this.value += by;
  }

  render(name: string, labels: string): string {
    return line(name, labels, this.value);
  }
}

export class Gauge implements Child {
  value = 0;

  set(value: number): void {
    this.value = value;
  }

  render(name: string, labels: string): string {
    return line(name, labels, this.value);
  }
}

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class Histogram implements Child {
  readonly #counts = new Float64Array(SECONDS_BUCKETS.length + 1);
  #sum = 0;

  observe(seconds: number): void {
    let bucket = 0;
    while (seconds > (SECONDS_BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += seconds;
  }

  render(name: string, labels: string): string {
    let total = 0;
    let text = '';
    this.#counts.forEach((count, bucket) => {
      total += count;
      text += line(`${name}_bucket`, join(labels, `le="${SECONDS_BUCKETS[bucket] ?? '+Inf'}"`), total);
    });
    return text + line(`${name}_sum`, labels, this.#sum) + line(`${name}_count`, labels, total);
  }
}

/** The newest values, as many as fit: quantiles are of these. */
export class Recent {
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

const QUANTILES = [0.5, 0.95, 0.99];

export class Summary implements Child {
  readonly #recent = new Recent(1_024);
  #sum = 0;
  #count = 0;

  observe(seconds: number): void {
    this.#recent.add(seconds);
    this.#sum += seconds;
    this.#count++;
  }

  render(name: string, labels: string): string {
    const values = this.#recent.quantiles(QUANTILES);
    const quantiles = QUANTILES.map((share, index) =>
      line(name, join(labels, `quantile="${share}"`), values[index] ?? 0),
    );
    const totals = line(`${name}_sum`, labels, this.#sum) + line(`${name}_count`, labels, this.#count);
    return quantiles.join('') + totals;
  }
}

type Kind = 'counter' | 'gauge' | 'histogram' | 'summary';

interface FamilyOptions<Name extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Name[];
}

/** One metric name with all its series. */
export class Family<Of extends Child, Name extends string = never> {
  readonly #options: FamilyOptions<Name>;
  readonly #kind: Kind;
  readonly #create: () => Of;
  readonly #children = new Map<string, Of>();

  constructor(kind: Kind, create: () => Of, options: FamilyOptions<Name>) {
    this.#kind = kind;
    this.#create = create;
    this.#options = options;
  }

  /** The series with these labels, made when it is first asked for. */
  with(labels: Labels<Name>): Of {
    const names = this.#options.labels ?? [];
    const key = names.map((name) => `${name}="${escapeLabel(labels[name])}"`).join(',');
    let child = this.#children.get(key);
    if (!child) {
      child = this.#create();
      this.#children.set(key, child);
    }
    return child;
  }

  render(): string {
    const { name, help } = this.#options;
    let text = `# HELP ${name} ${help}\n# TYPE ${name} ${this.#kind}\n`;
    for (const [labels, child] of this.#children) text += child.render(name, labels);
    return text;
  }
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

function join(labels: string, label: string): string {
  return labels ? `${labels},${label}` : label;
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels ? `{${labels}}` : ''} ${value}\n`;
}
