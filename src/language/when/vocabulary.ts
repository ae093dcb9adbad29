/** What a part of a day begins with or means, in hours. */
export const partHours = {
  morning: 9,
  noon: 12,
  afternoon: 15,
  evening: 18,
  tonight: 20,
  night: 21,
  midnight: 24,
} as const;
export type Part = keyof typeof partHours;

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

/** A spoken time of the day: what is added to the hour `h`, in minutes, or how the minutes `m` are told. */
type SpokenTime = readonly [pattern: string, minutes: number | 'past' | 'to'];

/**
 * How a language tells times. All texts are parts of regular expressions, in small letters and without groups of their
 * own; `#` in a spoken time stands for a number.
 */
export interface Vocabulary {
  /** Of number words, from 0 to 60. */
  readonly numbers: Readonly<Record<string, number>>;
  /** What may stand anywhere and says nothing. */
  readonly fillers: string;
  readonly and: string;
  /** Before an hour. */
  readonly at: string;
  /** Before a span of time that has to pass. */
  readonly in: string;
  /** Behind one. */
  readonly later: string;
  readonly ago: string;
  /** Behind a number or a unit. */
  readonly andHalf: string;
  /** Parts of an hour that have a name, in minutes. */
  readonly pieces: readonly (readonly [pattern: string, minutes: number])[];
  readonly units: Readonly<Record<Unit, string>>;
  /** Days by their distance from today. */
  readonly days: readonly (readonly [pattern: string, days: number, part?: Part])[];
  /** From Sunday on. */
  readonly weekdays: readonly string[];
  readonly months: readonly string[];
  /** Before a weekday, week or month; `nextBehind` where it stands behind. */
  readonly next: string;
  readonly nextBehind: string;
  readonly this: string;
  readonly last: string;
  readonly parts: readonly (readonly [pattern: string, part: Part])[];
  /** The part of the day as the end of a weekday. */
  readonly partsOfWeekday: readonly (readonly [pattern: string, part: Part])[];
  /** Behind an hour in digits that is told on a clock of 24 hours. */
  readonly clock: string;
  readonly spoken: readonly SpokenTime[];
  /** Behind a day of the month. */
  readonly ordinal: string;
  /** A day `d` of a month that is not named. */
  readonly dayOfMonth: string;
  /** Between a number of weeks and the day that they are counted from. */
  readonly weeksFrom: string;
  readonly of: string;

  readonly every: string;
  readonly other: string;
  /** Behind `every`, where the word for it is that for tomorrow. */
  readonly morning?: string;
  readonly weekday: string;
  readonly weekend: string;
  /** Between the first and the last of several days. */
  readonly to: string;
  readonly adverbs: readonly (readonly [pattern: string, unit: Unit])[];
  readonly ofMonth: string;
  readonly lastDay: string;
  /** First to fourth, and -1 for the last. */
  readonly ranks: readonly (readonly [pattern: string, rank: number])[];
}
