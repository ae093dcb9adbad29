import { dayText, shareText } from '../../words/format.ts';
import type { Link } from './chain.tsx';
import { words } from './words.ts';

const WIDTH = 240;
const HEIGHT = 40;

/** How certain it was: a step at each event that changed it, evenly beside each other. The same in words beside it. */
export function ConfidenceLine({ chain }: { readonly chain: readonly Link[] }) {
  const points = chain.flatMap(({ at, confidence }) =>
    confidence === undefined ? [] : [{ at, confidence }],
  );
  if (points.length < 2) return null;
  const wide = WIDTH / points.length;
  const line = points.map(({ confidence }, index) => {
    const y = (1 - confidence) * (HEIGHT - 4) + 2;
    return `${index === 0 ? `M0 ${y}` : `V${y}`}H${(index + 1) * wide}`;
  });
  const told = points.map(({ at, confidence }) => `${dayText(at)}: ${shareText(confidence)}`).join('; ');
  return (
    <figure class="confidence">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${words.confidenceOver}. ${told}`}>
        <path d={line.join('')} />
      </svg>
      <figcaption class="quiet small">
        {words.confidenceOver}: {shareText(points[0]?.confidence ?? 0)} →{' '}
        {shareText(points.at(-1)?.confidence ?? 0)}
      </figcaption>
    </figure>
  );
}
