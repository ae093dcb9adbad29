import type { Entity, UserEntities } from '../../folds/entities/entities.ts';
import { knownEntities } from '../../projections/entities/knownEntities.ts';
import type { UserViews } from '../../projections/runtime.ts';
import type { EntityRecord, MemoryRecord, RelationshipRecord } from './records.ts';

/** A line says so much of one entity; what is more comes on further lines. */
const MOST_ON_A_LINE = 500;

/** Who and what is known by name: each before what counts as it, and all before how they belong together. */
export async function* exportEntities(views: UserViews, userId: string): AsyncGenerator<MemoryRecord> {
  const entities = () => views.of(knownEntities, userId);
  for (const id of byDepth(await entities())) {
    const entity = (await entities()).entities[id];
    if (entity) yield* linesOf(entity, await entities());
  }
  for (const id of Object.keys((await entities()).relationships)) {
    const relationship = (await entities()).relationships[id];
    if (!relationship) continue;
    const { evidence, ...ends } = relationship;
    const told = evidence.flatMap(({ type, ...one }) => (type === null ? [] : [{ ...one, type }]));
    for (const some of portions(told))
      yield { kind: 'relationship', ...ends, evidence: some } satisfies RelationshipRecord;
  }
}

function byDepth({ entities }: UserEntities): readonly string[] {
  const depthOf = (id: string): number => {
    const into = entities[id]?.mergedInto ?? null;
    return into === null || !entities[into] ? 0 : 1 + depthOf(into);
  };
  return Object.keys(entities).sort((one, other) => depthOf(one) - depthOf(other));
}

function* linesOf(
  { mentions, given, ...entity }: Entity,
  { entities }: UserEntities,
): Generator<EntityRecord> {
  const told = mentions.flatMap(({ name, aliases, ...one }) =>
    name === null ? [] : [{ ...one, name, aliases: aliases ?? [] }],
  );
  // What it was merged into may be gone.
  const mergedInto = entity.mergedInto !== null && entities[entity.mergedInto] ? entity.mergedInto : null;
  for (const some of portions(told))
    yield { kind: 'entity', id: entity.id, given, mergedInto, mentions: some };
}

function* portions<One>(all: readonly One[]): Generator<readonly One[]> {
  for (let at = 0; at < all.length; at += MOST_ON_A_LINE) yield all.slice(at, at + MOST_ON_A_LINE);
}
