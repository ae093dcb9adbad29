/*
 * Times on the wall: Unix milliseconds of what UTC would call the moment at which its clocks show what those of the zone
 * do. So a day on the wall always has 24 hours, and what the zone does to its clocks is looked at in one place.
 */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Each takes some ten kilobytes. */
const MOST_FORMATS = 64;
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

export function isZone(timezone: string): boolean {
  try {
    // What is no name of a zone but an offset is refused: it would know nothing of summer time.
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return /^[a-z]/i.test(timezone);
  } catch {
    return false;
  }
}

export function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}

let machineZone: string | undefined;

/** Asked once: each asking takes as long as a tenth of a turn. */
export function zoneOfMachine(): string {
  machineZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return machineZone;
}

/** What the clock on the wall shows in a zone. */
export function localOf(at: number, zone: string): number {
  const found: Record<string, number> = {};
  for (const { type, value } of clockOf(zone).formatToParts(at)) found[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = found;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1_000) + 1_000) % 1_000);
}

interface Moment {
  readonly at: number;
  /** `skipped`: clocks are put forward past it, and this is when they are; `twice`: they are put back, and this is the first. */
  readonly is: 'once' | 'skipped' | 'twice';
}

/** When the clock on the wall shows this in a zone. */
export function momentOf(local: number, zone: string): Moment {
  const offset = (at: number) => localOf(at, zone) - at;
  const offsets = new Set([offset(local - DAY_MS), offset(local + DAY_MS)]);
  const times = Array.from(offsets, (one) => local - one).sort((one, other) => one - other);
  const [first, second] = times.filter((at) => localOf(at, zone) === local);
  if (first !== undefined) return { at: first, is: second === undefined ? 'once' : 'twice' };
  // In between, the clocks were put forward.
  let [before = local, after = local] = [times[0], times.at(-1)];
  const old = offset(before);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offset(middle) === old) before = middle;
    else after = middle;
  }
  return { at: after, is: 'skipped' };
}

interface ToldMinute {
  readonly minute: number;
  readonly text: string;
}

const told = new Map<string, ToldMinute>();

/**
 * As in "Wednesday, 18 November 2026, 09:30, Europe/Berlin (UTC+01:00)": for a model, whatever language its user speaks.
 * Every turn is told the time, so each minute is put into words once: that takes as long as a thirtieth of a turn.
 */
export function plainTime(at: number, zone: string): string {
  const minute = Math.floor(at / MINUTE_MS);
  const before = told.get(zone);
  if (before?.minute === minute) return before.text;
  const text = minuteInWords(at, zone);
  if (told.size >= MOST_FORMATS) told.clear();
  told.set(zone, { minute, text });
  return text;
}

function minuteInWords(at: number, zone: string): string {
  const local = localOf(at, zone);
  const [, time = ''] = new Date(local).toISOString().split('T');
  return `${plainDay(local)}, ${time.slice(0, 5)}, ${zone} (UTC${offsetText(local - at)})`;
}

/** As somebody of this locale would write it, with the zone. */
export function timeInWords(
  at: number,
  { timezone, locale }: { readonly timezone: string; readonly locale: string },
): string {
  const written = new Intl.DateTimeFormat(locale, {
    timeZone: timezone,
    dateStyle: 'full',
    timeStyle: 'short',
  });
  return `${written.format(at).replaceAll('\u202f', ' ')} (${timezone})`;
}

/** As in "2026-11-18T09:30:00+01:00". */
export function isoTime(at: number, zone: string): string {
  const local = localOf(at, zone);
  return `${new Date(local).toISOString().slice(0, 19)}${offsetText(local - at)}`;
}

export function weekdayName(local: number): string {
  return WEEKDAYS[new Date(local).getUTCDay()] ?? '';
}

function plainDay(local: number): string {
  const date = new Date(local);
  return `${weekdayName(local)}, ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function offsetText(ms: number): string {
  // What clocks showed is told by the second, and a moment by less than that.
  const minutes = Math.round(Math.abs(ms) / MINUTE_MS);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const cached = clocks.get(zone);
  if (cached) return cached;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (clocks.size >= MOST_FORMATS) clocks.clear();
  clocks.set(zone, made);
  return made;
}
