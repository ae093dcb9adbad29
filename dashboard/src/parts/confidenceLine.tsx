import type { Output } from '../api/ask.ts';
import { dayText, shareText } from '../words/format.ts';
import { parts } from '../words/parts.ts';

type Reason = Output<'GET /api/memory/conclusions/:id/why'>['chain'][number];

const [WIDTH, HEIGHT, EDGE] = [240, 48, 4];
const MOST_WORDS = 6;

/** How certain it was: a line in steps, and the same as text. Of one that was always as certain there is nothing to draw. */
export function ConfidenceLine({ chain, now }: { readonly chain: readonly Reason[]; readonly now: number }) {
  const points = chain.flatMap(({ at, confidence }) =>
    confidence === undefined ? [] : [{ at, confidence }],
  );
  const last = points.at(-1);
  if (!last || points.length < 2) return null;
  const text = points.map(({ at, confidence }) => parts.certainOn(shareText(confidence), dayText(at)));
  return (
    <figure class="confidence-line">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${parts.overTime}: ${text.join(', ')}`}>
        <path d={lineThrough(points)} />
        <circle cx={WIDTH - EDGE} cy={heightOf(now)} r="3" />
      </svg>
      <figcaption class="quiet small">
        {parts.overTime}: {text.slice(-MOST_WORDS).join(' · ')}
      </figcaption>
    </figure>
  );
}

interface Point {
  readonly at: number;
  readonly confidence: number;
}

function lineThrough(points: readonly Point[]): string {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const across = (at: number) => EDGE + ((at - first) / Math.max(1, last - first)) * (WIDTH - 3 * EDGE);
  const steps = points.map(({ at, confidence }, index) =>
    index === 0
      ? `M${across(at).toFixed(1)} ${heightOf(confidence)}`
      : `H${across(at).toFixed(1)}V${heightOf(confidence)}`,
  );
  return `${steps.join('')}H${WIDTH - EDGE}`;
}

function heightOf(confidence: number): string {
  return (EDGE + (1 - confidence) * (HEIGHT - 2 * EDGE)).toFixed(1);
}
