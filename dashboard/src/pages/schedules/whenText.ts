import { momentText } from '../../words/format.ts';
import { language } from '../../words/words.ts';
import type { Task } from './schedules.tsx';
import { words } from './words.ts';

/** When it is due, as short as it can be said. */
export function whenText(schedule: Task['schedule']): string {
  if (schedule.type === 'once') return `${words.once}, ${momentText(schedule.atTimestamp)}`;
  if (schedule.type === 'interval') return words.every(intervalText(schedule.intervalMs));
  return schedule.timezone === undefined
    ? schedule.expression
    : `${schedule.expression} (${schedule.timezone})`;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** In the largest unit that it is a whole number of. */
function intervalText(ms: number): string {
  const [unit, size] = units.find(([, size]) => ms % size === 0) ?? (['second', 1_000] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(ms / size);
}
