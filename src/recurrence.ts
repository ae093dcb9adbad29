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

/** What is wrong with a cron expression; undefined when it can be used. */
export function faultOfExpression(expression: string): string | undefined {
  // The library takes a moment too, and would fire it once.
  if (expression.includes(':')) return 'a moment is for once schedules';
  try {
    parse({ expression });
    return undefined;
  } catch (error) {
    return error instanceof Error ? readable(error.message) : 'it does not read';
  }
}

/** The library counts days and months from 0, and names them so in what it says of an expression. */
function readable(fault: string): string {
  return fault
    .replace(/^CronPattern: /, '')
    .replace(/(?<=value for (?:day|month): )-?\d+$/, (number) => String(Number(number) + 1));
}

export function isZone(timezone: string): boolean {
  try {
    // What is no name of a zone but an offset is refused: it would know nothing of summer time.
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return /^[a-z]/i.test(timezone);
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
