import type { Part, Vocabulary } from './vocabulary.ts';

/** A time of the day as it was told. */
export interface ToldTime {
  readonly hour: number;
  readonly minute: number;
  /** `face`: as a clock with hands shows it; `clock`: on one of 24 hours, unless the part of the day says otherwise. */
  readonly as: 'face' | 'clock' | 'sure';
}

export interface ToldDate {
  readonly year?: number;
  readonly month: number;
  readonly day: number;
  /** The other way to read it, where the order of day and month is not certain. */
  readonly swapped?: true;
}

/** What the words of a phrase say, before anybody looks at the calendar. */
export interface ParsedPhrase {
  /** Of a time with an offset. */
  instant?: number;
  spanMs?: number;
  days?: number;
  months?: number;
  /** A span said no day, and leaves the time as it is. */
  keepsTime?: boolean;
  weekday?: number;
  which?: 'next' | 'this' | 'last';
  date?: ToldDate;
  dayOfMonth?: number;
  part?: Part;
  times: ToldTime[];
  problem?: string;
}

export type FoundParts = Readonly<Record<string, string | undefined>>;
/** False where what was found does not go together with what was found before. */
export type PhraseRule<Into> = readonly [pattern: RegExp, take: (found: FoundParts, draft: Into) => boolean];

/** Of the languages that are read, in small letters: all letters of Unicode would be compiled anew at each place. */
export const LETTERS = 'a-z\\u00df-\\u024f';
/** No letter may follow a unit, and no digit a word either. */
export const NO_LETTER = `(?![${LETTERS}])`;
export const END = `(?![${LETTERS}\\d])`;

/** Fits nowhere. */
export const NEVER = '(?!)';
const LONGEST = 200;
const SEPARATORS = /[\s,;]*/uy;

/** What the rules make of all of the text; undefined where they leave a part of it. */
export function drafted<Into>(
  text: string,
  rules: readonly PhraseRule<Into>[],
  draft: Into,
): Into | undefined {
  let at = 0;
  const said = plain(text);
  if (said === undefined || said === '') return undefined;
  while (at < said.length) {
    const end = next(said, at, rules, draft);
    if (end === undefined) return undefined;
    SEPARATORS.lastIndex = end;
    SEPARATORS.exec(said);
    at = Math.max(end, SEPARATORS.lastIndex);
  }
  return draft;
}

function plain(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const bare = text.normalize('NFC').toLowerCase().replaceAll('’', "'").replace(/\s+/gu, ' ').trim();
  return bare.replace(/(?<![!?])[!?]+$/u, '').replace(/(?<!\d)\.$/u, '');
}

function next<Into>(
  text: string,
  at: number,
  rules: readonly PhraseRule<Into>[],
  draft: Into,
): number | undefined {
  for (const [pattern, take] of rules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match || match[0] === '') continue;
    return take(match.groups ?? {}, draft) ? at + match[0].length : undefined;
  }
  return undefined;
}

export function rule<Into>(source: string, take: PhraseRule<Into>[1]): PhraseRule<Into> {
  return [new RegExp(source, 'uy'), take];
}

/** A pattern of what a number may be; those with two words first. */
export function numberPattern({ numbers }: Vocabulary): string {
  const words = Object.keys(numbers).sort((one, other) => other.length - one.length);
  return `(?:\\d{1,6}(?:[.,]\\d)?|(?:${words.join('|')})${END})`;
}

export function numberOf(text: string, { numbers }: Vocabulary): number {
  return numbers[text] ?? Number(text.replace(',', '.'));
}

/** Sets what was not set yet. */
export function once<Key extends keyof ParsedPhrase>(
  draft: ParsedPhrase,
  key: Key,
  value: ParsedPhrase[Key],
): boolean {
  if (draft[key] !== undefined) return false;
  draft[key] = value;
  return true;
}

export function newDraft(): ParsedPhrase {
  return { times: [] };
}
