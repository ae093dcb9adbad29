import type { NewEpisode } from '../../commands/memory/episodes.ts';
import { entryOf } from '../../entryOf.ts';
import { stemsOf } from '../../language/words.ts';
import { PROFILE_ITEM, profileLines } from './profileLines.ts';
import type { Statements } from './statements.ts';
import type { SpokenWords } from './words.ts';

/** An answer of which so much was remembered before says nothing new. */
const MOSTLY = 0.6;
/** One that gives back all of something that is believed dwells on it from so much on. */
const NOTABLY = 0.25;
/** A single word is given back by whoever speaks of the same. */
const FEWEST_STEMS = 2;

type Recallable = Pick<Statements, 'memory' | 'relationship'>;

/**
 * Turns whose answer gives back what memory had put before the model. It is no new evidence, and would outlive what it
 * repeats: of what was forgotten since, nobody can say any more whether it was repeated.
 */
export function echoesIn(words: readonly SpokenWords[], known: Recallable): readonly string[] {
  return words.flatMap(({ role, turnId, text, recalled = [] }) =>
    role === 'assistant' && isEcho(text, recalled, known) ? [turnId] : [],
  );
}

/** What was said without the answers of these turns. */
export function withoutEchoes(
  words: readonly SpokenWords[],
  echoes: readonly string[],
): readonly SpokenWords[] {
  return words.filter(({ role, turnId }) => role !== 'assistant' || !echoes.includes(turnId));
}

function isEcho(text: string, recalled: readonly string[], known: Recallable): boolean {
  if (recalled.length === 0) return false;
  const texts = recalled.map((id) => textsOf(id, known));
  if (texts.includes(undefined)) return true;
  const said = new Set(stemsOf(text));
  const before = texts.flatMap((some) => some?.map(tellingStemsOf) ?? []);
  const repeated = said.intersection(new Set(before.flat())).size;
  if (said.size === 0) return false;
  const share = repeated / said.size;
  const isWhole = (stems: readonly string[]) =>
    new Set(stems).size >= FEWEST_STEMS && stems.every((stem) => said.has(stem));
  return share > MOSTLY || (share > NOTABLY && before.some(isWhole));
}

/** An answer says "you" and "your" for "the user" and "the user's". */
function tellingStemsOf(text: string): readonly string[] {
  return stemsOf(text).filter((stem) => stem !== 'user' && stem.length > 1);
}

/** Undefined for what is not remembered any more. */
function textsOf(id: string, known: Recallable): readonly string[] | undefined {
  const { episodes, conclusions, profile } = known.memory;
  const told =
    entryOf(episodes, id)?.summary ?? entryOf(conclusions, id)?.text ?? known.relationship(id)?.text;
  if (told) return [told];
  return id.startsWith(PROFILE_ITEM) ? profileLines(profile) : undefined;
}

/** Of what was said in a conversation, what an episode of it tells of. */
export function wordsToldBy(
  { turnId, part, echoes = [], aside = [] }: Pick<NewEpisode, 'turnId' | 'part' | 'echoes' | 'aside'>,
  words: readonly SpokenWords[],
): readonly SpokenWords[] {
  const told = turnId === null ? wordsInPart(words, part) : words.filter((word) => word.turnId === turnId);
  const own = aside.length === 0 ? told : told.filter((word) => !aside.includes(word.turnId));
  return withoutEchoes(own, echoes);
}

/** All of them where there is no part; from the beginning where the turn before it is not there any more. */
export function wordsInPart(
  words: readonly SpokenWords[],
  { after, upTo }: NonNullable<NewEpisode['part']> = { after: null, upTo: null },
): readonly SpokenWords[] {
  const lastOf = (turnId: string | null) => words.findLastIndex((word) => word.turnId === turnId);
  const end = lastOf(upTo);
  return words.slice(lastOf(after) + 1, end === -1 ? undefined : end + 1);
}
