import { momentText } from '../../words/format.ts';
import { locale } from '../../words/words.ts';
import type { Task } from './schedules.tsx';
import { words } from './words.ts';

/** When it is due, as short as it can be said. */
export function whenText(schedule: Task['schedule']): string {
  if (schedule.type === 'once') return `${words.once}, ${momentText(schedule.atTimestamp)}`;
  if (schedule.type === 'interval') return words.every(intervalText(schedule.intervalMs));
  const { expression, timezone } = schedule;
  const said = cronText(expression) ?? expression;
  return timezone === undefined ? said : `${said} (${timezone})`;
}

/** The usual ones: a time of some days. Others are shown as they are. */
function cronText(expression: string): string | undefined {
  const [, minute, hour, day, weekdays = ''] =
    /^(\d+) (\d+) (\*|\d+) \* ([\d,]+|1-5|\*)$/.exec(expression) ?? [];
  if (minute === undefined || hour === undefined || (day !== '*' && weekdays !== '*')) return undefined;
  const { every, weekdays: working, weekend } = words.dayNames;
  const known: Partial<Record<string, string>> = { '*': every, '1-5': working, '0,6': weekend };
  const days = day === '*' ? (known[weekdays] ?? weekdayNames(weekdays)) : words.monthDay(Number(day));
  return `${days}, ${clock.format(new Date(2000, 0, 1, Number(hour), Number(minute)))}`;
}

/** A week that began on a Sunday, as cron counts its days. */
function weekdayNames(numbers: string): string {
  return list.format(
    numbers.split(',').map((number) => weekday.format(new Date(2000, 0, 2 + (Number(number) % 7)))),
  );
}

const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long' });
const list = new Intl.ListFormat(locale);

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** In the largest unit that it is a whole number of. */
function intervalText(ms: number): string {
  const [unit, size] = units.find(([, size]) => ms % size === 0) ?? (['second', 1_000] as const);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(ms / size);
}
