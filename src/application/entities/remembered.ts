import { foldedName } from '../../commands/entities/sameName.ts';
import type { WholeEntity } from '../../folds/entities/whole.ts';
import type { Conclusion } from '../../folds/memory/conclusion.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import type { Episode, Episodes } from '../../projections/memory/episodes.ts';

/** The episodes that name an entity, newest first. */
export function episodesAbout({ episodes }: Episodes, { episodeIds }: WholeEntity): readonly Episode[] {
  return episodeIds
    .flatMap((id) => (Object.hasOwn(episodes, id) ? (episodes[id] ?? []) : []))
    .sort((one, other) => other.happenedAt - one.happenedAt);
}

/** What is believed that names an entity, or comes from words that name it; the most certain first. */
export function conclusionsAbout(
  { conclusions }: Pick<Conclusions, 'conclusions'>,
  entity: WholeEntity,
): readonly Conclusion[] {
  const concerns = concerning(entity);
  return Object.values(conclusions)
    .filter((conclusion) => conclusion.status === 'active' && concerns(conclusion))
    .sort((one, other) => other.confidence - one.confidence);
}

function concerning({ name, aliases, type, episodeIds, turnIds }: WholeEntity) {
  const names = [name, ...aliases].map((one) => foldedName(one, type)).filter((one) => one !== '');
  const [episodes, turns] = [new Set(episodeIds), new Set(turnIds)];
  return ({ text, sources, turnIds: said }: Conclusion): boolean => {
    const words = ` ${foldedName(text ?? '', 'thing')} `;
    if (names.some((one) => words.includes(` ${one} `))) return true;
    // Both: turns of imported conversations are numbered, each from 0.
    return sources.some((id) => episodes.has(id)) && said.some((id) => turns.has(id));
  };
}
