/** One line of a metric: its labels, and what it is. */
interface Series {
  readonly labels: string;
  readonly value: number;
}

/** How many fell under each bound; the last bound is that of all. */
export interface Histogram {
  readonly labels: string;
  readonly buckets: readonly { readonly bound: string; readonly count: number }[];
  readonly count: number;
  readonly sum: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly series: readonly Series[];
  readonly histograms: readonly Histogram[];
}

interface Line extends Series {
  readonly name: string;
  readonly bound: string | undefined;
}

/** The metrics of an exposition in Prometheus' text format. */
export function readExposition(text: string): readonly Family[] {
  const helps = new Map<string, string>();
  const types = new Map<string, string>();
  const lines: Line[] = [];
  for (const line of text.split('\n')) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (word === 'HELP') helps.set(name, rest);
    else if (word === 'TYPE') types.set(name, rest);
    else {
      const read = lineOf(line);
      if (read) lines.push(read);
    }
  }
  return [...types].map(([name, type]) => {
    const own = lines.filter(
      (line) => line.name === name || line.name.replace(/_(?:bucket|sum|count)$/, '') === name,
    );
    const isHistogram = type === 'histogram';
    return {
      ...{ name, type, help: helps.get(name) ?? '' },
      series: isHistogram ? [] : own.map(({ labels, value }) => ({ labels, value })),
      histograms: isHistogram ? histogramsOf(name, own) : [],
    };
  });
}

function lineOf(line: string): Line | undefined {
  const [, name = '', inBraces = '', value = ''] = /^([\w:]+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
  if (name === '') return undefined;
  const labels = Array.from(inBraces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, label = '', said = '']) => ({
    label,
    said,
  }));
  return {
    name,
    bound: labels.find(({ label }) => label === 'le')?.said,
    labels: labels
      .filter(({ label }) => label !== 'le')
      .map(({ label, said }) => `${label}=${said}`)
      .join(', '),
    value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value),
  };
}

/** Buckets are told with all below them; here each holds its own. */
function histogramsOf(name: string, lines: readonly Line[]): readonly Histogram[] {
  return Array.from(
    Map.groupBy(lines, ({ labels }) => labels),
    ([labels, own]) => {
      const of = (part: string) => own.find((line) => line.name === `${name}_${part}`)?.value ?? 0;
      const counted = own.filter(({ bound }) => bound !== undefined);
      const buckets = counted.map(({ bound = '', value }, index) => ({
        bound,
        count: value - (counted[index - 1]?.value ?? 0),
      }));
      return { labels, buckets, count: of('count'), sum: of('sum') };
    },
  ).filter(({ count }) => count > 0);
}
