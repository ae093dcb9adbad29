import { durationText, momentText } from '../../words/format.ts';
import type { Task } from './schedules.tsx';
import { words } from './words.ts';

/** When it is due, as short as it can be said. */
export function whenText(schedule: Task['schedule']): string {
  if (schedule.type === 'once') return `${words.once}, ${momentText(schedule.atTimestamp)}`;
  if (schedule.type === 'interval') return words.every(durationText(schedule.intervalMs));
  return schedule.timezone === undefined
    ? schedule.expression
    : `${schedule.expression} (${schedule.timezone})`;
}
