import { signal } from '@preact/signals';

/** Somebody chooses here: what stands there stays, also where they themselves have asked for something else. */
const CHOOSING = ':popover-open, .time-slider :active';
/** Or types: a dialog of a row goes with it. */
const HELD = `${CHOOSING}, .rows :modal`;
/** Or points: a click means what lies under it. */
const POINTED = `${HELD}, :is(.rows, .session, tbody):hover`;

/** So long after it was asked for, what changes in a list is what the person wants to see change. */
const OWN_MS = 2_000;
/** A pointer that lies still for so long is not about to click. */
const RESTS_MS = 3_000;
const LOOK_AGAIN_MS = 100;

/** Whether something is known that is not shown yet. */
export const newsWaits = signal(false);

const canHover = matchMedia('(hover: hover)');
let actedAt = 0;
let movedAt = 0;
let told: ReturnType<typeof setTimeout> | undefined;

addEventListener('pointermove', () => {
  if (Date.now() - actedAt > OWN_MS) movedAt = Date.now();
});

/** The person changes something: they wait for what comes of it, until they point at something else. */
export function acted(): void {
  actedAt = Date.now();
  movedAt = 0;
}

/** Waits while a hand is on what would move or close. News waits for a pointer that moves over a list, too. */
export async function handIsOff(signal: AbortSignal, isNews = true): Promise<void> {
  const isMoving = () => canHover.matches && Date.now() - movedAt < RESTS_MS;
  const holds = () => document.querySelector(!isNews ? CHOOSING : isMoving() ? POINTED : HELD);
  while (!signal.aborted && holds()) {
    clearTimeout(told);
    newsWaits.value = true;
    told = setTimeout(() => (newsWaits.value = false), 5 * LOOK_AGAIN_MS);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
