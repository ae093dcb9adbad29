import { regExp } from '../regExp.ts';
import type { MemoryRequest } from './requests.ts';
import { factOfUser } from './statements/remember.ts';
import { keyOf } from './statements/wording.ts';
import { type Statement, statementsOf } from './statements.ts';
import { tellingStemsOf } from './whoseWords.ts';
import { stemsOf } from './words.ts';

/** What is kept of something that a user asks to be remembered, or says is so. */
export type Kept = Pick<
  Statement,
  'text' | 'type' | 'confidence' | 'slot' | 'value' | 'negated' | 'replaces'
>;

const ASKED = 0.95;

/**
 * What the rules of statements make of it, so that a later word on the same takes its place; and where they leave out
 * a word of it, all of it as it was said.
 */
export function keptOf({ what, told }: Pick<MemoryRequest, 'what' | 'told'>, at: number): readonly Kept[] {
  if (what === '') return [];
  const facts = told === factOfUser(what) ? factsIn(what) : [what];
  if (facts.length > 1) return facts.flatMap((fact) => keptOf({ what: fact, told: factOfUser(fact) }, at));
  const stated: readonly Kept[] = statementsOf(`Remember that ${what}.`, at);
  const stems = new Set(stated.flatMap(({ text }) => stemsOf(text)));
  if (stated.length > 0 && tellingStemsOf(what).every((stem) => stems.has(stem))) return stated;
  const slot = `fact.${keyOf(what)}`;
  if (stated.some((one) => one.slot === slot)) return stated;
  const whole = { slot, value: what, text: told, type: 'explicit', confidence: ASKED } as const;
  return [...stated, { ...whole, negated: false, replaces: undefined }];
}

const AND_THEN = /,? and (?=(?:i|my|we|our)\b)/i;
/** It says something of what it begins with; "my best friend", before "and I live in Oslo", does not. */
const IS_FACT = regExp('i')`
  ^(?:i|we)[ ]\S|^\S+(?:[ ]\S+){0,5}?[ ](?:am|is|are|was|were|has|have|had|can|will|must|do|go|live|like|love|hate|need
  |want|work|play|eat|speak|[a-z]{2,}s|[a-z]{2,}ed)[ ]\S`;

/** "My dog is allergic to chicken and I live in Oslo" is two. */
function factsIn(what: string): readonly string[] {
  const facts = what.split(AND_THEN);
  return facts.every((fact) => IS_FACT.test(fact)) ? facts : [what];
}

/** What the user says is so where they say that something is wrong. */
export function correctedBy({ what }: Pick<MemoryRequest, 'what'>, at: number): readonly Kept[] {
  return statementsOf(what, at).map((one) => ({ ...one, type: 'corrected' }));
}
