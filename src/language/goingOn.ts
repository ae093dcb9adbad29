import { endingScore } from './endings.ts';
import { type EndingTable, endingTables, english, FILLERS, tableOf, wordSet } from './endingWords.ts';

/*
 * Whether what somebody says sounds finished, by its last words above all: "turn on the" goes on, "turn on the light" need
 * not. Words come from recognition, so signs between them may be missing. Who is unsure waits a little longer.
 */

export type SpeechEnding = 'finished' | 'unsure' | 'open';

/** "Where is it" has all its parts, "how do people" has not. */
const BEING = wordSet(
  "is are was were am what's who's where's how's ist sind war est sont es son está è sono é são zijn",
);
/** "What time is it", "who was that". */
const POINTING = wordSet('it you that this me us them him');

/** As long as an answer to a question is by itself. */
const SHORT_ANSWER = 4;
const SHORT_CONDITION = 6;
const LONG_CONDITION = 10;
/** Words of a question or a command that has all its parts. */
const COMPLETE = 3;
/** Of the weights of its words, where what it is has all its parts, and elsewhere. */
const WHOLE_SCORE = -0.8;
const END_SCORE = 0.8;
const OPEN_SCORE = -2.2;
/** The last of them are looked at: the rest was said long ago. */
const MOST_CHARACTERS = 2_000;

export function endingOf(
  spoken: string,
  {
    language,
    isAnswer = false,
  }: { readonly language?: string | undefined; readonly isAnswer?: boolean } = {},
): SpeechEnding {
  const text = spoken.slice(-MOST_CHARACTERS).trim();
  const all = spokenWords(text);
  const last = all.at(-1);
  if (last === undefined) return 'unsure';
  if (/(?:[,;:–-]|…|\.\.\.)$/u.test(text) || FILLERS.has(last)) return 'open';
  const table = tableFor(all, language);
  if (!table) return /[?？]$/u.test(text) ? 'finished' : 'unsure';
  if (all.length === 1 && table.whole.has(last)) return 'finished';
  if (/[?？]$/u.test(text)) return 'finished';
  const joined = ` ${all.join(' ')}`;
  if (
    (all.length >= COMPLETE || table.whole.has(all[0] ?? '')) &&
    table.closing.some((phrase) => joined.endsWith(phrase))
  )
    return 'finished';
  const rest = withoutPolite(all, table);
  const isQuestion = table.questions.has(rest[0] ?? '');
  const open = openness(all, rest, table, isQuestion);
  if (open === 'open') return 'open';
  if (isAnswer && all.length <= SHORT_ANSWER) return 'finished';
  if (goesOnCounting(all, table)) return 'open';
  if (open !== undefined) return open;
  const isWhole = isQuestion
    ? isWholeQuestion(rest)
    : table.commands.has(rest[0] ?? '') && rest.length >= COMPLETE;
  if (table !== english) return isWhole && !table.numbers.has(last) ? 'finished' : 'unsure';
  if (isQuestion && isWhole && POINTING.has(last)) return 'finished';
  const score = endingScore(all);
  if (score <= OPEN_SCORE) return isWhole ? 'unsure' : 'open';
  return score >= (isWhole ? WHOLE_SCORE : END_SCORE) && !table.numbers.has(last) ? 'finished' : 'unsure';
}

function isWholeQuestion(rest: readonly string[]): boolean {
  return rest.length >= (rest.slice(0, 2).some((word) => BEING.has(word)) ? COMPLETE : COMPLETE + 1);
}

/** Undefined where nothing speaks for more to come. */
function openness(
  all: readonly string[],
  rest: readonly string[],
  table: EndingTable,
  isQuestion: boolean,
): 'open' | 'unsure' | undefined {
  const last = all.at(-1) ?? '';
  const joined = ` ${all.join(' ')}`;
  // "Hey hark", "could you": what is wanted comes.
  if (rest.length === 0) return all.length === 1 || table.questions.has(all.at(-2) ?? '') ? 'open' : 'unsure';
  if (table.openPhrases.some((phrase) => joined.endsWith(phrase))) return 'open';
  const isWhole = rest.length === 1 && table.whole.has(last);
  if (isWhole) return undefined;
  const asks = isQuestion || all.some((word) => table.questions.has(word) && !table.auxiliaries.has(word));
  // "What are you looking for" is whole, "what is the capital of" is not, and both end alike.
  if (table.open.has(last))
    return isQuestion && rest.length > COMPLETE && isBareEnd(all, table) ? 'unsure' : 'open';
  if (table.auxiliaries.has(last)) {
    // "Yes I do", "better than it was".
    const isElliptical = all.length <= COMPLETE || /^(?:than|as|als|que|che)$/.test(all.at(-3) ?? '');
    return asks || isElliptical ? 'unsure' : 'open';
  }
  if (table.subjects.has(last)) return asks ? 'unsure' : 'open';
  if (table.conditions.has(rest[0] ?? '') && !table.auxiliaries.has(rest[1] ?? '')) {
    if (rest.length <= SHORT_CONDITION) return 'open';
    if (rest.length <= LONG_CONDITION) return 'unsure';
  }
  // "Remind": and of what?
  return table.commands.has(last) && rest.length === 1 ? 'open' : undefined;
}

/** Whether what the last word belongs to may stand at the beginning of the question. */
function isBareEnd(all: readonly string[], table: EndingTable): boolean {
  const before = all.at(-2) ?? '';
  return (
    !table.open.has(before) &&
    /(?:ing|you|it|he|she|they|talk|come|from|go|is|are|wait|look|ask)$/u.test(before)
  );
}

/** Digits that are said one by one: a number of a telephone, a code. */
function goesOnCounting(all: readonly string[], { numbers }: EndingTable): boolean {
  const isNumber = (word: string | undefined) =>
    word !== undefined && (numbers.has(word) || /^\d+$/u.test(word));
  return isNumber(all.at(-1)) && isNumber(all.at(-2));
}

function withoutPolite(all: readonly string[], { polite }: EndingTable): readonly string[] {
  for (let at = 0; ; ) {
    const start = polite.find((phrase) => phrase.every((word, index) => all[at + index] === word));
    if (!start) return all.slice(at);
    at += start.length;
  }
}

/** Undefined for languages of which nothing is known here. Where nobody said which it is, its small words do. */
function tableFor(all: readonly string[], language: string | undefined): EndingTable | undefined {
  if (language !== undefined) return tableOf(language);
  const known = ({ open, auxiliaries, subjects, questions }: EndingTable) =>
    all.filter((word) => [open, auxiliaries, subjects, questions].some((some) => some.has(word))).length;
  let best = { table: english, count: known(english) + 1 };
  for (const table of Object.values(endingTables)) {
    const count = known(table);
    if (count > best.count) best = { table, count };
  }
  return best.table;
}

/** Small, and without signs. */
export function spokenWords(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'-]*/gu) ?? []
  );
}
