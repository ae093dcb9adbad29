/** A stretch of time that a query speaks of. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

const DAY = 86_400_000;
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY_OF_MONTH = '([0-3]?\\d)(?:st|nd|rd|th)?';
const YEAR = '((?:19|20)\\d\\d)';

const isoDate = new RegExp(`\\b${YEAR}-([01]\\d)(?:-([0-3]\\d))?\\b`);
const dayFirst = new RegExp(`\\b${DAY_OF_MONTH} (?:of )?${MONTH}\\b,?(?: ${YEAR})?`, 'i');
const monthFirst = new RegExp(`\\b${MONTH}\\.? ${DAY_OF_MONTH}\\b(?!\\d),?(?: ${YEAR})?`, 'i');
const monthAndYear = new RegExp(`\\b${MONTH},?(?: of)? ${YEAR}\\b`, 'i');
// In lower case these are verbs as well.
const monthAlone = new RegExp(`\\b(?:in|during|of|since|last|this|early|late|by|around) ${MONTH}\\b`, 'i');
const yearAlone = new RegExp(`\\b(?:in|during|of|since|by|around|early|late) ${YEAR}\\b`, 'i');
const ago = /\b(a|an|one|two|three|four|five|six|\d{1,3}) (day|week|month|year)s? ago\b/i;
const near = /\b(today|yesterday|(last|past|this) (week|month|year|weekend))\b/i;
const counts: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
};
const spans: Readonly<Record<string, number>> = { day: 1, week: 7, weekend: 7, month: 30, year: 365 };

/** The time that a query names, if any, in UTC. A month without a year is the last one that began before now. */
export function periodOf(query: string, now: number): Period | undefined {
  return dated(query, now) ?? relative(query, now);
}

function dated(query: string, now: number): Period | undefined {
  const iso = isoDate.exec(query);
  if (iso) return calendar(Number(iso[1]), Number(iso[2]) - 1, iso[3], now);
  const day = dayFirst.exec(query);
  if (day) return calendar(day[3], monthOf(day[2]), day[1], now);
  const month = monthFirst.exec(query);
  if (month) return calendar(month[3], monthOf(month[1]), month[2], now);
  const both = monthAndYear.exec(query);
  if (both) return calendar(both[2], monthOf(both[1]), undefined, now);
  const alone = monthAlone.exec(query);
  if (alone) return calendar(undefined, monthOf(alone[1]), undefined, now);
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

function monthOf(name = ''): number {
  return MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3).toLowerCase()));
}

function relative(query: string, now: number): Period | undefined {
  const distance = ago.exec(query);
  if (distance) {
    const span = (spans[distance[2]?.toLowerCase() ?? ''] ?? 1) * DAY;
    const count = counts[distance[1]?.toLowerCase() ?? ''] ?? Number(distance[1]);
    const middle = now - count * span;
    return { from: middle - span / 2 - DAY, until: middle + span / 2 + DAY };
  }
  const found = near.exec(query);
  if (!found) return undefined;
  const days = spans[found[3]?.toLowerCase() ?? 'day'] ?? 1;
  const isThis = found[2]?.toLowerCase() === 'this' || found[1]?.toLowerCase() === 'today';
  return { from: now - (isThis ? days : 2 * days) * DAY, until: isThis ? now + DAY : now };
}
