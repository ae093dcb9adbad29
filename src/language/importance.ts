import { regExp } from '../regExp.ts';
import { sentencesOf } from './sentences.ts';
import type { Statement } from './statements.ts';
import { stemsOf } from './words.ts';

export interface ImportanceTurn {
  readonly role: string;
  readonly text: string;
}

/** Why a conversation counts: names of kinds, never words of it. */
type ImportanceReason =
  | 'asked to remember'
  | 'correction'
  | 'preference'
  | 'personal fact'
  | 'health'
  | 'decision'
  | 'appointment'
  | 'task completed'
  | 'question answered'
  | 'long'
  | 'detailed answer'
  | 'grounded answer';

export interface Importance {
  /** From 0 to 10. */
  readonly importance: number;
  readonly reasons: readonly ImportanceReason[];
  /** Nothing in it is worth an episode. */
  readonly trivial: boolean;
}

const MOST = 10;
const LONG_WORDS = 400;
const POINTS: Readonly<Record<ImportanceReason, number>> = {
  'asked to remember': 4,
  health: 4,
  correction: 3,
  preference: 3,
  'personal fact': 3,
  decision: 2,
  appointment: 2.5,
  'task completed': 2,
  'question answered': 1,
  long: 1,
  'detailed answer': 2,
  'grounded answer': 2,
};
const REMEMBER =
  /\b(?:remember (?:that|this|my|i)|don'?t forget|keep (?:this |that |it )?in mind|note that|for future reference|merk dir)\b/i;
const CORRECTION = regExp('i')`
  (?:^|[.!?]\s+)(?:no,|actually,?|that'?s (?:not right|wrong|incorrect)|i meant|correction|not .{1,30}, but)
  |\b(?:you(?:'re| are) wrong|that'?s wrong|i said .{1,40}, not)\b`;
const DECISION = regExp('i')`
  \b(?:(?:i|we)(?:'ve| have)? (?:decided|agreed|chose|settled on|picked|booked|signed|ordered|hired
  |will go with|are going with|'ll go with)|let'?s (?:go with|do|use)|the decision is|final
  (?:ly)? decided)\b`;
const COMPLETED = regExp('i')`
  \b(?:(?:it|that|this|everything|the \w+)(?: now)? works?(?: now)?[.!]|works now
  |(?:that|this) (?:fixed|solved) it|problem solved|i(?:'ve| have)? (?:fixed|finished|completed|submitted
  |deployed|shipped|solved|installed) |all tests pass|has been (?:created|scheduled|sent|saved|deployed
  |completed|booked)|successfully|i(?:'ve| have) (?:created|scheduled|sent|saved|booked|set up|added|updated
  |written) )\b`;

/**
 * How much a conversation matters, by what is in it. Each reason counts once with its points; further statements of
 * the user add half a point each, and the sum ends at 10. An exchange with no reason at all counts 0 to 1.
 */
export function importanceOf(turns: readonly ImportanceTurn[], statements: readonly Statement[]): Importance {
  const mine = turns.filter(({ role }) => role === 'user').map(({ text }) => text);
  const reasons = [...ofStatements(statements), ...ofTexts(mine, turns)];
  const distinct = Array.from(new Set(reasons));
  const points = distinct.reduce((sum, reason) => sum + POINTS[reason], 0);
  const more = Math.max(0, statements.length - 1) * 0.5;
  const words = stemsOf(mine.join(' ')).length;
  const base = Math.min(1, words / 20);
  const importance = Math.min(MOST, Math.round((base + points + more) * 10) / 10);
  return { importance, reasons: distinct, trivial: isTrivial(turns, distinct) };
}

const MOMENTOUS: ReadonlySet<ImportanceReason> = new Set(['question answered', 'long']);

function isTrivial(turns: readonly ImportanceTurn[], reasons: readonly ImportanceReason[]): boolean {
  if (reasons.some((reason) => !MOMENTOUS.has(reason))) return false;
  const words = turns.filter(({ role }) => role !== 'assistant').flatMap(({ text }) => stemsOf(text));
  return new Set(words).size < 4;
}

function ofStatements(statements: readonly Statement[]): readonly ImportanceReason[] {
  return statements.flatMap(({ slot, type }): ImportanceReason[] => {
    const area = slot.split('.')[0] ?? '';
    const kind: ImportanceReason = /^(?:allergy|health|diet)$/.test(area)
      ? 'health'
      : /^(?:preference|favourite|instruction)$/.test(area)
        ? 'preference'
        : /^(?:appointment|date)$/.test(area)
          ? 'appointment'
          : 'personal fact';
    return type === 'corrected' ? [kind, 'correction'] : [kind];
  });
}

function ofTexts(mine: readonly string[], turns: readonly ImportanceTurn[]): readonly ImportanceReason[] {
  const reasons: ImportanceReason[] = [];
  const own = mine.join('\n');
  if (REMEMBER.test(own)) reasons.push('asked to remember');
  if (CORRECTION.test(own)) reasons.push('correction');
  if (DECISION.test(own)) reasons.push('decision');
  if (turns.some(({ text }) => COMPLETED.test(text))) reasons.push('task completed');
  if (turns.some(({ role, text }, index) => isAnswered(role, text, turns[index + 1])))
    reasons.push('question answered');
  if (stemsOf(own).length > LONG_WORDS / 2) reasons.push('long');
  return reasons;
}

function isAnswered(role: string, text: string, next: ImportanceTurn | undefined): boolean {
  return (
    role === 'user' &&
    /\?\s*$/.test(text) &&
    next !== undefined &&
    next.role !== 'user' &&
    stemsOf(next.text).length >= 8
  );
}

const UNHELPFUL = regExp('i')`
  \b(?:i (?:can(?:no|')t|am unable|don'?t know|do not know|am not sure)|as an ai|i'?m sorry|i apologi[sz]e
  |something went wrong|please (?:clarify|provide))\b`;

/**
 * How much an answer of the assistant is worth being kept by itself (Query-as-Ingest; 6 or more is kept): it answers
 * a real question, at some length, in an ordered way, with facts in it, and does not say that it cannot.
 */
export function responseImportance(question: string, response: string): Importance {
  const words = stemsOf(response);
  const asked = new Set(stemsOf(question));
  const distinct = new Set(words).size;
  const sentences = sentencesOf(response).length;
  const reasons: ImportanceReason[] = [];
  let points = Math.min(2, distinct / 30);
  if (asked.size >= 3 && words.some((word) => asked.has(word))) points += 1.5;
  if (
    /\?\s*$|^(?:how|what|why|when|which|who|where|compare|explain|summari[sz]e|describe)\b/i.test(
      question.trim(),
    )
  ) {
    points += 1;
    reasons.push('question answered');
  }
  if (distinct >= 60 && sentences >= 4) {
    points += 2;
    reasons.push('detailed answer');
  }
  const facts = (response.match(/\d[\d.,]*|(?<=[\p{Ll},] )\p{Lu}\p{Ll}+/gu) ?? []).length;
  const isOrdered =
    /^[^\S\n]*(?:[-*]|\d+[.)])\s/m.test(response) ||
    /\b(?:because|therefore|however|in summary|first(?:ly)?|in contrast|overall)\b/i.test(response);
  if (facts >= 4) {
    points += 1.5;
    reasons.push('grounded answer');
  }
  if (isOrdered) points += 1.5;
  if (UNHELPFUL.test(response.slice(0, 300)) || distinct < 15) points = Math.min(points, 2);
  const importance = Math.min(MOST, Math.round(points * 10) / 10);
  return { importance, reasons, trivial: importance < 1 };
}
