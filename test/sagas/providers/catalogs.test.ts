import assert from 'node:assert/strict';
import { asyncScheduler, EMPTY, firstValueFrom, from, lastValueFrom, of } from 'rxjs';
import { describe, test } from 'vitest';
import { catalogRefreshRequested } from '../../../src/events/providers.ts';
import { ModelFailure } from '../../../src/gateways/models/failure.ts';
import { keepCatalogs, refreshCatalogs } from '../../../src/sagas/providers/catalogs.ts';
import { ProcessSagas } from '../../../src/sagas/runtime.ts';
import type { Reaction } from '../../../src/sagas/saga.ts';
import { World } from '../../application/providers/world.ts';
import { model } from '../../commands/providers/given.ts';
import { answered, timedReaction } from '../../support/sagas.ts';
import { playDue } from '../../support/virtualTime.ts';

const HOUR = 3_600_000;

function ids(models: readonly { id: string }[] | undefined): string[] | undefined {
  return models?.map(({ id }) => id);
}

describe('catalogs', () => {
  test('are fetched when they are asked for, and again when they are old or somebody insists', async (t) => {
    const world = await World.start(t);
    const gateway = world.has('cloud-a', model('b'), model('a'));
    assert.deepEqual(ids((await world.catalogs.of('cloud-a', { refresh: false }))?.models), ['a', 'b']);
    await world.catalogs.all({ refresh: false });
    assert.equal(gateway.asked, 1);
    await world.catalogs.all({ refresh: true });
    assert.equal(gateway.asked, 2);
    world.now += HOUR;
    await world.catalogs.all({ refresh: false });
    assert.equal(gateway.asked, 3);
    const happened = (await world.events()).map(({ type, data }) => [type, data]);
    const [came, first, second] = happened;
    assert.equal(came?.[0], 'provider.initialized');
    assert.equal(happened.length, 4);
    assert(JSON.stringify(first).includes('"models"'));
    assert(!JSON.stringify(second).includes('"models"'));
    assert.match(
      await world.metrics.render(),
      /service_provider_catalog_fetch_total\{provider="cloud-a",status="success"\} 3\n/,
    );
    assert.match(
      await world.metrics.render(),
      /service_provider_catalog_models_count\{provider="cloud-a"\} 2\n/,
    );
  });

  test('are fetched once for all who ask at the same time', async (t) => {
    const world = await World.start(t);
    const gateway = world.has('cloud-a', model('a'));
    await Promise.all([1, 2, 3, 4].map(() => world.catalogs.all({ refresh: true })));
    assert.equal(gateway.asked, 1);
  });

  const failures = {
    'cannot be reached': async () => {
      throw new ModelFailure('network', { providerId: 'cloud-a' });
    },
    'fails in a way that nobody knows': async () => {
      throw new TypeError('What?');
    },
    hangs: () => new Promise<never>(() => undefined),
    'gives nothing': async () => [],
    'gives too much': async () => Array.from({ length: 5_001 }, (_, at) => model(`m${at}`)),
    'gives what is no model': async () => [{ ...model(''), id: '' }],
  };
  for (const [what, lists] of Object.entries(failures))
    test(`of a provider that ${what} stay what they were, and others are not held up`, async (t) => {
      const world = await World.start(t);
      const gateway = world.has('cloud-a', model('a'));
      world.has('gateway', model('g'));
      await world.catalogs.all({ refresh: false });
      gateway.lists = lists;
      world.now += HOUR;
      const found = await world.catalogs.all({ refresh: false });
      assert.deepEqual(
        found.map(({ providerId, models, isCurrent }) => [providerId, ids(models), isCurrent]),
        [
          ['cloud-a', ['a'], false],
          ['gateway', ['g'], true],
        ],
      );
      const types = (await world.events()).map(({ type }) => type);
      assert.equal(types.filter((type) => type === 'provider.failed').length, 1);
      assert.match(
        await world.metrics.render(),
        /service_provider_catalog_fetch_total\{provider="cloud-a",status="failure"\} 1\n/,
      );
    });

  test('of a provider that failed are not asked for again at once', async (t) => {
    const world = await World.start(t);
    const gateway = world.has('cloud-a');
    await world.catalogs.all({ refresh: false });
    await world.catalogs.all({ refresh: false });
    assert.equal(gateway.asked, 1);
    world.now += 30_000;
    await world.catalogs.all({ refresh: false });
    assert.equal(gateway.asked, 2);
  });

  test('are asked for with a new key although the old one is still being tried', async (t) => {
    const world = await World.start(t);
    const gateway = world.has('cloud-a');
    const old = Promise.withResolvers<never>();
    gateway.lists = () => old.promise;
    const before = world.catalogs.of('cloud-a', { refresh: true });
    await world.clientFor('cloud-a');
    world.credential = 'key-2';
    gateway.lists = async () => [model('a')];
    assert.deepEqual(ids((await world.catalogs.of('cloud-a', { refresh: true }))?.models), ['a']);
    old.reject(new ModelFailure('key', { providerId: 'cloud-a', status: 401 }));
    assert.deepEqual(ids((await before)?.models), ['a']);
    assert(!(await world.events()).some(({ type }) => type === 'provider.failed'));
  });

  test('outlive the process', async (t) => {
    const before = await World.start(t);
    before.has('cloud-a', model('a'));
    await before.catalogs.all({ refresh: false });
    const afterwards = await World.start(t, before.store);
    const gateway = afterwards.has('cloud-a');
    assert.deepEqual(ids((await afterwards.catalogs.of('cloud-a', { refresh: false }))?.models), ['a']);
    assert.equal(gateway.asked, 0);
  });

  test('may be empty for a local runner; one that was never there is no failure', async (t) => {
    const world = await World.start(t);
    const runner = world.has('local-runner');
    runner.lists = failures['cannot be reached'];
    assert.deepEqual(await world.catalogs.all({ refresh: true }), []);
    assert.deepEqual(await world.events(), []);
    runner.lists = async () => [];
    assert.deepEqual((await world.catalogs.all({ refresh: true }))[0]?.models, []);
  });

  test('are fetched when an event asks for it: one, or all', async (t) => {
    const world = await World.start(t);
    const asked = [world.has('cloud-a', model('a')), world.has('cloud-b', model('b'))];
    const saga = refreshCatalogs(world.catalogs, world.slots);
    const fire = async (data: object) => {
      const events = [{ type: catalogRefreshRequested.type, data }];
      const place = { stream: 'fired', expected: 'any', at: world.now, userId: null } as const;
      await world.store.append({ ...place, events, correlationId: 'test', causationId: null });
      const event = (await world.events()).findLast(({ type }) => type === catalogRefreshRequested.type);
      assert(event);
      const reaction: Reaction = {
        run: (command, input) => world.runner.run(command, input, world.context),
        failures: 0,
        signal: t.signal,
      };
      await answered(saga, event, reaction);
      return asked.map((gateway) => gateway.asked);
    };
    await world.slots.settle();
    assert.deepEqual(await fire({ providerId: 'cloud-b', by: 'a schedule' }), [1, 2]);
    assert.deepEqual(await fire({}), [2, 3]);
    assert.deepEqual(await fire({ providerId: 7 }), [2, 3]);
  });
});

describe('the keeper of catalogs', () => {
  const keeping = (world: World, refreshes = true) =>
    keepCatalogs({
      clients: world,
      catalogs: world.catalogs,
      slots: world.slots,
      refreshes: () => refreshes,
      random: () => 0.5,
    });
  const look = async (world: World, refreshes = true) => {
    const saga = keeping(world, refreshes);
    const found = firstValueFrom(saga.on(asyncScheduler, () => of(true)));
    await lastValueFrom(from(saga.react(await found, timedReaction())));
  };

  test('fetches what is old and sets the first slots, unless it is told not to fetch', async (t) => {
    const world = await World.start(t);
    const gateway = world.has('cloud-a', model('a'));
    await look(world);
    assert.equal(world.slots.view().slots.chat?.model, 'a');
    world.now += HOUR;
    await look(world, false);
    assert.equal(gateway.asked, 1);
    await look(world);
    assert.equal(gateway.asked, 2);
  });

  test('looks at once, and then about every minute', async (t) => {
    const world = await World.start(t);
    playDue('a 59s 999ms a 59s 999ms a 29s 999ms |', {
      saga: () => keeping(world),
      tell: (due) => (due.length > 0 ? 'a' : 'b'),
      answer: () => EMPTY,
      stopAt: 150_000,
    });
  });

  test('has all who may answer in a chat ready, and nobody else', async (t) => {
    const world = await World.start(t);
    const [first, second, other] = [
      world.has('cloud-a', model('a')),
      world.has('gateway', model('g')),
      world.has('cloud-b', model('b')),
    ];
    const fallbacks = [{ provider: 'gateway', model: 'g' }] as const;
    const slots = {
      chat: { provider: 'cloud-a', model: 'a', fallbacks },
      creative: { provider: 'cloud-b', model: 'b', fallbacks: [] },
    };
    await world.slots.change({ slots }, world.context);
    await look(world, false);
    assert.ok(first.prepared > 0);
    assert.ok(second.prepared > 0);
    assert.equal(other.prepared, 0);
  });

  test('goes on when a client cannot be had', async (t) => {
    const world = await World.start(t);
    const gateway = world.has('cloud-a', model('a'));
    gateway.prepare = () => Promise.reject(new Error('no SDK'));
    await look(world);
    assert.equal(world.slots.view().slots.chat?.model, 'a');
  });

  test('stops although a provider hangs', async (t) => {
    const world = await World.start(t);
    const hangs = world.has('cloud-a');
    const begun = Promise.withResolvers<void>();
    hangs.lists = () => {
      begun.resolve();
      return new Promise(() => undefined);
    };
    const onFailure = (_saga: string, error: unknown) => assert.fail(String(error));
    const sagas = new ProcessSagas({ sagas: [keeping(world)], time: asyncScheduler, onFailure });
    sagas.start();
    await begun.promise;
    await sagas.stop();
  });
});
