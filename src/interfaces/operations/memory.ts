import { z } from 'zod';
import type { ToErase } from '../../application/memory/extent.ts';
import { eraseEpisode, eraseMemory } from '../../commands/memory/forgetting.ts';
import { HarkError } from '../../errors.ts';
import { wholeEntities, wholeRelationships } from '../../folds/entities/whole.ts';
import { activeOnes } from '../../folds/memory/conclusion.ts';
import { lazily } from '../../lazily.ts';
import { knownEntities } from '../../projections/entities/knownEntities.ts';
import { remembered } from '../../projections/memory/remembered.ts';
import { userViewAt } from '../../projections/runtime.ts';
import { tasksOf } from '../../projections/scheduler/tasks.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, type Caller, defineOperation, id, written } from '../operation.ts';
import { hasWords, pageInput, pageOf, pageOutput, wordsInput } from './listPages.ts';
import { episodeToWire, episodeView, profileView } from './memoryShapes.ts';

const area = 'memory';
const nothing = lazily(() => z.object({}));
const at = lazily(() =>
  written(z.coerce.number().int().nonnegative()).optional().describe('As it was at this moment'),
);
const errors = ['KVSTORE_UNAVAILABLE'] as const;

/** Forgets what others made of what was just erased, given the version of the memory's stream. */
export type FollowErasure = (caller: Caller, version: number) => Promise<void>;

interface Followed {
  readonly erased: FollowErasure;
  /** All of a user's. */
  readonly allErased: FollowErasure;
}

/** Episodes, the profile, and forgetting. */
export function memoryOperations(kvstore: Kvstore, { erased, allErased }: Followed): readonly AnyOperation[] {
  const memoryOf = ({ userId }: Caller, time?: number) => {
    const { store, views } = kvstore.reachable();
    return time === undefined
      ? views.of(remembered, userId)
      : userViewAt(store, remembered, userId, { time });
  };
  return [
    defineOperation({
      name: 'memory.episodes',
      area,
      device: 'trust2',
      summary: 'Episodes, newest first',
      rest: { method: 'GET', path: '/api/memory/episodes' },
      description: 'With `at`, those that were kept then, as far as they are not forgotten.',
      input: () =>
        z.object({
          limit: written(z.coerce.number().int().min(1).max(100)).default(20),
          after: pageInput().after,
          at: at(),
          q: wordsInput(),
        }),
      output: () =>
        z.object({
          ...{ episodes: z.array(episodeView()), count: z.int(), available: z.boolean() },
          ...pageOutput(),
        }),
      errors,
      example: { input: { limit: 5 } },
      async run({ at: time, q, ...wanted }, caller) {
        const { episodes: all } = await memoryOf(caller, time);
        const isFound = hasWords(q);
        const asked = Object.values(all)
          .filter(({ summary, topic, keywords }) => isFound(summary, topic, ...(keywords ?? [])))
          .sort((one, other) => other.happenedAt - one.happenedAt);
        const { page, ...rest } = pageOf(asked, { ...wanted, idOf: ({ episodeId }) => episodeId });
        const episodes = page.map((episode) => episodeToWire(episode));
        return { episodes, count: episodes.length, available: true, ...rest };
      },
    }),
    defineOperation({
      name: 'memory.eraseEpisode',
      area,
      device: 'never',
      summary: 'Erases an episode and the words of its conversation',
      description: 'Conclusions that rest on nothing else are erased too. Nothing of it can be read again.',
      rest: { method: 'DELETE', path: '/api/memory/episodes/:id', isPowerful: true },
      input: () => z.object({ id: id() }),
      output: () => z.object({ deleted: z.literal(true), episodeId: z.string() }),
      errors: [...errors, 'EPISODE_UNKNOWN'],
      example: { input: { id: 'unknown' } },
      async run({ id: episodeId }, caller) {
        const { version } = await kvstore.connected().runner.run(eraseEpisode, { episodeId }, caller);
        await erased(caller, version);
        return { deleted: true as const, episodeId };
      },
    }),
    defineOperation({
      name: 'memory.extent',
      area,
      device: 'trust2',
      summary: 'What erasing everything, or one thing, would take along',
      description:
        'For people, before they erase their memory, or with an id what is behind that: a conclusion with the words ' +
        'that it came from, an episode, a session, an entity. Tasks without a payload hold no text and go on; all others end.',
      rest: { method: 'GET', path: '/api/memory/extent' },
      input: () =>
        z.object({
          conclusionId: id().optional(),
          episodeId: id().optional(),
          sessionId: id().optional(),
          entityId: id().optional(),
        }),
      output: () =>
        z.object({
          messages: z
            .int()
            .optional()
            .describe('Of the conversations that go along; not counted for all of memory'),
          episodes: z.int(),
          conclusions: z.int(),
          entities: z.int(),
          relationships: z.int(),
          hasProfile: z.boolean(),
          tasks: z.int().describe('That are active or paused'),
        }),
      errors: [
        ...errors,
        'CONCLUSION_UNKNOWN',
        'EPISODE_UNKNOWN',
        'SESSION_UNKNOWN',
        'ENTITY_UNKNOWN',
        'BAD_REQUEST',
      ],
      example: { input: {} },
      async run(input, caller) {
        const { store, views } = kvstore.reachable();
        const one = whatOf(input);
        if (one) {
          const { extentOf } = await import('../../application/memory/extent.ts');
          return { ...(await extentOf(store, caller.userId, one)), hasProfile: false, tasks: 0 };
        }
        const [memory, entities] = await Promise.all([
          memoryOf(caller),
          views.of(knownEntities, caller.userId),
        ]);
        const tasks = [...tasksOf(views, caller.userId)];
        return {
          episodes: Object.keys(memory.episodes).length,
          conclusions: activeOnes(memory).length,
          entities: wholeEntities(entities).length,
          relationships: wholeRelationships(entities).length,
          hasProfile: Object.keys(memory.profile).length > 0,
          tasks: tasks.filter(({ status }) => status === 'active' || status === 'paused').length,
        };
      },
    }),
    defineOperation({
      name: 'memory.erase',
      area,
      device: 'never',
      summary: "Erases all of the user's memory",
      description:
        'Conversations, episodes, conclusions, the profile and entities: nothing of it can be read again. Tasks end, ' +
        'but for those that have no payload and so hold no text. `GET /api/memory/extent` says beforehand how much that is.',
      rest: { method: 'DELETE', path: '/api/memory', isPowerful: true },
      input: nothing,
      output: () => z.object({ erased: z.literal(true) }),
      errors,
      example: { input: {} },
      async run(_input, caller) {
        const { version } = await kvstore.connected().runner.run(eraseMemory, {}, caller);
        await allErased(caller, version);
        return { erased: true as const };
      },
    }),
    defineOperation({
      name: 'memory.profile',
      area,
      device: 'trust2',
      summary: 'The profile of the user',
      rest: { method: 'GET', path: '/api/memory/profile' },
      input: () => z.object({ at: at() }),
      output: () => z.object({ profile: profileView() }),
      errors,
      example: { input: {} },
      run: async ({ at: time }, caller) => ({ profile: (await memoryOf(caller, time)).profile }),
    }),
    defineOperation({
      name: 'memory.changeProfile',
      area,
      device: 'trust3',
      summary: 'Changes the profile; what is not given stays',
      rest: { method: 'PUT', path: '/api/memory/profile', strict: true },
      input: profileView,
      output: () => z.object({ updated: z.literal(true) }),
      errors,
      example: { input: { communicationStyle: 'Short and friendly' } },
      async run(changes, caller) {
        const { changeProfile } = await import('../../commands/memory/userChanges.ts');
        await kvstore.connected().runner.run(changeProfile, { profile: changes }, caller);
        return { updated: true as const };
      },
    }),
  ];
}

interface Ids {
  readonly conclusionId?: string | undefined;
  readonly episodeId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly entityId?: string | undefined;
}

/** The one that is named; undefined for all of memory. */
function whatOf({ conclusionId, episodeId, sessionId, entityId }: Ids): ToErase | undefined {
  const named: readonly ToErase[] = [
    ...(conclusionId === undefined ? [] : [{ conclusionId }]),
    ...(episodeId === undefined ? [] : [{ episodeId }]),
    ...(sessionId === undefined ? [] : [{ sessionId }]),
    ...(entityId === undefined ? [] : [{ entityId }]),
  ];
  if (named.length > 1) throw new HarkError('BAD_REQUEST', { message: 'One id at a time' });
  return named[0];
}
