import './timeBar.css';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { attempt } from '../parts/toasts.tsx';
import { followActivity, momentAfter, showAfter, stepBy, steps, stepsBehind } from '../state/activity.ts';
import { useKeys } from '../state/keys.ts';
import { moment } from '../state/moment.ts';
import { search } from '../state/place.ts';
import { momentText, numberText } from '../words/format.ts';
import { time } from '../words/time.ts';
import { Past } from './past.tsx';

/** All that has changed, as a slider: its right end is now. Elsewhere on it the whole page is as it was then. */
export default function TimeBar() {
  const isPast = moment.value !== undefined;
  useEffect(followActivity, []);
  useLayoutEffect(() => {
    document.documentElement.dataset.time = isPast ? 'past' : 'now';
  }, [isPast]);
  const back = () => void attempt(() => stepBy(-1));
  const forward = () => void attempt(() => stepBy(1));
  useKeys([
    { key: '[', says: time.stepBack, act: back },
    ...(isPast ? [{ key: ']', says: time.stepForward, act: forward }] : []),
  ]);
  if (steps.value.length === 0 && !isPast) return null;
  return (
    <section class={isPast ? 'time-bar past' : 'time-bar'} aria-label={time.bar}>
      <div class="time-row">
        <button
          type="button"
          class="icon"
          aria-label={time.stepBack}
          title={`${time.stepBack} [`}
          disabled={stepsBehind.value === 0}
          onClick={back}
        >
          ‹
        </button>
        <Slider />
        <button
          type="button"
          class="icon"
          aria-label={time.stepForward}
          title={`${time.stepForward} ]`}
          disabled={!isPast}
          onClick={forward}
        >
          ›
        </button>
        {isPast ? (
          <button type="button" class="main" onClick={() => search({ at: undefined }, false)}>
            {time.backToNow}
          </button>
        ) : (
          <span class="time-now">{time.now}</span>
        )}
      </div>
      {isPast ? <Past /> : null}
    </section>
  );
}

/** While it is moved it says where it is; the page goes there when it is let go, or a moment after a key. */
function Slider() {
  const [moved, setMoved] = useState<number>();
  const all = steps.value.length;
  const at = moved ?? stepsBehind.value;
  useLayoutEffect(() => setMoved(undefined), [moment.value]);
  return (
    <div class="time-slider">
      <Ticks />
      <input
        type="range"
        aria-label={time.shown}
        aria-valuetext={saysAt(at)}
        min={0}
        max={Math.max(1, all)}
        step={1}
        value={all === 0 ? 0 : at}
        // Its arrows are its own, whatever arrows do on the page.
        onKeyDown={(event) => {
          if (event.key.length > 1) event.stopPropagation();
        }}
        onInput={(event) => setMoved(event.currentTarget.valueAsNumber)}
        onChange={(event) => {
          setMoved(undefined);
          showAfter(event.currentTarget.valueAsNumber);
        }}
      />
      {moved === undefined ? null : (
        <output class="time-told" style={{ insetInlineStart: `${(100 * moved) / Math.max(1, all)}%` }}>
          {saysAt(moved)}
        </output>
      )}
    </div>
  );
}

/** What the slider says of a place on it: when that was, and what happened then. */
function saysAt(count: number): string {
  const at = momentAfter(count);
  if (at === undefined) return time.now;
  const change = steps.value[count - 1];
  if (!change) return time.before(momentText(at));
  if (change.type === null) return time.several(momentText(at), numberText(change.count));
  return time.one(momentText(at), time.changes[change.type] ?? change.type);
}

/** A line for each step, higher for many changes; a gap is drawn where more than a night lay between two. */
function Ticks() {
  const all = steps.value;
  // Where there is no room between two, they would be one grey block.
  const every = Math.ceil((all.length * LEAST_APART) / innerWidth);
  const lines = all.map(({ count }, index) => {
    const height = Math.min(16, 4 + 3 * Math.log2(1 + count));
    return index % every === 0 ? `M${placeOf(index + 1)} 20V${20 - height}` : '';
  });
  return (
    <svg class="time-ticks" viewBox={`0 0 ${WIDTH} 20`} preserveAspectRatio="none" aria-hidden="true">
      <path class="idle" d={all.map((change, index) => idleBefore(change.from, index)).join('')} />
      <path class="changes" d={lines.join('')} />
    </svg>
  );
}

/** About as wide as it is shown: a line that is stretched much is drawn badly. */
const WIDTH = 1_000;
const LEAST_APART = 8;
const A_NIGHT_MS = 8 * 60 * 60_000;

function idleBefore(from: number, index: number): string {
  const before = steps.value[index - 1];
  return before && from - before.to > A_NIGHT_MS ? `M${placeOf(index + 0.5)} 20V17` : '';
}

function placeOf(count: number): number {
  return (WIDTH * count) / steps.value.length;
}
