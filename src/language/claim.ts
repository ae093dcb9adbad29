import { isDenied } from './denial.ts';
import { candidatesOf } from './names/candidates.ts';
import { stem, stemsOf } from './words.ts';

/** A statement as it is held against others. */
export interface Claim {
  /** What it speaks of; not whose statement it is, and no numbers. */
  readonly stems: ReadonlySet<string>;
  /** Names, in lower case. */
  readonly names: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  /** It says that something is not so, or not any more. */
  readonly denied: boolean;
}

const LONGEST = 1_000;
/** What is left of "can't", "won't" and "shan't". */
const SHORTENED: ReadonlySet<string> = new Set(['ca', 'wo', 'sha']);
const WHOSE = /^(?:the )?user(?:'s|’s)?\b/i;
const OVER = /\b(?:no longer|used to|stopped|quit|quitted|gave up|given up|former|formerly|ex)\b/i;
const NUMBER = /\d+(?:[.,:/]\d+)*/g;
const numberWords = 'zero one two three four five six seven eight nine ten eleven twelve'
  .split(' ')
  .map(stem);
const SHORT_NOT = /\b(\w+?)n['’]t\b/gi;

export function claimOf(text: string): Claim {
  const statement = text.slice(0, LONGEST).normalize('NFKC').replace(WHOSE, '').trim();
  const stems = new Set<string>();
  const numbers = new Set(statement.match(NUMBER) ?? []);
  for (const word of stemsOf(statement.replace(SHORT_NOT, '$1 not'))) {
    const value = numberWords.indexOf(word);
    if (value >= 0) numbers.add(String(value));
    else if (!/^\d/.test(word) && !SHORTENED.has(word)) stems.add(word);
  }
  const names = new Set(
    candidatesOf(statement).flatMap(({ name, isFirst }) => (isFirst ? [] : [name.toLowerCase()])),
  );
  return { stems, names, numbers, denied: isDenied(statement) || OVER.test(statement) };
}
