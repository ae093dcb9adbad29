import { computed, signal } from '@preact/signals';
import { ask, type Output } from '../api/ask.ts';
import { onNews } from '../api/live.ts';
import { handIsOff } from './hand.ts';
import { moment } from './moment.ts';
import { search } from './place.ts';

type Change = Output<'GET /api/events/activity'>['changes'][number];

/** What comes in a row, as the changes of a sweep, is read once. */
const TOGETHER_MS = 1_000;

const known = signal<readonly Change[]>([]);

/**
 * The moments at which something changed, oldest first. They stand beside each other however much time lies between
 * them, so that idle time takes no room; what came in the same millisecond is one.
 */
export const steps = computed(() => {
  const together: Change[] = [];
  for (const change of known.value) {
    const last = together.at(-1);
    if (last && isOneMoment(last) && isOneMoment(change) && last.to === change.to)
      together[together.length - 1] = { ...last, count: last.count + change.count, type: null };
    else together.push(change);
  }
  return together;
});

function isOneMoment({ from, to }: Change): boolean {
  return from === to;
}

/** How many of the steps the moment that is shown has behind it. */
export const stepsBehind = computed(() => {
  const { value: at } = moment;
  return at === undefined ? steps.value.length : steps.value.findLastIndex(({ to }) => to <= at) + 1;
});

/** With so many steps behind: none is before the first change, and all of them is now. */
export function momentAfter(count: number): number | undefined {
  if (count >= steps.value.length) return undefined;
  const [first] = steps.value;
  return count === 0 ? first && first.from - 1 : steps.value[count - 1]?.to;
}

/** The first step into the past can be gone back from; further ones take its place. */
export function showAfter(count: number): void {
  const at = momentAfter(count);
  if (at === moment.value) return;
  search({ at }, at !== undefined && moment.value !== undefined);
}

/** One change back or forward. What is old and stands together is taken apart for it first. */
export async function stepBy(by: -1 | 1): Promise<void> {
  const at = stepsBehind.value;
  const next = steps.value[by === -1 ? at - 1 : at];
  if (next && next.from < next.to) await takeApart(next);
  showAfter(Math.max(0, stepsBehind.value + by));
}

async function takeApart(change: Change): Promise<void> {
  const { from, to } = change;
  const { changes } = await ask('GET /api/events/activity', { from, to });
  const isInside = (one: Change) => one.from >= from && one.to <= to;
  const inside = changes.filter(isInside);
  if (inside.length < 2) return;
  const rest = known.value.filter((one) => !isInside(one));
  known.value = [...rest, ...inside].sort((one, other) => one.to - other.to);
}

/** Begins once for the whole page. While nobody answers, what is known stays. */
export function followActivity(): void {
  let reading: AbortController | undefined;
  // In place of what is being read: an older answer must not come last.
  const read = async () => {
    reading?.abort();
    reading = new AbortController();
    const { signal } = reading;
    const answer = await ask('GET /api/events/activity', {}, { signal }).catch(() => undefined);
    await handIsOff(signal);
    if (answer && !signal.aborted) known.value = answer.changes;
  };
  onNews(['memory.*', 'entities.*', 'tools.*', 'models.*'], read, TOGETHER_MS);
  void read();
}
