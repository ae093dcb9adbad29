import { regExp } from '../regExp.ts';
import { evidentWords } from './requests.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { type Clause, clausesOf } from './statements/clauses.ts';
import { isDoubtful, isMocking } from './statements/doubt.ts';
import { ownUntil } from './statements/fiction.ts';
import { rememberedFact } from './statements/remember.ts';
import type { Draft, Groups, Rule } from './statements/rule.ts';
import { type Said, saidBy } from './statements/said.ts';
import { tables } from './statements/tables.ts';
import { clean } from './statements/wording.ts';

/** Something that users said of themselves. */
export interface Statement {
  /** A sentence in the third person: "The user lives in Oslo." */
  readonly text: string;
  readonly type: 'explicit' | 'corrected';
  readonly confidence: number;
  /** What it is about. A later statement with the same slot takes the place of this one: `home.city`. */
  readonly slot: string;
  readonly value: string;
  /** It is not, or no longer, so. */
  readonly negated: boolean;
  /** What was said to be so before, where the statement names it: "from Berlin", "not Tuesday". */
  readonly replaces: string | undefined;
  /** Where in the turn's text it stands. */
  readonly span: { readonly start: number; readonly end: number };
}

const allRules = Object.values(tables).flat();

const USUAL = 0.85;
const LONGEST_TEXT = 20_000;
const LONGEST_SENTENCE = 600;
const MOST_STATEMENTS = 50;

/** What a user says of himself in one turn, told at `at` (Unix milliseconds). Of what he only quotes, nothing. */
export function statementsOf(text: string, at: number): readonly Statement[] {
  return statementsBy(allRules, text, at);
}

/** The same, of some rows alone. */
export function statementsBy(rules: readonly Rule[], text: string, at: number): readonly Statement[] {
  const shortened = text.slice(0, LONGEST_TEXT);
  const own = evidentWords(shortened).slice(0, ownUntil(shortened));
  const isLower = shortened === shortened.toLowerCase();
  const sentences = sentencesOf(own).filter(({ text: { length } }) => length <= LONGEST_SENTENCE);
  const read = new Set<string>();
  const found = sentences.flatMap((sentence, index) => {
    // Said again, it says nothing more.
    if (read.has(sentence.text) || isMocking(sentence.text, sentences[index + 1]?.text ?? '')) return [];
    read.add(sentence.text);
    return inSentence(sentence, { source: own, isLower, at, rules });
  });
  return Array.from(
    new Map(found.map((one) => [`${one.slot} ${one.negated} ${one.value}`, one])).values(),
  ).slice(0, MOST_STATEMENTS);
}

interface Context {
  readonly source: string;
  readonly isLower: boolean;
  readonly at: number;
  /** The first that makes something of a clause is the only one. */
  readonly rules: readonly Rule[];
}

function inSentence(sentence: Sentence, context: Context): readonly Statement[] {
  const found: Statement[] = [];
  let wrong: readonly Draft[] = [];
  let until = -1;
  for (const clause of clausesOf(sentence.text, sentence.start)) {
    const start = clause.tokens[0]?.start ?? sentence.start;
    if (start < until || isDoubtful(clause, sentence.text)) continue;
    const { statements, wrong: denied } = inClause(clause, context);
    found.push(...statements.map((one) => instead(one, wrong)));
    if (denied.length > 0) wrong = denied;
    if (statements.length > 0) until = start + 1;
  }
  return found;
}

/** "I don't live in Lyon, I live in Grenoble": what the first half denies, the second takes the place of. */
function instead(statement: Statement, wrong: readonly Draft[]): Statement {
  const other = wrong.find(({ slot, value }) => slot === statement.slot && value !== statement.value);
  if (!other || statement.negated || statement.replaces !== undefined) return statement;
  return { ...statement, type: 'corrected', replaces: other.value };
}

const REMEMBERS = regExp()`
  \b(?:remember|do not forget|keep in mind|bear in mind|note|for future reference|never forget|make a note
  |take note)\b`;

interface Read {
  readonly statements: readonly Statement[];
  /** What is said not to be so, or not to be so any more, where that alone says nothing. */
  readonly wrong: readonly Draft[];
}

function inClause(clause: Clause, context: Context): Read {
  const said = saidBy(clause, context);
  const remembers = REMEMBERS.test(clause.opener);
  const drafts = firstOf(context.rules, said);
  const kept = drafts.length > 0 || !remembers ? drafts : rememberedFact(said);
  const isDenied = kept.length === 0 && (said.denied === 'not' || said.denied === 'was');
  return {
    statements: kept.map((draft) => statement(draft, said, remembers)),
    wrong: isDenied ? firstOf(context.rules, { ...beginningOf(said), denied: undefined }) : [],
  };
}

function beginningOf(said: Said): Said {
  const [words = ''] = said.words.split(/ [,;:.!?()…]/, 1);
  return { ...said, words, tokens: said.tokens.slice(0, words.split(' ').length) };
}

function firstOf(all: readonly Rule[], said: Said): readonly Draft[] {
  for (const rule of all) {
    if (said.denied === 'was' || (said.denied === 'not' && !rule.deniable)) continue;
    const match = rule.pattern.exec(said.words);
    const made = match && rule.yields(written(said, match), said, match.groups ?? {});
    const drafts = made ? (Array.isArray(made) ? made : [made]) : [];
    if (drafts.length > 0) return drafts;
  }
  return [];
}

/** What a named group matched, as it was written. */
function written(said: Said, match: RegExpExecArray): Groups {
  const places = match.indices?.groups ?? {};
  const found: Record<string, string | undefined> = {};
  for (const [name, place] of Object.entries(places)) {
    if (place) found[name] = clean(cut(said, place[0], place[1]));
  }
  return found;
}

function cut({ words, tokens, source }: Said, from: number, until: number): string {
  const begin = from + (/^ */.exec(words.slice(from, until))?.[0].length ?? 0);
  if (begin === until) return '';
  const first = tokens[words.slice(0, begin).split(' ').length - 1];
  const last = tokens[words.slice(0, until).trimEnd().split(' ').length - 1];
  return first && last ? source.slice(first.start, last.end) : '';
}

function statement(draft: Draft, said: Said, remembers: boolean): Statement {
  const isEnded = said.denied === 'ended';
  const negated = draft.negated ?? isEnded;
  const corrected = said.corrects || isEnded || draft.corrects === true;
  const replaces = draft.replaces ?? said.instead;
  return {
    text: isEnded && !draft.negated ? over(draft.text) : draft.text,
    type: corrected ? 'corrected' : 'explicit',
    confidence: Math.min(1, (draft.confidence ?? USUAL) + (remembers ? 0.1 : 0)),
    slot: draft.slot,
    value: draft.value,
    negated,
    replaces,
    span: { start: said.tokens[0]?.start ?? 0, end: said.tokens.at(-1)?.end ?? 0 },
  };
}

/** "The user lives in Oslo." when that is no longer so. */
function over(text: string): string {
  return text
    .replace(/^The user (is|has been) /, 'The user is no longer ')
    .replace(/^The user (?!is no longer)/, 'The user no longer ');
}
