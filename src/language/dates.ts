import { regExp } from '../regExp.ts';
import { countOf, countWords, monthNames, monthOf } from './calendarWords.ts';

/*
 * Our own, since chrono-node 2.10.3 reads 51 of the 68 phrases of test/language/dates.test.ts as they are meant: "now",
 * "for three years" and "every evening" are days to it, and "the 24th" and "in 2015" are none.
 */

/** A day that a text names, and the time where it says one. */
export interface NamedDate {
  /** As in ISO 8601: 2026-03-14, or --03-14 for a day of every year, or 2026-03, 2026. */
  readonly date: string;
  readonly time: string | undefined;
  /** What names it. */
  readonly phrase: string;
}

const DAY_MS = 86_400_000;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTH = `(?<month>${monthNames})\\b\\.?`;
const COUNT = `(?<count>\\d+|${countWords})`;
const UNIT = '(?<unit>day|week|month|year)';

type Found = Readonly<Record<string, string | undefined>>;
type Reading = readonly [pattern: RegExp, read: (found: Found, at: Date) => string | undefined];

/** What comes first is tried first. */
const readings: readonly Reading[] = [
  [/\b(?<year>\d{4})-(?<m>\d\d)-(?<d>\d\d)\b/, ({ year, m, d }) => dated(year, Number(m), Number(d))],
  [/\b(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?<year>\d{4})?/, ({ year, m, d }) => dated(year, Number(m), Number(d))],
  [
    new RegExp(`\\b${MONTH} (?:the )?(?<d>\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (?<year>(?:19|20)\\d\\d))?`, 'i'),
    ({ month = '', d, year }) => dated(year, monthOf(month), Number(d)),
  ],
  [
    new RegExp(
      `\\b(?:the )?(?<d>\\d{1,2})(?:st|nd|rd|th|\\.)? (?:of )?${MONTH}(?:,? (?<year>(?:19|20)\\d\\d))?`,
      'i',
    ),
    ({ month = '', d, year }) => dated(year, monthOf(month), Number(d)),
  ],
  [/\bday after tomorrow\b/i, (_, at) => dayOf(at, 2)],
  [/\btomorrow\b/i, (_, at) => dayOf(at, 1)],
  [/\b(?:today|tonight|this (?:morning|afternoon|evening))\b/i, (_, at) => dayOf(at, 0)],
  [/\b(?:yesterday|last night)\b/i, (_, at) => dayOf(at, -1)],
  [
    /\b(?<which>next|this|last|coming|on)? ?(?<day>sunday|monday|tuesday|wednesday|thursday|friday|saturday)s?\b/i,
    ({ which, day }, at) => weekday(which?.toLowerCase(), day, at),
  ],
  [
    new RegExp(`\\bin ${COUNT} ${UNIT}s?\\b`, 'i'),
    ({ count = '', unit }, at) => shifted(at, countOf(count), unit),
  ],
  [
    new RegExp(`\\b${COUNT} ${UNIT}s? ago\\b`, 'i'),
    ({ count = '', unit }, at) => shifted(at, -countOf(count), unit),
  ],
  [
    /\b(?<which>next|last|this) (?<unit>month|year)\b/i,
    ({ which, unit }, at) => shifted(at, stepOf(which), unit),
  ],
  [
    new RegExp(`\\b(?:in|by|of|since|until|this|next|last) ${MONTH}(?: (?<year>(?:19|20)\\d\\d))?`, 'i'),
    ({ month = '', year }, at) => monthNear(month, year, at),
  ],
  [/\bthe (?<d>\d{1,2})(?:st|nd|rd|th)\b/i, ({ d }, at) => dayOfMonth(Number(d), at)],
  [/\b(?:in|since|of|by) (?<year>(?:19|20)\d\d)\b/i, ({ year }) => year],
];
const TIME = regExp('i')`
  \b(?:at )?(?:(?<h>\d{1,2})(?::(?<min>\d\d))? ?(?<half>am|pm|a\.m\.|p\.m\.)|(?:at )(?<h24>\d{1,2})
  (?::(?<min24>\d\d))?(?! ?(?:st|nd|rd|th|years|%))\b|(?<clock>[01]?\d|2[0-3]):(?<clockMin>[0-5]\d)
  |at (?<word>noon|midnight))`;

const LATE = /\b(?:tonight|afternoon|evening)\b/i;

/** The first day that a text names, seen from the time at which it was said, in UTC. */
export function dateIn(text: string, at: number): NamedDate | undefined {
  const now = new Date(at);
  for (const [pattern, read] of readings) {
    const match = pattern.exec(text);
    const date = match && read(match.groups ?? {}, now);
    if (date) return { date, time: timeIn(text), phrase: match[0].trim() };
  }
  return undefined;
}

/** A day without a year, as the next of its kind. */
export function upcoming(date: string, at: number): string {
  const [, month, day] = /^--(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (!month || !day) return date;
  const today = dayOf(new Date(at), 0);
  const thisYear = `${today.slice(0, 4)}-${month}-${day}`;
  return thisYear >= today ? thisYear : `${Number(today.slice(0, 4)) + 1}-${month}-${day}`;
}

function timeIn(text: string): string | undefined {
  const found = TIME.exec(text)?.groups;
  if (!found) return undefined;
  if (found.word) return found.word.toLowerCase() === 'noon' ? '12:00' : '00:00';
  const hour = Number(found.h ?? found.h24 ?? found.clock) % 24;
  const isLate = found.half === undefined ? LATE.test(text) : found.half.toLowerCase().startsWith('p');
  const afternoon = isLate && hour > 0 && hour < 12 ? 12 : 0;
  const midnight = found.half?.toLowerCase().startsWith('a') && hour === 12 ? -12 : 0;
  const minutes = found.min ?? found.min24 ?? found.clockMin ?? '00';
  return `${String(hour + afternoon + midnight).padStart(2, '0')}:${minutes}`;
}

function dated(year: string | undefined, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return `${year ?? '-'}-${two(month)}-${two(day)}`;
}

function weekday(which: string | undefined, day: string | undefined, at: Date): string {
  const ahead = (WEEKDAYS.indexOf(day?.toLowerCase() ?? '') - at.getUTCDay() + 7) % 7 || 7;
  if (which === 'last') return dayOf(at, ahead === 7 ? -7 : ahead - 7);
  // "Next Tuesday", said on a Monday, is not tomorrow: it lies in the week that begins with the next Monday.
  const untilMonday = (8 - at.getUTCDay()) % 7 || 7;
  return dayOf(at, which === 'next' && ahead < untilMonday ? ahead + 7 : ahead);
}

function shifted(at: Date, count: number, unit = 'day'): string {
  if (unit === 'day' || unit === 'week') return dayOf(at, unit === 'day' ? count : count * 7);
  const months = at.getUTCFullYear() * 12 + at.getUTCMonth() + (unit === 'year' ? count * 12 : count);
  const year = String(Math.floor(months / 12));
  return unit === 'year' ? year : `${year}-${two((months % 12) + 1)}`;
}

function monthNear(month: string, year: string | undefined, at: Date): string {
  const wanted = monthOf(month);
  const next = at.getUTCFullYear() + (wanted < at.getUTCMonth() + 1 ? 1 : 0);
  return `${year ?? next}-${two(wanted)}`;
}

function dayOfMonth(day: number, at: Date): string | undefined {
  if (day < 1 || day > 31) return undefined;
  const isPast = day < at.getUTCDate();
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + (isPast ? 1 : 0), day))
    .toISOString()
    .slice(0, 10);
}

function dayOf(at: Date, days: number): string {
  const day = new Date(at.getTime() + days * DAY_MS);
  return Number.isNaN(day.getTime()) ? '' : day.toISOString().slice(0, 10);
}

function stepOf(which = ''): number {
  return which.toLowerCase() === 'next' ? 1 : which.toLowerCase() === 'last' ? -1 : 0;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
