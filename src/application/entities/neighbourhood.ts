import type { UserEntities } from '../../folds/entities/entities.ts';
import {
  USER,
  type WholeEntity,
  type WholeRelationship,
  wholeEntities,
  wholeRelationships,
} from '../../folds/entities/whole.ts';

interface Near {
  readonly entity: WholeEntity;
  /** How many relationships lie between. */
  readonly hops: number;
}

export interface Neighbourhood {
  readonly near: readonly Near[];
  readonly relationships: readonly WholeRelationship[];
  /** How many are near enough, and were left out. */
  readonly more: number;
}

/** What an entity is related to, the nearest first. The user is related to nearly all, and so is no way to others. */
export function neighbourhoodOf(
  known: UserEntities,
  centre: WholeEntity,
  { hops: most, limit }: { readonly hops: number; readonly limit: number },
): Neighbourhood {
  const entities = new Map(wholeEntities(known).map((entity) => [entity.id, entity]));
  const all = wholeRelationships(known);
  const beside = new Map<string, string[]>();
  const stand = (one: string, other: string) => {
    const others = beside.get(one);
    if (others) others.push(other);
    else beside.set(one, [other]);
  };
  for (const { from, to } of all) {
    if (from === USER || to === USER) continue;
    stand(from, to);
    stand(to, from);
  }
  const hopsTo = new Map([[centre.id, 0]]);
  let edge: readonly string[] = [centre.id];
  for (let hops = 1; hops <= most; hops++) {
    edge = edge.flatMap((id) => beside.get(id) ?? []).filter((id) => !hopsTo.has(id));
    for (const id of edge) hopsTo.set(id, hops);
  }
  const found = Array.from(hopsTo, ([id, hops]) => ({ entity: entities.get(id), hops }))
    .flatMap(({ entity, hops }) => (entity ? [{ entity, hops }] : []))
    .sort((one, other) => one.hops - other.hops || other.entity.mentions - one.entity.mentions);
  const near = found.slice(0, limit);
  const shown = new Set([USER, ...near.map(({ entity }) => entity.id)]);
  const relationships = all.filter(({ from, to }) => shown.has(from) && shown.has(to));
  return { near, relationships, more: found.length - near.length };
}
