import { third } from './drafts/habits.ts';
import type { Draft } from './rule.ts';
import type { Said } from './said.ts';
import { clean, inThirdPerson, keyOf } from './wording.ts';

/** What somebody asks to be remembered is kept as he put it, whatever it is about. */
export function rememberedFact(said: Said): readonly Draft[] {
  const { tokens, source } = said;
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (!first || !last || tokens.length < 3) return [];
  const words = clean(source.slice(first.start, last.end));
  if (
    !/^(?:i|my|we|our|the|on|in|at|she|he|it|they|[a-z]+ (?:is|are|has|was))\b/i.test(words) ||
    /\b(?:to (?:buy|call|send)|me to)\b/i.test(said.words.slice(0, 12))
  )
    return [];
  return [{ slot: `fact.${keyOf(words)}`, value: words, text: factOfUser(words), confidence: 0.9 }];
}

/** What somebody says, as a sentence about them. */
export function factOfUser(words: string): string {
  const told = inThirdPerson(words)
    .replace(/^their\b/, "the user's")
    .replace(
      /^they (.+)/,
      (_, does: string) =>
        `the user ${/^(?:can|will|must|may|might|should|would|could|had|did|was|were)\b/.test(does) ? does : third(does)}`,
    );
  return `${told[0]?.toUpperCase() ?? ''}${told.slice(1)}.`;
}
