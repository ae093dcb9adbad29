import { z } from 'zod';
import type { ToolCall } from '../../gateways/models/gateway.ts';
import { type ReminderRequest, remindersIn } from '../../language/reminders.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import { localOf, weekdayName } from '../../zonedTime.ts';
import { jsonIn, type RuleAnswer, repliesIn } from '../ruleAnswer.ts';
import type { TimeHabits } from '../timeHabits.ts';
import { reminderReplies } from './reminderReplies.ts';
import { type Understood, understoodMoment, understoodRecurrence, whenInWords } from './when.ts';

/* What answers a wish to be told something later where no model does: rules call the same tool as a model would. */

interface Asked {
  readonly said: string;
  readonly now: number;
  readonly habits: TimeHabits;
}

const TOOL = 'schedule.create';
const CALL = 'by-rule-remind-';
const LONGEST_NAME = 200;
const DAY_MS = 86_400_000;

/** Undefined where no reminder is asked for. `exchange` is the turn so far; without a `language` it is that of the words. */
export function remindByRule(
  { said, now, habits }: Asked,
  { steps }: Pick<Exchange, 'steps'>,
  language: string | undefined,
): RuleAnswer | undefined {
  const wishes = remindersIn(said, (phrase, spoken, isOfMorning) =>
    understoodTime(phrase, now, { ...habits, language: spoken, isOfMorning }),
  );
  if (wishes.length === 0) return undefined;
  const calls = wishes.flatMap((wish, index) => callFor(wish, index, habits.timezone) ?? []);
  if (steps.length === 0 && calls.length > 0) return { text: '', calls };
  const told = wishes.map((wish, index) => {
    const replies = repliesIn(language ?? wish.language, reminderReplies);
    if (!wish.time) return replies.when(wish.text);
    const returns = steps.flatMap((step) => step.returns);
    const result = returns.find(({ callId }) => callId === idOf(index))?.result ?? null;
    const done = scheduled.safeParse(jsonIn(result ?? '')).data;
    if (!done) return result ?? replies.failed;
    const { firstAt, notes } = wish.time;
    // What the tool was given in words, it tells in words.
    const when = firstAt === undefined ? whenInWords(wish.time, done.when, habits) : done.when;
    return [replies.set(wish.text, when), ...notes].join('\n');
  });
  return { text: told.join('\n\n'), calls: [] };
}

const scheduled = z.object({ when: z.string() });

function callFor(
  { time, text }: ReminderRequest<Understood>,
  index: number,
  timezone: string,
): ToolCall | undefined {
  if (!time) return undefined;
  const input = { name: text.slice(0, LONGEST_NAME), text, ...fieldsOf(time, timezone) };
  return { id: idOf(index), name: TOOL, input };
}

function idOf(index: number): string {
  return `${CALL}${index + 1}`;
}

/**
 * In figures, and in English where an interval begins at a time of its own, which no figure says: English is read
 * whatever language is the user's, and the sentence may be in one that is not.
 */
function fieldsOf({ schedule, firstAt }: Understood, timezone: string): Record<string, unknown> {
  if (firstAt !== undefined && schedule.type === 'interval') {
    const local = localOf(firstAt, timezone);
    const time = new Date(local).toISOString().slice(11, 16);
    return { every: `${schedule.intervalMs / DAY_MS} days on ${weekdayName(local)} at ${time}` };
  }
  const { type, ...when } = schedule;
  return { scheduleType: type, ...when };
}

/** What a phrase means, in the language of the sentence that it stands in. Undefined where it names no time to come. */
export function understoodTime(
  phrase: string,
  now: number,
  { locale, language, ...others }: TimeHabits & { readonly language: string; readonly isOfMorning?: boolean },
): Understood | undefined {
  const habits = { ...others, locale: locale.startsWith(language) ? locale : language };
  for (const read of [understoodMoment, understoodRecurrence])
    try {
      return read(phrase, now, habits);
    } catch {
      // It is no such time: perhaps fewer words of it are.
    }
  return undefined;
}
