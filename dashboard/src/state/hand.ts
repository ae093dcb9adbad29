import { signal } from '@preact/signals';

/** Somebody chooses here: what stands there stays, also where they themselves have asked for something else. */
const CHOOSING = ':popover-open, .time-slider :active';
/** Or types: a dialog of a row goes with it. */
const HELD = `${CHOOSING}, .rows :modal`;
const LISTS = ':is(.rows, .session, tbody)';
/** Or points: a click means what lies under it. */
const POINTED = `${LISTS}:hover`;

/** So long after it was asked for, what changes in a list is what the person wants to see change. */
const OWN_MS = 2_000;
/** A hand that lies still for so long, or was lifted so long ago, is not about to click. */
const RESTS_MS = 3_000;
const LOOK_AGAIN_MS = 100;

/** Whether something is known that is not shown yet. */
export const newsWaits = signal(false);

/** By a clock that nobody sets. */
let actedAt = -Infinity;
let movedAt = -Infinity;
/** Of fingers, nothing tells where they are when they were lifted: where they were put down. */
let fingers = 0;
let touched: Element | null | undefined;
let told: ReturnType<typeof setTimeout> | undefined;

function moved(): void {
  if (performance.now() - actedAt > OWN_MS) movedAt = performance.now();
}

addEventListener('pointermove', ({ pointerType }) => {
  if (pointerType === 'touch') return;
  touched = undefined;
  moved();
});
for (const name of ['touchstart', 'touchend', 'touchcancel'] as const)
  addEventListener(
    name,
    ({ target, touches }) => {
      fingers = touches.length;
      touched = target instanceof Element ? target.closest(LISTS) : null;
      moved();
    },
    { passive: true },
  );
// It goes on when the finger is lifted.
addEventListener('scroll', () => touched && moved(), { passive: true, capture: true });

/** The person changes something: they wait for what comes of it, until they point at something else. */
export function acted(): void {
  actedAt = performance.now();
  movedAt = -Infinity;
}

function isPointed(): boolean {
  if (!fingers && performance.now() - movedAt > RESTS_MS) return false;
  return touched === undefined ? document.querySelector(POINTED) !== null : touched?.isConnected === true;
}

/** Waits while a hand is on what would move or close. News waits for one that moves over a list, too. */
export async function handIsOff(signal: AbortSignal, isNews = true): Promise<void> {
  const holds = () => document.querySelector(isNews ? HELD : CHOOSING) || (isNews && isPointed());
  while (!signal.aborted && holds()) {
    clearTimeout(told);
    newsWaits.value = true;
    told = setTimeout(() => (newsWaits.value = false), 5 * LOOK_AGAIN_MS);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
