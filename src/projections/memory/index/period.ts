import { countOf, countWords, monthNames, monthOf } from '../../../language/calendarWords.ts';

/** A stretch of time that a query speaks of. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

const DAY = 86_400_000;
const MONTH = `(${monthNames})`;
const DAY_OF_MONTH = '([0-3]?\\d)(?:st|nd|rd|th)?';
const YEAR = '((?:19|20)\\d\\d)';

const isoDate = new RegExp(`\\b${YEAR}-([01]\\d)(?:-([0-3]\\d))?\\b`);
const dayFirst = new RegExp(`\\b${DAY_OF_MONTH} (?:of )?${MONTH}\\b,?(?: ${YEAR})?`, 'i');
const monthFirst = new RegExp(`\\b${MONTH}\\.? ${DAY_OF_MONTH}\\b(?!\\d),?(?: ${YEAR})?`, 'i');
const monthAndYear = new RegExp(`\\b${MONTH},?(?: of)? ${YEAR}\\b`, 'i');
// In lower case these are verbs as well.
const monthAlone = new RegExp(`\\b(?:in|during|of|since|last|this|early|late|by|around) ${MONTH}\\b`, 'i');
const yearAlone = new RegExp(`\\b(?:in|during|of|since|by|around|early|late) ${YEAR}\\b`, 'i');
const ago = new RegExp(`\\b(${countWords}|\\d{1,3}) (day|week|month|year)s? ago\\b`, 'i');
const near = /\b(today|yesterday|(last|past|this) (week|month|year|weekend))\b/i;
const spans: Readonly<Record<string, number>> = { day: 1, week: 7, weekend: 7, month: 30, year: 365 };

/** The time that a query names, if any, in UTC. A month without a year is the last one that began before now. */
export function periodOf(query: string, now: number): Period | undefined {
  return dated(query, now) ?? relative(query, now);
}

function dated(query: string, now: number): Period | undefined {
  const iso = isoDate.exec(query);
  if (iso) return calendar(Number(iso[1]), Number(iso[2]) - 1, iso[3], now);
  const day = dayFirst.exec(query);
  if (day) return calendar(day[3], monthAt(day[2]), day[1], now);
  const month = monthFirst.exec(query);
  if (month) return calendar(month[3], monthAt(month[1]), month[2], now);
  const both = monthAndYear.exec(query);
  if (both) return calendar(both[2], monthAt(both[1]), undefined, now);
  const alone = monthAlone.exec(query);
  if (alone) return calendar(undefined, monthAt(alone[1]), undefined, now);
  const year = yearAlone.exec(query)?.[1];
  return year ? { from: Date.UTC(Number(year), 0), until: Date.UTC(Number(year) + 1, 0) } : undefined;
}

function calendar(
  year: string | number | undefined,
  month: number,
  day: string | undefined,
  now: number,
): Period {
  const thisYear = new Date(now).getUTCFullYear();
  const guessed = Date.UTC(thisYear, month) > now ? thisYear - 1 : thisYear;
  const of = Number(year ?? guessed);
  if (day === undefined) return { from: Date.UTC(of, month), until: Date.UTC(of, month + 1) };
  const from = Date.UTC(of, month, Number(day));
  return { from, until: from + DAY };
}

/** As a date counts them, from 0. */
function monthAt(name = ''): number {
  return monthOf(name) - 1;
}

function relative(query: string, now: number): Period | undefined {
  const distance = ago.exec(query);
  if (distance) {
    const span = (spans[distance[2]?.toLowerCase() ?? ''] ?? 1) * DAY;
    const count = countOf(distance[1] ?? '');
    const middle = now - count * span;
    return { from: middle - span / 2 - DAY, until: middle + span / 2 + DAY };
  }
  const found = near.exec(query);
  if (!found) return undefined;
  const days = spans[found[3]?.toLowerCase() ?? 'day'] ?? 1;
  const isThis = found[2]?.toLowerCase() === 'this' || found[1]?.toLowerCase() === 'today';
  return { from: now - (isThis ? days : 2 * days) * DAY, until: isThis ? now + DAY : now };
}
