import { z } from 'zod';
import { conclusionsAbout, episodesAbout } from '../../application/entities/remembered.ts';
import { unknownEntity } from '../../commands/entities/changeEntity.ts';
import { eraseEntity } from '../../commands/entities/forgetting.ts';
import { wholeEntities, wholeEntity, wholeRelationships } from '../../folds/entities/whole.ts';
import { knownEntities } from '../../projections/entities/knownEntities.ts';
import { entityTypes } from '../../vocabulary.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, type Caller, defineOperation, id } from '../operation.ts';
import {
  entityToWire,
  entityType,
  entityView,
  relationshipToWire,
  relationshipView,
} from './entityShapes.ts';
import { conclusionToWire, conclusionView, episodeToWire, episodeView } from './memoryShapes.ts';

const area = 'entities';
const errors = ['ENTITY_UNKNOWN', 'KVSTORE_UNAVAILABLE'] as const;
const example = { input: { id: 'unknown' } };

/** Who and what is known by name, and how it belongs together. */
export function entityOperations(kvstore: Kvstore): readonly AnyOperation[] {
  const knownTo = ({ userId }: Caller) => kvstore.reachable().views.of(knownEntities, userId);
  const shown = async (entityId: string, caller: Caller) => {
    const entity = wholeEntity(await knownTo(caller), entityId);
    if (!entity) throw unknownEntity(entityId);
    return entity;
  };
  return [
    defineOperation({
      name: 'entities.list',
      area,
      device: 'trust2',
      summary: 'Known people, places, organizations, events and things, last seen first',
      rest: { method: 'GET', path: '/api/entities' },
      input: z.object({ type: entityType.optional() }),
      output: z.object({ entities: z.array(entityView), count: z.int() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { type: 'person' } },
      async run({ type }, caller) {
        const all = wholeEntities(await knownTo(caller));
        const asked = all.filter((entity) => type === undefined || entity.type === type);
        const entities = asked.sort((one, other) => other.lastSeenAt - one.lastSeenAt).map(entityToWire);
        return { entities, count: entities.length };
      },
    }),
    defineOperation({
      name: 'entities.stats',
      area,
      device: 'trust2',
      summary: 'How much is known by name',
      rest: { method: 'GET', path: '/api/entities/stats' },
      input: z.object({}),
      output: z.object({ total: z.int(), byType: z.record(z.string(), z.int()), relationships: z.int() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      async run(_input, caller) {
        const known = await knownTo(caller);
        const all = wholeEntities(known);
        const countOf = (type: string) => all.filter((entity) => entity.type === type).length;
        const byType = Object.fromEntries(entityTypes.map((type) => [type, countOf(type)]));
        return { total: all.length, byType, relationships: wholeRelationships(known).length };
      },
    }),
    defineOperation({
      name: 'entities.show',
      area,
      device: 'trust2',
      summary: 'One of them',
      rest: { method: 'GET', path: '/api/entities/:id' },
      input: z.object({ id }),
      output: entityView,
      errors,
      example,
      run: async ({ id: entityId }, caller) => entityToWire(await shown(entityId, caller)),
    }),
    defineOperation({
      name: 'entities.erase',
      area,
      device: 'never',
      summary: 'Erases an entity, with what was merged into it and its relationships',
      rest: { method: 'DELETE', path: '/api/entities/:id', isPowerful: true },
      input: z.object({ id }),
      output: z.object({ deleted: z.literal(true), entityId: z.string() }),
      errors,
      example,
      async run({ id: entityId }, caller) {
        await kvstore.connected().runner.run(eraseEntity, { entityId }, caller);
        return { deleted: true as const, entityId };
      },
    }),
    defineOperation({
      name: 'entities.episodes',
      area,
      device: 'trust2',
      summary: 'The episodes that name it, newest first',
      rest: { method: 'GET', path: '/api/entities/:id/episodes' },
      input: z.object({ id }),
      output: z.object({ episodes: z.array(episodeView), count: z.int() }),
      errors,
      example,
      async run({ id: entityId }, caller) {
        const entity = await shown(entityId, caller);
        const about = await episodesAbout(kvstore.connected().views, caller.userId, entity);
        const episodes = about.map((episode) => episodeToWire(episode));
        return { episodes, count: episodes.length };
      },
    }),
    defineOperation({
      name: 'entities.conclusions',
      area,
      device: 'trust2',
      summary: 'What is believed that concerns it, most certain first',
      description: 'What stands and names it, or was said in the same breath.',
      rest: { method: 'GET', path: '/api/entities/:id/conclusions' },
      input: z.object({ id }),
      output: z.object({ conclusions: z.array(conclusionView), count: z.int() }),
      errors,
      example,
      async run({ id: entityId }, caller) {
        const entity = await shown(entityId, caller);
        const about = await conclusionsAbout(kvstore.connected().views, caller.userId, entity);
        const conclusions = about.map(conclusionToWire);
        return { conclusions, count: conclusions.length };
      },
    }),
    defineOperation({
      name: 'entities.relationships',
      area,
      device: 'trust2',
      summary: 'Its relationships with others and with the user',
      rest: { method: 'GET', path: '/api/entities/:id/relationships' },
      input: z.object({ id }),
      output: z.object({ relationships: z.array(relationshipView), count: z.int() }),
      errors,
      example,
      async run({ id: entityId }, caller) {
        await shown(entityId, caller);
        const all = wholeRelationships(await knownTo(caller));
        const own = all.filter(({ from, to }) => from === entityId || to === entityId);
        const relationships = own.map(relationshipToWire);
        return { relationships, count: relationships.length };
      },
    }),
  ];
}
