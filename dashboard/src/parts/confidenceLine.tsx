import type { Output } from '../api/ask.ts';
import { dayText, shareText } from '../words/format.ts';
import { parts } from '../words/parts.ts';
import { SmallLine } from './smallLine.tsx';

type Reason = Output<'GET /api/memory/conclusions/:id/why'>['chain'][number];

const MOST_WORDS = 6;

/** How certain it was: a line in steps, and the same as text. Of one that was always as certain there is nothing to draw. */
export function ConfidenceLine({ chain, now }: { readonly chain: readonly Reason[]; readonly now: number }) {
  const points = chain.flatMap(({ at, confidence }) =>
    confidence === undefined ? [] : [{ at, share: confidence }],
  );
  if (points.length < 2) return null;
  const text = points.map(({ at, share }) => parts.certainOn(shareText(share), dayText(at)));
  return (
    <figure class="confidence-line">
      <SmallLine points={points} now={now} says={`${parts.overTime}: ${text.join(', ')}`} />
      <figcaption class="quiet small">
        {parts.overTime}: {text.slice(-MOST_WORDS).join(' · ')}
      </figcaption>
    </figure>
  );
}
