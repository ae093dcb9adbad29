import { invalidSchedule } from '../../commands/scheduler/invalidSchedule.ts';
import type { TimeStyle } from '../../language/when/languages.ts';
import { type ReadMoment, readMoment } from '../../language/when/moment.ts';
import { readRecurrence } from '../../language/when/recurrence.ts';
import { nextInWords, recurrenceInWords } from '../../language/when/recurrenceWords.ts';
import type { Schedule } from '../../recurrence.ts';
import { localOf, momentOf, timeInWords } from '../../zonedTime.ts';
import type { TimeHabits } from '../timeHabits.ts';

/** When something is due, as it was understood. */
export interface Understood {
  readonly schedule: Schedule;
  /** Of an interval: its first time, where that is not an interval from now. */
  readonly firstAt?: number;
  /** What comes again, in words. */
  readonly words?: string;
  /** What could have been meant otherwise, and what was made of it. */
  readonly notes: readonly string[];
}

/** Whoever says «now» says it a moment before it is read. */
const JUST_NOW_MS = 1_000;
const END_OF_TIME = 8.64e15;

/** What somebody means by these words for a moment, read in their zone and language. Throws where that is not certain. */
export function understoodMoment(
  text: string,
  now: number,
  habits: TimeHabits & Pick<TimeStyle, 'isOfMorning'>,
): Understood {
  const { timezone, isOfMorning = false } = habits;
  const read = readMoment(text, localOf(now, timezone), { ...askedBy(habits), isOfMorning });
  if (!read)
    throw invalidSchedule(
      '"at" is not understood: write 2026-11-20T14:00, "tomorrow 9am", "in 20 minutes" or "next Friday at noon"; what ' +
        'comes again goes in "every"',
    );
  if ('problem' in read) throw invalidSchedule(`"at" is not understood: ${read.problem}`);
  const { at, notes } = momentRead(read, now, timezone);
  if (!(Math.abs(at) <= END_OF_TIME)) throw invalidSchedule('"at" is too far in the future');
  if (at < now - JUST_NOW_MS)
    throw invalidSchedule(
      `"at" is in the past: it means ${timeInWords(at, habits)}, and it is ${timeInWords(now, habits)}`,
    );
  return { schedule: { type: 'once', atTimestamp: at }, notes };
}

/** The same of words for what comes again. Times of the day stay what they are on the wall. */
export function understoodRecurrence(text: string, now: number, habits: TimeHabits): Understood {
  const { timezone } = habits;
  const read = readRecurrence(text, localOf(now, timezone), askedBy(habits));
  if (!read)
    throw invalidSchedule(
      '"every" is not understood: write "2 h", "weekdays at 7", "Monday and Thursday at 18:00" or "month on the 1st at 9"',
    );
  if ('problem' in read) throw invalidSchedule(`"every" is not understood: ${read.problem}`);
  const { notes } = read;
  const words = recurrenceInWords(read.recurrence, habits.locale);
  if ('expression' in read)
    return { schedule: { type: 'cron', expression: read.expression, timezone }, words, notes };
  const first = read.firstLocal === undefined ? {} : { firstAt: momentOf(read.firstLocal, timezone).at };
  return { schedule: { type: 'interval', intervalMs: read.intervalMs }, ...first, words, notes };
}

/** When it is due, in the user's language: what comes again, and `next`, its next time in words. */
export function whenInWords({ words }: Understood, next: string, { locale }: TimeHabits): string {
  return words === undefined ? next : nextInWords(words, next, locale);
}

function askedBy({ locale }: TimeHabits): TimeStyle {
  return { languages: [locale], monthFirst: isMonthFirst(locale) };
}

function isMonthFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type);
  return parts.indexOf('month') < parts.indexOf('day');
}

function momentRead(
  read: Exclude<ReadMoment, { readonly problem: string }>,
  now: number,
  zone: string,
): { readonly at: number; readonly notes: readonly string[] } {
  const { notes } = read;
  if ('instant' in read) return { at: read.instant, notes };
  // What has to pass, passes whatever clocks do.
  if (read.local === undefined) return { at: now + read.plusMs, notes };
  // No calendar goes so far.
  if (!(Math.abs(read.local) < END_OF_TIME)) return { at: Number.NaN, notes };
  const { at, is } = momentOf(read.local, zone);
  const shown = (local: number) => new Date(local).toISOString().slice(11, 16);
  const what =
    is === 'skipped'
      ? `clocks are put forward past ${shown(read.local)} on that day: ${shown(localOf(at, zone))} was taken`
      : `clocks show ${shown(read.local)} twice on that day: the first was taken`;
  return { at: at + read.plusMs, notes: is === 'once' ? notes : [...notes, what] };
}
