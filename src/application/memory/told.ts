import type { NewEpisode } from '../../commands/memory/episodes.ts';
import { withoutEchoes } from './echoes.ts';
import type { SpokenWords } from './words.ts';

/** Of what was said in a conversation, what an episode of it tells of. */
export function wordsToldBy(
  { turnId, part, echoes = [] }: Pick<NewEpisode, 'turnId' | 'part' | 'echoes'>,
  words: readonly SpokenWords[],
): readonly SpokenWords[] {
  const told = turnId === null ? wordsInPart(words, part) : words.filter((word) => word.turnId === turnId);
  return withoutEchoes(told, echoes);
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
