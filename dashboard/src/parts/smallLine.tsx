const [WIDTH, HEIGHT, EDGE] = [240, 48, 4];

interface SmallLineProps {
  /** `share`: from 0, at the bottom, to 1. */
  readonly points: readonly { readonly at: number; readonly share: number }[];
  /** Where it stands now. */
  readonly now: number;
  /** The same in words. */
  readonly says: string;
}

/** How something went over time: a line in steps, to its end at the right. */
export function SmallLine({ points, now, says }: SmallLineProps) {
  return (
    <svg class="small-line" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={says}>
      <path d={lineThrough(points)} />
      <circle cx={WIDTH - EDGE} cy={heightOf(now)} r="3" />
    </svg>
  );
}

function lineThrough(points: SmallLineProps['points']): string {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const across = (at: number) => EDGE + ((at - first) / Math.max(1, last - first)) * (WIDTH - 3 * EDGE);
  const steps = points.map(({ at, share }, index) =>
    index === 0
      ? `M${across(at).toFixed(1)} ${heightOf(share)}`
      : `H${across(at).toFixed(1)}V${heightOf(share)}`,
  );
  return `${steps.join('')}H${WIDTH - EDGE}`;
}

function heightOf(share: number): string {
  return (EDGE + (1 - share) * (HEIGHT - 2 * EDGE)).toFixed(1);
}
