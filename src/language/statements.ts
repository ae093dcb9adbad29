import { ownWords } from './ownWords.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { calendarRules } from './statements/calendar.ts';
import { type Clause, clausesOf } from './statements/clauses.ts';
import { isDoubtful, isMocking } from './statements/doubt.ts';
import { familyRules } from './statements/family.ts';
import { ownUntil } from './statements/fiction.ts';
import { habitRules } from './statements/habits.ts';
import { healthRules } from './statements/health.ts';
import { homeRules } from './statements/home.ts';
import { personRules } from './statements/person.ts';
import { possessionRules } from './statements/possessions.ts';
import { preferenceRules } from './statements/preferences.ts';
import { rememberedFact } from './statements/remember.ts';
import { type Draft, type Rule, written } from './statements/rule.ts';
import { type Said, saidBy } from './statements/said.ts';
import { workRules } from './statements/work.ts';

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

/** In this order; the first rule that makes something of a clause is the only one. */
const rules: readonly Rule[] = [
  ...calendarRules.slice(0, 3),
  ...familyRules,
  ...healthRules,
  ...preferenceRules,
  ...calendarRules.slice(3),
  ...homeRules,
  ...workRules,
  ...possessionRules,
  ...personRules,
  ...habitRules,
];

const USUAL = 0.85;
const LONGEST_TEXT = 20_000;
const LONGEST_SENTENCE = 600;
const MOST_STATEMENTS = 50;

/** What a user says of himself in one turn, told at `at` (Unix milliseconds). Of what he only quotes, nothing. */
export function statementsOf(text: string, at: number): readonly Statement[] {
  const shortened = text.slice(0, LONGEST_TEXT);
  const own = ownWords(shortened).slice(0, ownUntil(shortened));
  const isLower = shortened === shortened.toLowerCase();
  const sentences = sentencesOf(own).filter(({ text: { length } }) => length <= LONGEST_SENTENCE);
  const read = new Set<string>();
  const found = sentences.flatMap((sentence, index) => {
    // Said again, it says nothing more.
    if (read.has(sentence.text) || isMocking(sentence.text, sentences[index + 1]?.text ?? '')) return [];
    read.add(sentence.text);
    return inSentence(sentence, { source: own, isLower, at });
  });
  return Array.from(
    new Map(found.map((one) => [`${one.slot} ${one.negated} ${one.value}`, one])).values(),
  ).slice(0, MOST_STATEMENTS);
}

interface Context {
  readonly source: string;
  readonly isLower: boolean;
  readonly at: number;
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

interface Read {
  readonly statements: readonly Statement[];
  /** What is said not to be so, or not to be so any more, where that alone says nothing. */
  readonly wrong: readonly Draft[];
}

function inClause(clause: Clause, context: Context): Read {
  const said = saidBy(clause, context);
  const remembers =
    /\b(?:remember|do not forget|keep in mind|bear in mind|note|for future reference|never forget|make a note|take note)\b/.test(
      clause.opener,
    );
  const drafts = firstOf(rules, said);
  const kept = drafts.length > 0 || !remembers ? drafts : rememberedFact(said);
  const isDenied = kept.length === 0 && (said.denied === 'not' || said.denied === 'was');
  return {
    statements: kept.map((draft) => statement(draft, said, remembers)),
    wrong: isDenied ? firstOf(rules, { ...beginningOf(said), denied: undefined }) : [],
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
    const made = match && rule.make(written(said, match), said, match.groups ?? {});
    const drafts = made ? (Array.isArray(made) ? made : [made]) : [];
    if (drafts.length > 0) return drafts;
  }
  return [];
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
