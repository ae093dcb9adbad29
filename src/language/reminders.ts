import { ownWords } from './ownWords.ts';
import { asksForReminder } from './reminders/asking.ts';
import type { ReminderKind, ReminderTable } from './reminders/row.ts';
import { reminderTables } from './reminders/tables.ts';
import { sentencesOf } from './sentences.ts';
import { ownUntil } from './statements/fiction.ts';

/* What somebody asks, in plain words, to be told later. */

export interface ReminderRequest<Time> {
  /** The code of that in which it is asked. */
  readonly language: string;
  readonly kind: ReminderKind;
  /** Undefined where no time is named that can be read. */
  readonly time: Time | undefined;
  /** As it was written; nothing where no time was read. */
  readonly when: string;
  /** What is to be said then. */
  readonly text: string;
}

/**
 * What a phrase means for a time, in the language of this code; undefined where it names none. Whoever wants to be woken
 * means the morning.
 */
type ReadTime<Time> = (phrase: string, language: string, wakes: boolean) => Time | undefined;

const LONGEST_TEXT = 20_000;
const LONGEST_SENTENCE = 600;
const MOST_REQUESTS = 5;
/** Of what people say for a time. */
const MOST_WORDS_OF_TIME = 12;

/** What the writer of a text asks to be told later, in their own words, and not in a story or a quotation. */
export function remindersIn<Time>(text: string, readTime: ReadTime<Time>): readonly ReminderRequest<Time>[] {
  if (!asksForReminder(text)) return [];
  const shortened = text.slice(0, LONGEST_TEXT);
  const own = ownWords(shortened).slice(0, ownUntil(shortened)).replaceAll('’', "'");
  return sentencesOf(own)
    .filter((one) => one.text.length <= LONGEST_SENTENCE)
    .flatMap((one) => inSentence(one.text, readTime) ?? [])
    .slice(0, MOST_REQUESTS);
}

function inSentence<Time>(sentence: string, readTime: ReadTime<Time>): ReminderRequest<Time> | undefined {
  for (const [language, table] of Object.entries(reminderTables))
    for (const { kind, pattern } of table.rows) {
      const { rest, wakes } = pattern.exec(sentence)?.groups ?? {};
      if (rest === undefined) continue;
      const wanted = bare(rest, table).replace(POLITE, '');
      if (table.question.test(wanted)) return undefined;
      const { time, when, what } = parted(wanted, table, (phrase) =>
        readTime(phrase, language, wakes !== undefined),
      );
      if (kind === 'remind') return what === '' ? undefined : { language, kind, time, when, text: what };
      const { said } = table;
      // An alarm of which no time can be read may be one of a house.
      if (time === undefined) return undefined;
      return { language, kind, time, when, text: what === '' ? said[kind] : `${said[kind]} (${what})` };
    }
  return undefined;
}

interface Parted<Time> {
  readonly time: Time | undefined;
  readonly when: string;
  readonly what: string;
}

/** A time stands at the end or at the beginning. As many words as can be read as one are of it. */
function parted<Time>(
  wanted: string,
  table: ReminderTable,
  read: (phrase: string) => Time | undefined,
): Parted<Time> {
  const words = wanted.split(' ');
  const most = Math.min(words.length, MOST_WORDS_OF_TIME);
  for (const isAtEnd of [true, false])
    for (let count = most; count > 0; count--) {
      const from = isAtEnd ? words.length - count : 0;
      const when = bare(words.slice(from, from + count).join(' '), table);
      const time = when === '' || table.notOfTime.test(when) ? undefined : read(when);
      if (time === undefined) continue;
      const left = isAtEnd ? words.slice(0, from) : words.slice(count);
      return { time, when, what: bare(left.join(' '), table) };
    }
  return { time: undefined, when: '', what: wanted };
}

/** At the end of a request. */
const POLITE = /,? (?:please|bitte|s'il te pla[iî]t|por favor)$/i;
const SIGNS = /^[ .!?…;,:]+|(?<![ .!?…;,:])[ .!?…;,:]+$/g;

/** Without what only leads up to it, and without the signs around it. */
function bare(words: string, { between }: ReminderTable): string {
  let left = words.replace(/\s+/g, ' ').replace(SIGNS, '');
  for (let before = ''; before !== left; ) {
    before = left;
    left = left.replace(between, '').replace(SIGNS, '');
  }
  return left;
}
