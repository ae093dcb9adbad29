import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import type { Command } from '../../../src/commands/command.ts';
import { changeEntity, mergeEntities, unmergeEntities } from '../../../src/commands/entities/changeEntity.ts';
import { eraseEntity, expireEpisodes, forgetEpisodes } from '../../../src/commands/entities/forgetting.ts';
import { KnownNames } from '../../../src/commands/entities/knownNames.ts';
import { recordEntities } from '../../../src/commands/entities/recordEntities.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { isHarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { entitiesStream } from '../../../src/events/entities.ts';
import { type UserEntities, userEntities } from '../../../src/folds/entities/entities.ts';
import { wholeEntities, wholeRelationships } from '../../../src/folds/entities/whole.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { NOW } from '../../support/given.ts';
import { found, record } from './sample.ts';

const users = ['ann', 'ben'] as const;
const place = fc.nat({ max: 8 });
const operation = fc.record({
  user: fc.constantFrom(...users),
  what: fc.oneof(
    {
      arbitrary: fc.record({ do: fc.constant('read' as const), names: fc.array(place, { maxLength: 4 }) }),
      weight: 4,
    },
    fc.record({
      do: fc.constantFrom('change', 'erase', 'merge', 'unmerge', 'forget', 'expire', 'forgetAll'),
      one: place,
      other: place,
      /** Whose ids are named: also the other user's, who must not notice. */
      of: fc.constantFrom(...users),
    }),
  ),
});
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/** Two users on one log. Everything that a user is told of begins with the user's name. */
class World {
  readonly log: Log;
  readonly runner: StoreCommandRunner;
  readonly episodes: Record<string, string[]> = { ann: [], ben: [] };
  #ids = 0;

  constructor(log: Log) {
    this.log = log;
    this.runner = new StoreCommandRunner({ store: log, clock: () => NOW, newId: () => `id-${++this.#ids}` });
  }

  static async begin(): Promise<World> {
    return new World(await Log.open(new MemoryAdapter(), eventCatalog));
  }

  known(user: string, runner = this.runner): Promise<UserEntities> {
    return runner.read(userEntities, entitiesStream(user), user);
  }

  async seen(user: string) {
    const known = await this.known(user);
    return structuredClone({ entities: wholeEntities(known), relationships: wholeRelationships(known) });
  }

  async apply({ user, what }: Operation): Promise<void> {
    if (what.do === 'read') return this.#read(user, what.names);
    const ids = wholeEntities(await this.known(what.of)).map(({ id }) => id);
    const [entityId, other] = [ids[what.one] ?? 'nobody', ids[what.other] ?? 'nobody'];
    const episodeIds = [this.episodes[what.of]?.[what.one] ?? 'none'];
    const merging = { primaryId: entityId, entityId: other };
    const name = `${user} changed ${what.other}`;
    if (what.do === 'change') await this.run(user, changeEntity, { entityId, name });
    if (what.do === 'erase') await this.run(user, eraseEntity, { entityId });
    if (what.do === 'merge') await this.run(user, mergeEntities, merging);
    if (what.do === 'unmerge') await this.run(user, unmergeEntities, merging);
    if (what.do === 'forget') await this.run(user, forgetEpisodes, { episodeIds });
    if (what.do === 'expire') await this.run(user, expireEpisodes, { episodeIds });
    if (what.do === 'forgetAll') await this.run(user, forgetEpisodes, { episodeIds: 'all' });
  }

  /** What is refused is refused: what happened to the others is what is looked at. */
  async run<Input>(userId: string, command: Command<Input, UserEntities>, input: Input): Promise<boolean> {
    try {
      await this.runner.run(command, input, { userId, correlationId: 'test' });
      return true;
    } catch (error) {
      if (!isHarkError(error, 'ENTITY_UNKNOWN', 'BAD_REQUEST')) throw error;
      return false;
    }
  }

  async #read(user: string, named: readonly number[]): Promise<void> {
    const episodeId = `${user}-${this.episodes[user]?.length}`;
    this.episodes[user]?.push(episodeId);
    const names = named.map((n) => `${user} named ${'abcdefghi'[n]}`);
    // Now and then one is also called something that it was not called before.
    const also = (index: number) => (index % 2 === 0 ? [] : [`${user} alias ${this.episodes[user]?.length}`]);
    const entities = names.map((name, index) => found(name, { aliases: also(index) }));
    const relationships = names.map((from) => ({ from, to: names[0] ?? '', type: 'knows', confidence: 0.7 }));
    const { erasures } = await this.known(user);
    await this.run(user, recordEntities, record(episodeId, { entities, relationships, erasures }));
  }
}

const CALLED = [...'abcdefghi']
  .map((letter) => `named ${letter}`)
  .concat(['changed 1', 'alias 0', 'alias 1', 'alias 2', 'alias 3', 'namedd a']);

const history = fc.array(operation, { maxLength: 40 });

describe('entities, whatever happens', () => {
  it.prop([history], { numRuns: 60 })(
    'of one user are seen and changed by nobody else',
    async (operations) => {
      const world = await World.begin();
      for (const one of operations) {
        const other = one.user === 'ann' ? 'ben' : 'ann';
        const before = await world.seen(other);
        await world.apply(one);
        assert.deepEqual(await world.seen(other), before);
        for (const { name, aliases, episodeIds } of (await world.seen(one.user)).entities)
          for (const told of [name, ...aliases, ...episodeIds]) assert.ok(told.startsWith(one.user), told);
      }
    },
  );

  it.prop([history], { numRuns: 60 })('are the same known anew from the log', async (operations) => {
    const world = await World.begin();
    for (const one of operations) await world.apply(one);
    const anew = new StoreCommandRunner({ store: world.log, clock: () => NOW, newId: () => 'unused' });
    for (const user of users) assert.deepEqual(await world.known(user, anew), await world.known(user));
  });

  it.prop([fc.array(operation, { minLength: 20, maxLength: 40 })], { numRuns: 60 })(
    'are found by name as if all were looked up anew',
    async (operations) => {
      const world = await World.begin();
      for (const one of operations) {
        await world.apply(one);
        const known = await world.known(one.user);
        // Another object, of which nothing is known from before.
        const [names, anew] = [new KnownNames(known), new KnownNames(structuredClone(known))];
        for (const called of CALLED.map((word) =>
          found(`${one.user} ${word}`, { aliases: [`${one.user} alias 1`, `${one.user} alias 2`] }),
        ))
          assert.deepEqual(
            [names.byName(called), names.bySpelling(called)],
            [anew.byName(called), anew.bySpelling(called)],
          );
      }
    },
  );

  it.prop([history, place, place], { numRuns: 60 })(
    'are as before when a merge is taken back',
    async (operations, one, other) => {
      const world = await World.begin();
      for (const operation of operations) await world.apply(operation);
      const before = await world.seen('ann');
      const [primaryId, entityId] = [before.entities[one]?.id, before.entities[other]?.id];
      fc.pre(primaryId !== undefined && entityId !== undefined && primaryId !== entityId);
      const merging = { primaryId: primaryId ?? '', entityId: entityId ?? '' };
      assert.ok(await world.run('ann', mergeEntities, merging));
      assert.equal((await world.seen('ann')).entities.length, before.entities.length - 1);
      assert.ok(await world.run('ann', unmergeEntities, merging));
      assert.deepEqual(await world.seen('ann'), before);
    },
  );

  it.prop([history], { numRuns: 30 })(
    'leave no key behind that would open what was erased',
    async (operations) => {
      const world = await World.begin();
      for (const one of operations) await world.apply(one);
      const texts = async (episodeIds?: ReadonlySet<string>) => {
        const told: unknown[] = [];
        for await (const events of world.log.readStream(entitiesStream('ann')))
          for (const { data } of events)
            if (!episodeIds || episodeIds.has(String(Reflect.get(Object(data), 'episodeId'))))
              told.push(data);
        return JSON.stringify(told);
      };
      const gone = world.episodes.ann?.filter((_id, index) => index % 2 === 0) ?? [];
      await world.run('ann', forgetEpisodes, { episodeIds: gone });
      assert.doesNotMatch(await texts(new Set(gone)), /ann named|knows/);
      await world.run('ann', forgetEpisodes, { episodeIds: 'all' });
      assert.doesNotMatch(await texts(), /ann (?:named|changed)|knows/);
    },
  );
});
