import { languagesOf, readWith, rulesOf, type TimeStyle } from './languages.ts';
import { hoursOf, startOf, USUAL_HOUR } from './moment.ts';
import {
  drafted,
  END,
  NEVER,
  NO_LETTER,
  newDraft,
  type ParsedPhrase,
  type PhraseRule,
  rule,
} from './phraseReader.ts';
import { dayRules, takePart } from './phrases.ts';
import { type Recurrence, recurrenceInWords } from './recurrenceWords.ts';
import { spanPattern, takeSpan } from './spans.ts';
import type { Unit, Vocabulary } from './vocabulary.ts';

/** When something comes again: by a cron expression on the wall's clock, or a span after a span. */
export type ReadRecurrence =
  | { readonly expression: string; readonly recurrence: Recurrence; readonly notes: readonly string[] }
  | {
      readonly intervalMs: number;
      /** The first, as a time on the wall; without it, a span after now. */
      readonly firstLocal?: number;
      readonly recurrence: Recurrence;
      readonly notes: readonly string[];
    }
  | { readonly problem: string };

interface Again extends ParsedPhrase {
  unit?: Unit;
  spanMsBetween?: number;
  monthsBetween?: number;
  weekdays: Set<number>;
  /** Which one of its kind in a month, and -1 for the last. */
  rank?: number;
  isLastDay?: boolean;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SPANS: Readonly<Partial<Record<Unit, number>>> = {
  second: 1_000,
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
};
const recurrenceRules = rulesOf((vocabulary, monthFirst): readonly PhraseRule<Again>[] => [
  ...againRules(vocabulary),
  ...dayRules(vocabulary, monthFirst),
]);

/** What comes again as all of the text says, seen from this time on the wall; undefined where it says nothing of it. */
export function readRecurrence(text: string, now: number, asked: TimeStyle): ReadRecurrence | undefined {
  return readWith(languagesOf(asked), (vocabulary) => {
    const draft = drafted<Again>(text, recurrenceRules(vocabulary, asked.monthFirst), {
      ...newDraft(),
      weekdays: new Set(),
    });
    return draft && resolved(draft, now);
  });
}

function againRules(vocabulary: Vocabulary): readonly PhraseRule<Again>[] {
  const { every, other, units, weekdays, ranks, to, and } = vocabulary;
  const named = (prefix: string) =>
    `(?:${weekdays.map((name, index) => `(?<${prefix}${index}>(?:${name})s?)`).join('|')})\\.?`;
  const unit = Object.entries(units).map(([name, pattern]) => `(?<${name}>${pattern})`);
  const ends = vocabulary.partsOfWeekday.map(([pattern], index) => `(?<end${index}>${pattern})`).join('|');
  const indexOf = (found: Readonly<Record<string, string | undefined>>, prefix: string) =>
    weekdays.findIndex((_, index) => found[`${prefix}${index}`] !== undefined);
  return [
    rule(`(?:${vocabulary.lastDay})${END}`, (_, draft) => {
      draft.isLastDay = true;
      return true;
    }),
    ...ranks.map(([pattern, rank]) =>
      rule<Again>(`(?:${pattern}) ${named('day')}${END}`, (found, draft) => {
        draft.rank = rank;
        draft.weekdays.add(indexOf(found, 'day'));
        return draft.weekdays.size === 1;
      }),
    ),
    rule(`${named('from')} ?(?:${to}) ?${named('until')}${END}`, (found, draft) => {
      const last = indexOf(found, 'until');
      for (let day = indexOf(found, 'from'); ; day = (day + 1) % 7) {
        draft.weekdays.add(day);
        if (day === last) return true;
      }
    }),
    rule(`${named('day')}(?: ?(?:${ends || NEVER}))?${END}`, (found, draft) => {
      draft.weekdays.add(indexOf(found, 'day'));
      const end = vocabulary.partsOfWeekday.find((_, index) => found[`end${index}`] !== undefined);
      return end === undefined || takePart(end[1], draft);
    }),
    rule(`(?:${every} )?(?:${vocabulary.weekday})${END}`, (_, { weekdays: days }) => {
      for (let day = 1; day <= 5; day++) days.add(day);
      return true;
    }),
    rule(`(?:${every} )?(?:${vocabulary.weekend})${END}`, (_, { weekdays: days }) => {
      days.add(0).add(6);
      return true;
    }),
    rule(`(?:${vocabulary.ofMonth})${END}`, (_, draft) => takeUnit(draft, 'month')),
    ...vocabulary.adverbs.map(([pattern, adverb]) =>
      rule<Again>(`(?:${pattern})${END}`, (_, draft) => takeUnit(draft, adverb)),
    ),
    rule(`(?:(?:${every}) )?(?<span>${spanPattern(vocabulary)})${END}`, ({ span = '' }, draft) => {
      const told = newDraft();
      if (draft.spanMsBetween !== undefined || !takeSpan(span, 1, vocabulary, told)) return false;
      draft.spanMsBetween = (told.spanMs ?? 0) + (told.days ?? 0) * DAY_MS;
      draft.monthsBetween = told.months ?? 0;
      return true;
    }),
    rule(
      `(?:${every}) (?:${other}) (?:(?<day>${units.day})|(?<week>${units.week}))${END}`,
      ({ day }, draft) => {
        draft.spanMsBetween = (day ? 2 : 14) * DAY_MS;
        return true;
      },
    ),
    rule(
      `(?:(?:${every}) )?(?:${unit.join('|')})${NO_LETTER}(?<half> ${vocabulary.andHalf})?${END}`,
      ({ half, ...found }, draft) => {
        const [name] = Object.entries(found).find(([, value]) => value !== undefined) ?? [];
        const is = unitNames.find((one) => one === name);
        if (half === undefined) return is !== undefined && takeUnit(draft, is);
        draft.spanMsBetween = 1.5 * ((is && SPANS[is]) ?? Number.NaN);
        return Number.isFinite(draft.spanMsBetween);
      },
    ),
    rule(`(?:${every}) (?:${vocabulary.morning ?? NEVER})${END}`, (_, draft) => takePart('morning', draft)),
    rule(`(?:${every}|${and})${END}`, () => true),
  ];
}

const unitNames: readonly Unit[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'];

function takeUnit(draft: Again, unit: Unit): boolean {
  if (draft.unit !== undefined && draft.unit !== unit) return false;
  draft.unit = unit;
  return true;
}

function resolved(draft: Again, now: number): ReadRecurrence | undefined {
  const { problem, unit, weekdays, times, part, date, dayOfMonth, spanMsBetween, monthsBetween } = draft;
  if (problem !== undefined) return { problem };
  // Of a single day, and not of what comes again.
  if (draft.instant !== undefined || draft.days !== undefined || draft.months !== undefined) return undefined;
  if (draft.weekday !== undefined || date?.year !== undefined) return undefined;
  const notes: string[] = [];
  const hasDay =
    weekdays.size > 0 || date !== undefined || dayOfMonth !== undefined || draft.isLastDay === true;
  const span = spanMsBetween || (unit && !hasDay ? SPANS[unit] : undefined);
  if (span !== undefined && monthsBetween) return { problem: 'Months and shorter spans do not go together' };
  if (spanMsBetween === 0 && !monthsBetween) return { problem: 'It has to be a second at least' };
  const isNamed = times.length > 0 || part !== undefined;
  if (span !== undefined) return spans(draft, span, now, notes);
  if (!isNamed && !hasDay && unit === undefined && !monthsBetween) return undefined;
  if (!isNamed) notes.push(`no time was named: ${USUAL_HOUR}:00 was taken`);
  const told = isNamed ? timesOf(draft, notes) : [USUAL_HOUR * 60];
  return told && byCalendar(draft, told, now, notes);
}

/** In minutes of the day, which may lie beyond its end; undefined where one expression cannot say them. */
function timesOf(draft: Again, notes: string[]): readonly number[] | undefined {
  const times = draft.times.length > 0 ? draft.times : [undefined];
  return times.map((time) => (hoursOf(time, draft, notes)[0] ?? 0) * 60 + (time?.minute ?? 0));
}

function spans(draft: Again, span: number, now: number, notes: string[]): ReadRecurrence {
  const { weekdays, times, part } = draft;
  if (span < 1_000) return { problem: 'It has to be a second at least' };
  const recurrence: Recurrence = { spanMs: span };
  const words = recurrenceInWords(recurrence, 'en');
  if (span % DAY_MS === 0)
    notes.push('it is counted in hours: after a change of summer time it comes an hour off');
  const isPlain = weekdays.size === 0 && times.length === 0 && part === undefined;
  if (isPlain && draft.date === undefined && draft.dayOfMonth === undefined)
    return { intervalMs: span, recurrence, notes };
  if (
    span % DAY_MS !== 0 ||
    weekdays.size > 1 ||
    times.length > 1 ||
    draft.rank !== undefined ||
    draft.isLastDay
  )
    return { problem: `It cannot be ${words} and at certain times too` };
  if (draft.date !== undefined || draft.dayOfMonth !== undefined)
    return { problem: `It cannot be ${words} and on certain days too` };
  const [minutes = USUAL_HOUR * 60] =
    isPlain || (times.length === 0 && part === undefined) ? [] : (timesOf(draft, notes) ?? []);
  const [weekday] = weekdays;
  let first = startOf(now) + minutes * MINUTE_MS;
  while (first <= now || (weekday !== undefined && new Date(startOf(first)).getUTCDay() !== weekday))
    first += DAY_MS;
  return { intervalMs: span, firstLocal: first, recurrence, notes };
}

/** What is told of the days, without the times. */
type DaysOf<One> = One extends { readonly at: unknown } ? Omit<One, 'at'> : never;

function byCalendar(
  draft: Again,
  told: readonly number[],
  now: number,
  notes: readonly string[],
): ReadRecurrence {
  const { unit, weekdays, rank, date, dayOfMonth, isLastDay, monthsBetween } = draft;
  const isNextDay = told.every((minutes) => minutes >= 24 * 60);
  const minutes = new Set(told.map((one) => one % 60));
  const hours = [...new Set(told.map((one) => Math.floor(one / 60) % 24))].sort((one, other) => one - other);
  if (minutes.size > 1) return { problem: 'Times with different minutes have to be tasks of their own' };
  const [minute = 0] = minutes;
  const at = hours.map((hour) => `${two(hour)}:${two(minute)}`);
  const made = (days: string, on: DaysOf<Recurrence>): ReadRecurrence => ({
    expression: `${minute} ${hours.join(',')} ${days}`,
    recurrence: { ...on, at },
    notes,
  });
  const shift = isNextDay ? 1 : 0;
  const today = new Date(now);
  const yearly = (month: number, day: number) => made(`${day} ${month} *`, { on: 'date', month, day });
  if (isLastDay) return made('L * *', { on: 'lastDayOfMonth' });
  if (rank !== undefined) {
    const [weekday = 0] = weekdays;
    return made(`* * ${weekday}${rank === -1 ? 'L' : `#${rank}`}`, { on: 'rank', rank, weekday });
  }
  if (date !== undefined) return yearly(date.month, date.day);
  if (monthsBetween || dayOfMonth !== undefined || unit === 'month') {
    const day = dayOfMonth ?? today.getUTCDate();
    if (day < 1 || day > 31) return { problem: `There is no day ${day} of a month` };
    const step = monthsBetween || 1;
    if (12 % step !== 0) return { problem: 'A year has to be a whole number of them' };
    const all = Array.from(
      { length: 12 / step },
      (_, index) => ((today.getUTCMonth() + index * step) % 12) + 1,
    );
    const months = step === 1 ? '*' : all.sort((one, other) => one - other).join(',');
    return made(`${day} ${months} *`, { on: 'months', step, day });
  }
  if (unit === 'year') return yearly(today.getUTCMonth() + 1, today.getUTCDate());
  const days = weekdays.size > 0 ? [...weekdays] : unit === 'week' ? [today.getUTCDay()] : [];
  if (days.length === 0 || days.length === 7) return made('* * *', { on: 'day' });
  const shifted = days.map((day) => (day + shift) % 7).sort((one, other) => one - other);
  return made(`* * ${runsOf(shifted)}`, { on: 'weekdays', weekdays: shifted });
}

/** Monday to Friday is a run. */
function runsOf(days: readonly number[]): string {
  const isRun =
    days.length > 2 && days.every((day, index) => index === 0 || day === (days[index - 1] ?? 0) + 1);
  return isRun ? `${days[0]}-${days.at(-1)}` : days.join(',');
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
