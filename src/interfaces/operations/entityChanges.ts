import { z } from 'zod';
import {
  changeEntity,
  mergeEntities,
  unknownEntity,
  unmergeEntities,
} from '../../commands/entities/changeEntity.ts';
import { wholeEntity } from '../../folds/entities/whole.ts';
import { lazily } from '../../lazily.ts';
import { knownEntities } from '../../projections/entities/knownEntities.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, type Caller, defineOperation, id } from '../operation.ts';
import { entityToWire, entityType, entityView } from './entityShapes.ts';

const area = 'entities';
const errors = ['ENTITY_UNKNOWN', 'KVSTORE_UNAVAILABLE'] as const;
const name = lazily(() => z.string().trim().min(1).max(200));
const other = lazily(() => z.object({ id: id(), entityId: id().describe('Id of the other entity') }));
const example = { input: { id: 'unknown', entityId: 'another' } };

/** What users put right about entities. */
export function entityChangeOperations(kvstore: Kvstore): readonly AnyOperation[] {
  const shown = async (entityId: string, { userId }: Caller) => {
    const { views } = kvstore.connected();
    const entity = wholeEntity(await views.of(knownEntities, userId), entityId);
    if (!entity) throw unknownEntity(entityId);
    return entityToWire(entity);
  };
  return [
    defineOperation({
      name: 'entities.change',
      area,
      device: 'trust3',
      summary: 'Changes the name, aliases or type of an entity; what is not given stays',
      rest: { method: 'PUT', path: '/api/entities/:id' },
      input: () =>
        z.object({
          id: id(),
          name: name().optional(),
          type: entityType().optional(),
          aliases: z.array(name()).max(50).optional(),
        }),
      output: entityView,
      errors,
      example: { input: { id: 'unknown', name: 'Anna Keller', aliases: ['Anna'] } },
      async run({ id: entityId, ...changes }, caller) {
        await kvstore.connected().runner.run(changeEntity, { entityId, ...changes }, caller);
        return shown(entityId, caller);
      },
    }),
    defineOperation({
      name: 'entities.merge',
      area,
      device: 'trust3',
      summary: 'Merges another entity into this one',
      description:
        'Its names, episodes and relationships become those of this one, whose name and type stay. What is known ' +
        'of each is kept apart, so that `unmerge` gives back what was.',
      rest: { method: 'POST', path: '/api/entities/:id/merge' },
      input: other,
      output: entityView,
      errors: [...errors, 'BAD_REQUEST'],
      example,
      async run({ id: primaryId, entityId }, caller) {
        await kvstore.connected().runner.run(mergeEntities, { primaryId, entityId }, caller);
        return shown(primaryId, caller);
      },
    }),
    defineOperation({
      name: 'entities.unmerge',
      area,
      device: 'trust3',
      summary: 'Undoes a merge',
      description:
        'Answers with this entity without the other one, which has its own id again, and what was found ' +
        'of it meanwhile. 404 when the other one was not merged into this one.',
      rest: { method: 'POST', path: '/api/entities/:id/unmerge' },
      input: other,
      output: entityView,
      errors,
      example,
      async run({ id: primaryId, entityId }, caller) {
        await kvstore.connected().runner.run(unmergeEntities, { primaryId, entityId }, caller);
        return shown(primaryId, caller);
      },
    }),
  ];
}
