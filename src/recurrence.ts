import { Cron } from 'croner';

/** When something is due. */
export type Schedule =
  | { readonly type: 'cron'; readonly expression: string; readonly timezone?: string }
  | { readonly type: 'once'; readonly atTimestamp: number }
  | { readonly type: 'interval'; readonly intervalMs: number };

/** A schedule runs no more often than this. */
export const LEAST_INTERVAL_MS = 1_000;

/** Of a cron expression that names none. */
const USUAL_ZONE = 'UTC';

/** The last moment that a date can have. */
const END_OF_TIME = 8.64e15;

/**
 * The first moment after this one at which it is due, `null` when there is none. `since` is where an interval counts
 * from: when it began, or any moment at which it is due.
 */
export function nextAfter(schedule: Schedule, after: number, since: number): number | null {
  switch (schedule.type) {
    case 'cron':
      return parse(schedule).nextRun(new Date(after))?.getTime() ?? null;
    case 'once':
      return schedule.atTimestamp > after ? schedule.atTimestamp : null;
    case 'interval': {
      const passed = Math.floor((after - since) / schedule.intervalMs);
      const next = since + (passed + 1) * schedule.intervalMs;
      return next <= END_OF_TIME ? next : null;
    }
  }
}

/** When it is due from a moment on at which it is: that one, and those that follow. */
export function nextTimes(schedule: Schedule, first: number | null, most: number): readonly number[] {
  const times: number[] = [];
  for (let at = first; at !== null && times.length < most; at = nextAfter(schedule, at, at)) times.push(at);
  return times;
}

const MINUTE_MS = 60_000;

/** Whether it may be due again within a minute. Without a list of seconds, a cron expression comes once in one. */
export function isWithinAMinute(schedule: Schedule): boolean {
  if (schedule.type === 'once') return false;
  if (schedule.type === 'interval') return schedule.intervalMs < MINUTE_MS;
  const fields = schedule.expression.trim().split(/\s+/);
  return fields.length > 5 && !/^\d+$/.test(fields[0] ?? '');
}

/** What the fields of a cron expression are called, and what may stand in them. */
const FIELDS: readonly (readonly [name: string, allowed: string])[] = [
  ['second', '0 to 59'],
  ['minute', '0 to 59'],
  ['hour', '0 to 23'],
  ['day', '1 to 31, L, or as in 15W'],
  ['month', '1 to 12, or JAN to DEC'],
  ['weekday', '0 to 7, SUN to SAT, or as in 5L and 5#2'],
  ['year', '1 to 9999'],
];

/** What is wrong with a cron expression; undefined when it can be used. */
export function faultOfExpression(expression: string): string | undefined {
  // The library takes a moment too, and would fire it once.
  if (expression.includes(':')) return 'a moment is for once schedules';
  if (reads(expression)) return undefined;
  if (expression.startsWith('@')) return 'there are @yearly, @monthly, @weekly, @daily and @hourly';
  const fields = expression.split(/\s+/).filter((field) => field !== '');
  if (fields.length < 5 || fields.length > 7)
    return `it has ${fields.length} fields, not five, six with seconds first, or seven with years last`;
  return faultOfFields(fields.length === 5 ? ['0', ...fields] : fields);
}

/** Each field is tried alone: the library counts fields, days and months from 0, and names what it made of them. */
function faultOfFields(fields: readonly string[]): string {
  for (const [index, field] of fields.entries()) {
    const [name, allowed] = FIELDS[index] ?? [];
    const alone = FIELDS.map((_, other) => (other === index ? field : '*')).join(' ');
    if (!reads(alone)) return `the ${name} ${JSON.stringify(field)} does not fit: ${allowed}`;
  }
  return 'its fields do not go together';
}

function reads(expression: string): boolean {
  try {
    parse({ expression });
    return true;
  } catch {
    return false;
  }
}

/**
 * Made anew each time: a parsed expression takes 80 kB. One without `*` and steps in its hours, minutes and seconds
 * says times of the day. Such a time runs once a day: when the clock is put forward past it, at the end of the gap;
 * when the clock is put back and it comes twice, the first time. All others follow the clock, hour for hour.
 */
function parse({ expression, timezone = USUAL_ZONE }: { expression: string; timezone?: string }): Cron {
  return new Cron(expression, { timezone, mode: 'auto', fixedTimeRule: 'no-wildcard', paused: true });
}
