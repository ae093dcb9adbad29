import type { DebianTool } from '../../scripts/debianTools.ts';

/** One line of a benchmark: what was measured, against what, and whether the goal is met. */
export interface Row {
  readonly what: string;
  /** The limit or peer of the same run, with its figure. */
  readonly against: string;
  readonly ours: string;
  readonly goal: string;
  /** What the goal speaks of: a ratio, or an absolute figure. */
  readonly measured: string;
  readonly met: boolean;
}

export interface Benchmark {
  readonly title: string;
  /** Without these nothing is measured. */
  readonly needs?: readonly DebianTool[];
  run(rounds: number): Promise<readonly Row[]>;
}

/** A goal that is a ratio to what was measured beside it, at least or at most. */
export function ratioRow(
  what: string,
  against: { readonly name: string; readonly figure: number },
  ours: number,
  goal: { readonly least?: number; readonly most?: number },
  unit: string,
): Row {
  const ratio = ours / against.figure;
  return {
    what,
    against: `${against.name}: ${figure(against.figure)} ${unit}`,
    ours: `${figure(ours)} ${unit}`,
    goal: goal.least === undefined ? `≤ ${goal.most} ×` : `≥ ${goal.least} ×`,
    measured: `${figure(ratio)} ×`,
    met: goal.least === undefined ? ratio <= (goal.most ?? Number.NaN) : ratio >= goal.least,
  };
}

/** A goal that is a figure by itself. */
export function limitRow(what: string, ours: number, most: number, unit: string, against = '–'): Row {
  const measured = `${figure(ours)} ${unit}`;
  return { what, against, ours: measured, goal: `≤ ${figure(most)} ${unit}`, measured, met: ours <= most };
}

/** A goal that is a share of all, at least. */
export function shareRow(what: string, share: number, least: number, against: string): Row {
  const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
  const ours = percent(share);
  return { what, against, ours, goal: `≥ ${percent(least)}`, measured: ours, met: share >= least };
}

function figure(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US');
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** False where any of its figures is none: whatever else it says, nothing was shown. */
export function isMeasured(row: Row): boolean {
  return !Object.values(row).some((cell) => /NaN|Infinity|∞/.test(String(cell)));
}

export function toMarkdown(title: string, rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.against,
    row.ours,
    row.goal,
    isMeasured(row) ? `${row.measured} ${row.met ? '✓' : '✗'}` : 'not measured ✗',
  ]);
  const lines = [['What', 'Limit or peer', 'hark', 'Goal', 'Measured'], ...cells];
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const line = (of: readonly string[]) =>
    `| ${of.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [`### ${title}`, '', line(head), rule, ...body.map(line), ''].join('\n');
}
