/** Samples by row and column over several rounds, read as medians: machines are noisy. */
export class Samples {
  readonly #rows = new Map<string, Map<string, number[]>>();

  add(row: string, values: Readonly<Record<string, number>>): void {
    const columns = this.#rows.get(row) ?? new Map<string, number[]>();
    this.#rows.set(row, columns);
    for (const [column, value] of Object.entries(values)) {
      columns.set(column, [...(columns.get(column) ?? []), value]);
    }
  }

  median(row: string, column: string): number {
    const values = this.#rows.get(row)?.get(column) ?? [];
    return percentile(values, 50);
  }
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))] ?? Number.NaN;
}

/** Calls `one` from `callers` at once until it was called `total` times; returns each call's milliseconds. */
export async function callAtOnce(
  callers: number,
  total: number,
  one: (index: number, caller: number) => Promise<unknown>,
): Promise<{ readonly perSecond: number; readonly p50: number; readonly p99: number }> {
  const latencies: number[] = [];
  let next = 0;
  const started = performance.now();
  const call = async (caller: number) => {
    for (let index = next++; index < total; index = next++) {
      const before = performance.now();
      await one(index, caller);
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  const seconds = (performance.now() - started) / 1_000;
  return { perSecond: total / seconds, p50: percentile(latencies, 50), p99: percentile(latencies, 99) };
}
