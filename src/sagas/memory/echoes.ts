import type { UserMemory } from '../../commands/memory/state.ts';
import { entryOf } from '../../entryOf.ts';
import { stemsOf } from '../../language/words.ts';
import { PROFILE_ITEM, profileLines } from './profileLines.ts';
import type { SpokenWords } from './words.ts';

/** An answer of which so much was remembered before says nothing new. */
const MOSTLY = 0.6;

/**
 * Turns whose answer gives back what memory had put before the model. It is no new evidence, and would outlive what it
 * repeats: of what was forgotten since, nobody can say any more whether it was repeated.
 */
export function echoesIn(words: readonly SpokenWords[], memory: UserMemory): readonly string[] {
  return words.flatMap(({ role, turnId, text, recalled = [] }) =>
    role === 'assistant' && isEcho(text, recalled, memory) ? [turnId] : [],
  );
}

/** What was said without the answers of these turns. */
export function withoutEchoes(
  words: readonly SpokenWords[],
  echoes: readonly string[],
): readonly SpokenWords[] {
  return words.filter(({ role, turnId }) => role !== 'assistant' || !echoes.includes(turnId));
}

function isEcho(text: string, recalled: readonly string[], memory: UserMemory): boolean {
  if (recalled.length === 0) return false;
  const texts = recalled.map((id) => textsOf(id, memory));
  if (texts.includes(undefined)) return true;
  const said = new Set(stemsOf(text));
  const known = new Set(texts.flatMap((some) => some?.flatMap((one) => stemsOf(one)) ?? []));
  const repeated = [...said].filter((stem) => known.has(stem)).length;
  return said.size > 0 && repeated / said.size > MOSTLY;
}

/** Undefined for what is not remembered any more. */
function textsOf(id: string, { episodes, conclusions, profile }: UserMemory): readonly string[] | undefined {
  const told = entryOf(episodes, id)?.summary ?? entryOf(conclusions, id)?.text;
  if (told) return [told];
  return id.startsWith(PROFILE_ITEM) ? profileLines(profile) : undefined;
}
