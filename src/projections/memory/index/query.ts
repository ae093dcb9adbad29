import { type AnswerKind, answerTo } from './answers.ts';
import { type Period, periodOf } from './period.ts';
import { folded, termOf, wordsOf } from './terms.ts';

/** One thing that a query asks for. */
export interface QueryTerm {
  readonly word: string;
  readonly term: string;
  readonly weight: number;
}

export interface ParsedQuery {
  readonly wanted: readonly QueryTerm[];
  /** What stood in quotation marks, folded. */
  readonly phrases: readonly string[];
  /** The beginning of a word that may still be typed. */
  readonly beginning: string | undefined;
  readonly period: Period | undefined;
  /** What an answer to this kind of question is likely to have in it. */
  readonly answeredBy: AnswerKind | undefined;
  /** Whoever asks speaks of themselves, or of what was answered to them. */
  readonly about: 'me' | 'you' | undefined;
}

const LONGEST_QUERY = 2_000;
const MOST_WANTED = 48;
const NAME_WEIGHT = 1.3;
const PHRASE_WEIGHT = 1.3;
const ASKING_WEIGHT = 0.35;
/** They say what is asked for rather than what is told. */
const ASKING: ReadonlySet<string> = new Set(
  `able ago alone amount another area around ask away become believe big bring call case certain close common couple
  current currently date day deal decide different discuss end ever experience explain fact far feel few find first good
  guy half handle happen hear hold idea include involve item keep kind know last later leave likely long look main man
  manage mean moment month name near nearly need new next number often old own pair part particular past people person
  piece place point possible put reason recent recently right see set several show side situation sort specific start
  stay stuff talk think time together top try turn type usual want way week whole woman work wrong year`
    .split(/\s+/)
    .flatMap((word) => termOf(word) ?? []),
);
const QUOTED = /"([^"]{2,200})"|“([^”]{2,200})”|«([^»]{2,200})»/g;
const CAPITALISED = /(?<=[\p{L}\p{N},;:'’"”)] +)(?!I\b)\p{Lu}[\p{L}\p{N}]*/gu;

/** Reads a query, whatever stands in it: there is no syntax that could be wrong. */
export function parseQuery(query: string, now: number): ParsedQuery {
  const text = query.slice(0, LONGEST_QUERY).normalize('NFKC').trim();
  const phrases = Array.from(text.matchAll(QUOTED), (found) =>
    folded(found[1] ?? found[2] ?? found[3] ?? ''),
  );
  const words = wordsOf(folded(text));
  const last = words.at(-1);
  const unfinished = last !== undefined && last.length > 2 && /[\p{L}\p{N}]$/u.test(query);
  return {
    wanted: wantedOf(words, namesIn(text), new Set(phrases.flatMap(wordsOf))),
    phrases,
    beginning: unfinished ? last : undefined,
    period: periodOf(text, now),
    answeredBy: answerTo(text),
    about: aboutWhom(text),
  };
}

function wantedOf(
  words: readonly string[],
  names: ReadonlySet<string>,
  quoted: ReadonlySet<string>,
): readonly QueryTerm[] {
  const wanted = new Map<string, QueryTerm>();
  for (const word of words) {
    const term = termOf(word);
    if (term === undefined || wanted.has(term)) continue;
    const weight =
      (ASKING.has(term) ? ASKING_WEIGHT : 1) *
      (names.has(word) ? NAME_WEIGHT : 1) *
      (quoted.has(word) ? PHRASE_WEIGHT : 1);
    wanted.set(term, { word, term, weight });
    if (wanted.size === MOST_WANTED) break;
  }
  return Array.from(wanted.values());
}

/** Words within a sentence that begin with a capital. In a text written in capitals they say nothing. */
function namesIn(text: string): ReadonlySet<string> {
  const found = text.match(CAPITALISED) ?? [];
  const all = text.split(/\s+/).length;
  return new Set(
    found.length > 4 && found.length > all / 2 ? [] : found.flatMap((name) => wordsOf(folded(name))),
  );
}

function aboutWhom(text: string): ParsedQuery['about'] {
  if (
    /\b(?:you|your) (?:\w+ )?(?:suggest|recommend|told|tell|said|say|gave|give|mention|provid|advi|answer|explain|list)/i.test(
      text,
    )
  )
    return 'you';
  return /\b(?:i|my|me|mine|myself|i'm|i've)\b/i.test(text) ? 'me' : undefined;
}
