import { z } from 'zod';
import { conclusionsAbout, episodesAbout } from '../../application/entities/remembered.ts';
import { unknownEntity } from '../../commands/entities/changeEntity.ts';
import { eraseEntity } from '../../commands/entities/forgetting.ts';
import {
  membersOf,
  nameOf,
  wholeEntities,
  wholeEntity,
  wholeRelationships,
} from '../../folds/entities/whole.ts';
import { lazily } from '../../lazily.ts';
import { knownEntities } from '../../projections/entities/knownEntities.ts';
import { remembered } from '../../projections/memory/remembered.ts';
import type { UserProjection } from '../../projections/projection.ts';
import { userViewAt } from '../../projections/runtime.ts';
import { entityTypes } from '../../vocabulary.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, moment as at, type Caller, defineOperation, id, written } from '../operation.ts';
import {
  entityToWire,
  entityType,
  entityView,
  relationshipToWire,
  relationshipView,
} from './entityShapes.ts';
import { hasWords, pageInput, pageOf, pageOutput, wordsInput } from './listPages.ts';
import { conclusionToWire, conclusionView, episodeToWire, episodeView } from './memoryShapes.ts';

const area = 'entities';
const errors = ['ENTITY_UNKNOWN', 'KVSTORE_UNAVAILABLE'] as const;
const oneThen = lazily(() => z.object({ id: id(), at: at() }));
type OneThen = z.output<ReturnType<typeof oneThen>>;
const example = { input: { id: 'unknown' } };

/** Who and what is known by name, and how it belongs together. */
export function entityOperations(kvstore: Kvstore): readonly AnyOperation[] {
  const viewOf = <State>(projection: UserProjection<State>, { userId }: Caller, time: number | undefined) => {
    const { store, views } = kvstore.reachable();
    return time === undefined
      ? views.of(projection, userId)
      : userViewAt(store, projection, userId, { time });
  };
  const knownTo = (caller: Caller, time?: number) => viewOf(knownEntities, caller, time);
  const shown = async ({ id: entityId, at: time }: OneThen, caller: Caller) => {
    const entity = wholeEntity(await knownTo(caller, time), entityId);
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
      description: 'All of them, or with `limit` a page. `q` looks at their names and aliases.',
      input: () => z.object({ type: entityType().optional(), q: wordsInput(), at: at(), ...pageInput() }),
      output: () => z.object({ entities: z.array(entityView()), count: z.int(), ...pageOutput() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { type: 'person' } },
      async run({ type, q, at: time, ...wanted }, caller) {
        const isFound = hasWords(q);
        const asked = wholeEntities(await knownTo(caller, time))
          .filter((entity) => type === undefined || entity.type === type)
          .filter(({ name, aliases }) => isFound(name, ...aliases))
          .sort((one, other) => other.lastSeenAt - one.lastSeenAt);
        const { page, ...rest } = pageOf(asked, { ...wanted, idOf: ({ id: known }) => known });
        return { entities: page.map(entityToWire), count: page.length, ...rest };
      },
    }),
    defineOperation({
      name: 'entities.stats',
      area,
      device: 'trust2',
      summary: 'How much is known by name',
      rest: { method: 'GET', path: '/api/entities/stats' },
      input: () => z.object({ at: at() }),
      output: () =>
        z.object({ total: z.int(), byType: z.record(z.string(), z.int()), relationships: z.int() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      async run({ at: time }, caller) {
        const known = await knownTo(caller, time);
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
      input: oneThen,
      output: () =>
        entityView().extend({
          merged: z
            .array(z.object({ id: z.string(), name: z.string() }))
            .describe('What counts as this one since a merge: `unmerge` takes their ids'),
        }),
      errors,
      example,
      async run(input, caller) {
        const entity = await shown(input, caller);
        const [, ...merged] = membersOf(await knownTo(caller, input.at), input.id);
        return { ...entityToWire(entity), merged: merged.map((one) => ({ id: one.id, name: nameOf(one) })) };
      },
    }),
    defineOperation({
      name: 'entities.erase',
      area,
      device: 'never',
      summary: 'Erases an entity, with what was merged into it and its relationships',
      rest: { method: 'DELETE', path: '/api/entities/:id', isPowerful: true },
      input: () => z.object({ id: id() }),
      output: () => z.object({ deleted: z.literal(true), entityId: z.string() }),
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
      input: oneThen,
      output: () => z.object({ episodes: z.array(episodeView()), count: z.int() }),
      errors,
      example,
      async run(input, caller) {
        const entity = await shown(input, caller);
        const about = episodesAbout(await viewOf(remembered, caller, input.at), entity);
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
      input: oneThen,
      output: () => z.object({ conclusions: z.array(conclusionView()), count: z.int() }),
      errors,
      example,
      async run(input, caller) {
        const entity = await shown(input, caller);
        const about = conclusionsAbout(await viewOf(remembered, caller, input.at), entity);
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
      input: oneThen,
      output: () => z.object({ relationships: z.array(relationshipView()), count: z.int() }),
      errors,
      example,
      async run(input, caller) {
        const { id: entityId } = await shown(input, caller);
        const all = wholeRelationships(await knownTo(caller, input.at));
        const own = all.filter(({ from, to }) => from === entityId || to === entityId);
        const relationships = own.map(relationshipToWire);
        return { relationships, count: relationships.length };
      },
    }),
    defineOperation({
      name: 'entities.neighbourhood',
      area,
      device: 'trust2',
      summary: 'What an entity is related to, over some hops, and how',
      description:
        'The nearest first, of those as near the ones that are named most. `user` counts as a neighbour, and is no way ' +
        'from one to another: else all would be near all. `more` says how many are left out.',
      rest: { method: 'GET', path: '/api/entities/:id/neighbourhood' },
      input: () =>
        oneThen().extend({
          hops: written(z.coerce.number().int().min(1).max(3)).default(2),
          limit: written(z.coerce.number().int().min(1).max(200)).default(60),
        }),
      output: () =>
        z.object({
          entities: z
            .array(entityView().extend({ hops: z.int() }))
            .describe('The first is the one that was asked for'),
          relationships: z.array(relationshipView()).describe('Between any of these, and with `user`'),
          more: z.int(),
        }),
      errors,
      example,
      async run({ hops, limit, ...input }, caller) {
        const { neighbourhoodOf } = await import('../../application/entities/neighbourhood.ts');
        const centre = await shown(input, caller);
        const { near, relationships, more } = neighbourhoodOf(await knownTo(caller, input.at), centre, {
          hops,
          limit,
        });
        const entities = near.map((one) => ({ ...entityToWire(one.entity), hops: one.hops }));
        return { entities, relationships: relationships.map(relationshipToWire), more };
      },
    }),
  ];
}
