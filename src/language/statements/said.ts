import { regExp } from '../../regExp.ts';
import type { Token } from '../tokens.ts';
import type { Clause } from './clauses.ts';

/** `was` is over, as far as anybody can tell: "I used to live in Rome". */
type Denial = 'not' | 'ended' | 'was';

/** A clause without its "not" and "no longer", which are told beside it. */
export interface Said {
  readonly words: string;
  readonly tokens: readonly Token[];
  /** `not` was never so, `ended` is no longer so. */
  readonly denied: Denial | undefined;
  /** What was meant to be instead of what follows here: "not Jon but John". */
  readonly instead: string | undefined;
  readonly adverbial: string;
  readonly corrects: boolean;
  /** The whole text, to quote from, and whether it is written in small letters throughout. */
  readonly source: string;
  readonly isLower: boolean;
  readonly at: number;
}

const ENDED = / (?:anymore|any more|any longer|no more)(?= |$)/;
const CORRECTS = /\b(?:actually|correction|sorry|i meant|i mean|no|nope|wait|rather|turns out)\b/;

const INSTEAD = regExp()`
  (?<!\bbut) (?:, (?:and )?|and )not (?!any|at all|sure|really|too|that|only|just|bad|even|yet|so|to\b|very
  |much|because)([^,;:.!?()]+?)(?= [,.!?;:]|$)`;

export function saidBy(
  clause: Clause,
  context: { readonly source: string; readonly isLower: boolean; readonly at: number },
): Said {
  const corrects = CORRECTS.test(clause.opener) || /\b(?:correction|i meant?|sorry)\b/.test(clause.before);
  const base = { ...context, adverbial: clause.adverbial };
  const swapped = swap(clause);
  if (swapped) return { ...base, ...swapped, denied: undefined, corrects: true };
  const instead =
    / , (?:and )?no longer (?:at|in|for|with|from) ([^,;:.!?()]+?)(?= [,.!?;:]|$)/.exec(clause.words) ??
    INSTEAD.exec(clause.words.replace(/^(?:\S+ ){2}not /, (found) => found.replaceAll(' not ', ' ___ ')));
  const kept = instead
    ? clause.tokens.slice(0, wordCount(clause.words.slice(0, instead.index)))
    : clause.tokens;
  const corrected = corrects || instead !== null || /\bnot\b/.test(clause.before);
  return { ...base, ...withoutDenial(kept), instead: instead?.[1], corrects: corrected };
}

/** "My name is not Jon but John", "My cat is not called Mo, her name is Bo", "I am not from Ulm but from Bonn". */
function swap({ words, tokens }: Clause): Pick<Said, 'words' | 'tokens' | 'instead'> | undefined {
  for (const pattern of SWAPS) {
    const found = pattern.exec(words);
    const { head, kept = '', wrong } = found?.groups ?? {};
    if (!found || head === undefined) continue;
    const from = wordCount(head) + 1;
    return {
      ...joined([
        ...tokens.slice(0, wordCount(head)),
        ...tokens.slice(from, from + wordCount(kept)),
        ...tokens.slice(wordCount(found[0])),
      ]),
      instead: wrong,
    };
  }
  return undefined;
}

const SWAPS: readonly RegExp[] = [
  /^(?<head>(?:i|we) (?:am|are)) not (?<kept>(?:\w+ )?(?<link>to|from|in|at|with|of)) (?<wrong>[^,]{1,40}?)(?: ,)? but \k<link> /,
  /^(?<head>(?:i|we|my|our) .{1,60}?) not (?<wrong>[^,]{1,40}?)(?: ,)? but (?!i |my |we |it |he |she |they |that |only )/,
  regExp()`
    ^(?<head>(?:my|our) [^,]{1,60}? (?:is|are)) not (?<kept>called |named )?
    (?<wrong>[^,]{1,40}?) , (?:it is|it 's|he is|she is|they are|(?:her|his|its) name (?:is|'s))
    (?: called| named)? `,
];

function withoutDenial(tokens: readonly Token[]): Pick<Said, 'words' | 'tokens' | 'denied'> {
  const { words } = joined(tokens);
  if (/^(?:i|we) used to /.test(words)) return { ...joined(without(tokens, ['used', 'to'])), denied: 'was' };
  if (/^(?:i|we)(?: am| are| have| can| do)? no longer /.test(words))
    return { ...joined(without(tokens, ['no', 'longer'])), denied: 'ended' };
  const isEnded = ENDED.test(words);
  const denial =
    /^(?:(?:i|we) (?:\w+ly )?(?:do|am|are|have|can|will|did)|(?:my|our) [^,]{1,40}? (?:is|are|does|has)) (?:\w+ly )?not /.exec(
      words,
    ) ?? /^(?:i|we) (?:have )?never /.exec(words);
  if (!denial) return { words, tokens, denied: isEnded ? 'ended' : undefined };
  const isPlain = / do (?:\w+ly )?not /.test(denial[0]);
  const removed = isPlain ? ['do', 'not'] : ['not', 'never'];
  const head = without(tokens.slice(0, wordCount(denial[0])), removed);
  const rest = isEnded
    ? without(tokens.slice(wordCount(denial[0])), ['anymore', 'any', 'more', 'longer'])
    : tokens.slice(wordCount(denial[0]));
  return { ...joined([...head, ...rest]), denied: isEnded ? 'ended' : 'not' };
}

function without(tokens: readonly Token[], words: readonly string[]): readonly Token[] {
  return tokens.filter(({ word }) => !words.includes(word));
}

function joined(tokens: readonly Token[]): { readonly words: string; readonly tokens: readonly Token[] } {
  return { words: tokens.map(({ word }) => word).join(' '), tokens };
}

function wordCount(piece: string): number {
  return piece.split(' ').filter(Boolean).length;
}
