import { languagesOf, readWith, rulesOf, type TimeStyle } from './languages.ts';
import { drafted, newDraft, type ParsedPhrase, type ToldDate, type ToldTime } from './phraseReader.ts';
import { dayRules } from './phrases.ts';
import { bareSpanRule, spanRules } from './spans.ts';
import { partHours } from './vocabulary.ts';

/*
 * Our own, since chrono-node 2.10.3 reads 145 of the 219 phrases of test/language/momentPhrases.txt as they are meant.
 * What it does not know it passes over in silence: "in an hour and a half" is an hour to it, "in forty-five minutes"
 * five, "pasado mañana" tomorrow, and "31 February" nothing at all. Here a word that is not understood refuses the
 * phrase: a reminder at another time is worse than a question.
 */

/**
 * A time on the wall, as Unix milliseconds of UTC would have it, or now, and what has to pass after that; or a moment that
 * does not depend on the zone.
 */
export type ReadMoment =
  | { readonly local: number | undefined; readonly plusMs: number; readonly notes: readonly string[] }
  | { readonly instant: number; readonly notes: readonly string[] }
  | { readonly problem: string };

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Where a day is named and no time. */
export const USUAL_HOUR = 9;
/** An hour that is told as a clock with hands shows it is meant between these, unless the day is said in parts. */
const FIRST_HOUR = 6;
const LAST_HOUR = 24;

const momentRules = rulesOf((vocabulary, monthFirst) => ({
  rules: [...spanRules(vocabulary), ...dayRules(vocabulary, monthFirst)],
  alone: [bareSpanRule(vocabulary)],
}));

/** The moment that all of the text names, seen from this time on the wall; undefined where it names none. */
export function readMoment(text: string, now: number, asked: TimeStyle): ReadMoment | undefined {
  return readWith(languagesOf(asked), (vocabulary) => {
    const { rules, alone } = momentRules(vocabulary, asked.monthFirst);
    const draft = drafted(text, rules, newDraft()) ?? drafted(text, alone, newDraft());
    return draft && resolved(asked.isOfMorning ? inTheMorning(draft) : draft, now);
  });
}

const MORNING_HOURS = { first: 4, last: 11 };

function inTheMorning(draft: ParsedPhrase): ParsedPhrase {
  const [time] = draft.times;
  if (draft.part !== undefined || time?.as !== 'face') return draft;
  const isThen = time.hour >= MORNING_HOURS.first && time.hour <= MORNING_HOURS.last;
  return isThen ? { ...draft, part: 'morning' } : draft;
}

function resolved(draft: ParsedPhrase, now: number): ReadMoment | undefined {
  const { problem, instant, spanMs = 0, times, part } = draft;
  if (problem !== undefined) return { problem };
  if (instant !== undefined)
    return Number.isNaN(instant) ? { problem: 'There is no such time' } : { instant, notes: [] };
  if (times.length > 1) return { problem: 'It names several times' };
  const notes: string[] = [];
  const day = dayOf(draft, now, notes);
  if (typeof day === 'object') return day;
  const [time] = times;
  if (time === undefined && part === undefined) {
    if (draft.keepsTime === true) {
      if (day === undefined) return { local: undefined, plusMs: spanMs, notes };
      return { local: day + (now - startOf(now)), plusMs: spanMs, notes };
    }
    if (day === undefined) return undefined;
    if (day === startOf(now)) return { problem: 'It names no time of today' };
    notes.push(`no time was named: ${USUAL_HOUR}:00 was taken`);
    return { local: day + USUAL_HOUR * HOUR_MS, plusMs: 0, notes };
  }
  if (spanMs !== 0) return { problem: 'It names a time, and how long until then' };
  const starts = startsOf(draft, day, now);
  const local = firstAfter(starts, hoursOf(time, draft, notes), time?.minute ?? 0, now);
  return { local, plusMs: 0, notes };
}

/** The first of these times on these days that lies ahead; else the last of them, which is past. */
function firstAfter(
  starts: readonly number[],
  hours: readonly number[],
  minute: number,
  now: number,
): number {
  const all = starts.flatMap((start) => hours.map((hour) => start + hour * HOUR_MS + minute * MINUTE_MS));
  return all.find((one) => one > now) ?? all.at(-1) ?? now;
}

/** The days on which a time may be meant. */
function startsOf(
  { weekday, which, date }: ParsedPhrase,
  day: number | undefined,
  now: number,
): readonly number[] {
  const today = startOf(now);
  if (day === undefined) return [today, today + DAY_MS];
  // "Wednesday at 8", said on a Wednesday, may be today.
  const mayBeToday = weekday !== undefined && date === undefined && which !== 'next' && which !== 'last';
  return mayBeToday && day === today ? [today, today + 7 * DAY_MS] : [day];
}

/** The hours that a time may mean, the likelier first. */
export function hoursOf(
  time: ToldTime | undefined,
  { part }: Pick<ParsedPhrase, 'part'>,
  notes: string[],
): readonly number[] {
  if (time === undefined) return [partHours[part ?? 'morning']];
  const { hour, minute, as } = time;
  if (as === 'sure' || part === 'midnight') return [hour];
  if (part !== undefined) return [hourOfPart(hour, part)];
  if (as === 'clock') return [hour];
  if (hour === 12) return [12];
  const both = [hour, hour + 12].filter((one) => one >= FIRST_HOUR && one < LAST_HOUR);
  if (both.length > 1) {
    const [early, late] = both.map((one) => `${two(one)}:${two(minute)}`);
    notes.push(`it may mean ${early} or ${late}; say which by "am", "pm" or 24 hours`);
  }
  return both;
}

function hourOfPart(hour: number, part: keyof typeof partHours): number {
  switch (part) {
    case 'morning':
      return hour === 12 ? 0 : hour;
    case 'noon':
    case 'afternoon':
      return hour < 8 ? hour + 12 : hour;
    default:
      // At night, one to five are hours of the day that follows.
      if (hour === 12) return 24;
      return hour < 6 && part !== 'evening' ? hour + 24 : hour < 12 ? hour + 12 : hour;
  }
}

/** Where the day begins that is named; undefined where none is. */
function dayOf(
  draft: ParsedPhrase,
  now: number,
  notes: string[],
): number | undefined | { readonly problem: string } {
  const { date, dayOfMonth, weekday, days, months } = draft;
  const today = startOf(now);
  if (date !== undefined) {
    if (dayOfMonth !== undefined || days !== undefined || months !== undefined)
      return { problem: 'It names several days' };
    return dateOf(date, weekday, today, notes);
  }
  if (dayOfMonth !== undefined) {
    if (weekday !== undefined || days !== undefined || months !== undefined)
      return { problem: 'It names several days' };
    return nextOfMonth(dayOfMonth, today);
  }
  if (weekday !== undefined) {
    if (months !== undefined) return { problem: 'It names several days' };
    return weekdayOf(draft, weekday, today, notes) + (days ?? 0) * DAY_MS;
  }
  if (days === undefined && months === undefined) return undefined;
  return monthsAfter(today, months ?? 0) + (days ?? 0) * DAY_MS;
}

function dateOf(
  { year, month, day, swapped }: ToldDate,
  weekday: number | undefined,
  today: number,
  notes: string[],
): number | { readonly problem: string } {
  const inYear = (one: number) => Date.UTC(one, month - 1, day);
  let start = inYear(year ?? new Date(today).getUTCFullYear());
  // 29 February is not in every year.
  for (let ahead = 0; year === undefined && ahead < 9; ahead++) {
    const one = new Date(today).getUTCFullYear() + ahead;
    start = inYear(one);
    if (start >= today && new Date(start).getUTCDate() === day) break;
  }
  if (swapped) notes.push(`the date was read as ${new Date(start).toISOString().slice(0, 10)}`);
  if (weekday !== undefined && new Date(start).getUTCDay() !== weekday)
    return { problem: `${new Date(start).toISOString().slice(0, 10)} is another day of the week` };
  return start;
}

function nextOfMonth(day: number, today: number): number | { readonly problem: string } {
  if (day < 1 || day > 31) return { problem: `There is no day ${day} of a month` };
  const now = new Date(today);
  for (let month = now.getUTCMonth(); ; month++) {
    const start = Date.UTC(now.getUTCFullYear(), month, day);
    if (start >= today && new Date(start).getUTCDate() === day) return start;
  }
}

function weekdayOf(
  { which, times, part }: ParsedPhrase,
  weekday: number,
  today: number,
  notes: string[],
): number {
  const day = new Date(today).getUTCDay();
  const ahead = (weekday - day + 7) % 7;
  if (which === 'last') return today + (ahead - 7) * DAY_MS;
  if (which === 'next') {
    // "Next Tuesday", said on a Monday, is not tomorrow: it lies in the week that begins with the next Monday.
    const untilMonday = (8 - day) % 7 || 7;
    if (ahead > 0 && ahead < untilMonday) notes.push('it was read as the one in the week after this');
    return today + (ahead < untilMonday ? ahead + 7 : ahead) * DAY_MS;
  }
  const hasTime = times.length > 0 || part !== undefined;
  return today + (ahead === 0 && !hasTime ? 7 : ahead) * DAY_MS;
}

function monthsAfter(start: number, months: number): number {
  const date = new Date(start);
  const month = date.getUTCMonth() + months;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return Date.UTC(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), last));
}

export function startOf(local: number): number {
  return Math.floor(local / DAY_MS) * DAY_MS;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
