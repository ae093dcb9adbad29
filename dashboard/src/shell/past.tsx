import { ErrorBoundary, useLocation } from 'preact-iso';
import { loadedPart } from '../api/loaded.ts';
import { moment } from '../state/moment.ts';
import { search } from '../state/place.ts';
import { momentText } from '../words/format.ts';
import { time } from '../words/time.ts';

const Compared = loadedPart(async () => (await import('../later.ts')).Compared);
const BroughtBack = loadedPart(async () => (await import('../later.ts')).BroughtBack);

/** That what is shown is the past, and the two things that can be done there. */
export function Past() {
  const { value: at } = moment;
  const { then: open } = useLocation().query;
  if (at === undefined) return null;
  const show = (then: 'compare' | 'restore' | undefined) => search({ then });
  return (
    <>
      <div class="past-says">
        <p role="status">{time.isPast(momentText(at))}</p>
        <div class="actions">
          <button type="button" onClick={() => show('compare')}>
            {time.compare}
          </button>
          <button type="button" onClick={() => show('restore')}>
            {time.restore}
          </button>
        </div>
      </div>
      <ErrorBoundary>
        {open === 'compare' ? <Compared at={at} onClose={() => show(undefined)} /> : null}
        {open === 'restore' ? <BroughtBack at={at} onClose={() => show(undefined)} /> : null}
      </ErrorBoundary>
    </>
  );
}
