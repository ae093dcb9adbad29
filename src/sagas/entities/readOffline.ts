import type { FoundEntity } from '../../commands/entities/recordEntities.ts';
import { foldedName } from '../../commands/entities/sameName.ts';
import type { Language } from '../../language/language.ts';
import { evidentWords } from '../../language/requests.ts';
import type { EpisodeWords, ReadEntities } from './ports.ts';

const LONGEST_TEXT = 20_000;

/** Who and what is named, without a model. */
export function readOffline(language: Pick<Language, 'readConversation'>): ReadEntities {
  return async (words, { userId: owner, signal }) => {
    const { entities, relationships } = await language.readConversation({ turns: words }, { owner, signal });
    const found = entities.map(({ confidence: _confidence, ...entity }): FoundEntity => {
      return { ...entity, turnIds: turnsNaming(words, entity) };
    });
    return { entities: found, relationships, by: 'offline' };
  };
}

/** The turns of the user that name it. What others say, and the user only shows, is nothing that the user told. */
export function turnsNaming(
  words: readonly EpisodeWords[],
  { name, type, aliases }: Pick<FoundEntity, 'name' | 'type' | 'aliases'>,
): readonly string[] {
  const names = [name, ...aliases].map((one) => ` ${foldedName(one, type)} `);
  const isNamed = (text: string) => {
    // Folded as a thing: of a text, neither titles nor legal forms are left out.
    const folded = ` ${foldedName(text, 'thing')} `;
    return names.some((one) => one.trim() !== '' && folded.includes(one));
  };
  const turnIds = words.flatMap(({ turnId, role, text }) =>
    role === 'user' && isNamed(evidentWords(text.slice(0, LONGEST_TEXT))) ? [turnId] : [],
  );
  return [...new Set(turnIds)];
}
