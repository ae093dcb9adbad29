import assert from 'node:assert/strict';
import { test } from 'vitest';
import { Accounts, BillingStatus } from '../../../src/application/providers/billingStatus.ts';
import { exhaustBilling, recordFailure } from '../../../src/commands/providers/billing.ts';
import { initializeProvider } from '../../../src/commands/providers/catalog.ts';
import { changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import type { ModelRef } from '../../../src/events/providers.ts';
import type { Strategy } from '../../../src/vocabulary.ts';
import { model } from '../../commands/providers/given.ts';
import { World } from './world.ts';

const backup = { provider: 'cloud-b', model: 'b' } as const;

async function startedWith(
  t: Parameters<typeof World.start>[0],
  strategy: Strategy,
  ...fallbacks: ModelRef[]
): Promise<World> {
  const world = await World.start(t);
  for (const provider of ['cloud-a', 'cloud-b', 'local-runner'] as const) {
    world.has(provider, model('m'));
    await world.catalogs.of(provider, { refresh: true });
  }
  const slots = { chat: { provider: 'cloud-a', model: 'a', fallbacks } };
  await world.runner.run(changeSlots, { slots, strategy, catalogs: {} }, world.context);
  return world;
}

const statusOf = (world: World) => world.availability.statusOf('chat');
const exhausted = { providerId: 'cloud-a', credential: 'key-1', model: null } as const;

for (const [strategy, active] of [
  ['cloud-backup', { provider: 'cloud-b', model: 'm' }],
  ['ollama-local', { provider: 'local-runner', model: 'm' }],
  ['none', undefined],
] as const) {
  test(`with ${strategy}, used-up credit leads first along the chain`, async (t) => {
    const world = await startedWith(t, strategy, backup);
    assert.deepEqual(await statusOf(world), { state: 'up' });
    await world.runner.run(exhaustBilling, exhausted, world.context);
    const down = { state: 'fallback', reason: 'billing exhausted', active: backup };
    assert.deepEqual(await statusOf(world), down);
    world.credential = 'key-2';
    assert.deepEqual(await statusOf(world), { state: 'up' });
  });

  test(`with ${strategy}, used-up credit leads after the chain to what the strategy says`, async (t) => {
    const world = await startedWith(t, strategy);
    await world.runner.run(exhaustBilling, exhausted, world.context);
    const down = { reason: 'billing exhausted' };
    assert.deepEqual(
      await statusOf(world),
      active ? { state: 'fallback', ...down, active } : { state: 'down', ...down },
    );
  });
}

test('a failure that is not about credit leads to nobody but the chain', async (t) => {
  const world = await startedWith(t, 'cloud-backup');
  const failure = { providerId: 'cloud-a', kind: 'network', model: 'a', status: null } as const;
  await world.runner.run(recordFailure, failure, world.context);
  assert.deepEqual(await statusOf(world), { state: 'down', reason: 'unreachable' });
});

test('a failure counts for five minutes, or until an answer', async (t) => {
  const world = await startedWith(t, 'none', backup);
  const failure = { providerId: 'cloud-a', kind: 'network', model: 'a', status: null } as const;
  const down = { state: 'fallback', reason: 'unreachable', active: backup };
  await world.runner.run(recordFailure, failure, world.context);
  assert.deepEqual(await statusOf(world), down);
  await world.runner.run(initializeProvider, { providerId: 'cloud-a', instanceId: 'x' }, world.context);
  assert.deepEqual(await statusOf(world), { state: 'up' });
  await world.runner.run(recordFailure, failure, world.context);
  assert.deepEqual(await statusOf(world), down);
  world.now += 300_000;
  assert.deepEqual(await statusOf(world), { state: 'up' });
  await world.runner.run(recordFailure, { ...failure, kind: 'key', status: 401 }, world.context);
  await world.catalogs.of('cloud-a', { refresh: true });
  assert.equal((await statusOf(world)).reason, 'key refused', 'a catalog may be had without a key');
  await world.runner.run(recordFailure, failure, world.context);
  await world.catalogs.of('cloud-a', { refresh: true });
  assert.deepEqual(await statusOf(world), { state: 'up' });
});

test('a model that is not known, and a request that was wrong, are no matter to other models', async (t) => {
  const world = await startedWith(t, 'none', backup);
  const failure = { providerId: 'cloud-a', model: 'another', status: 404 } as const;
  await world.runner.run(recordFailure, { ...failure, kind: 'model-unknown' }, world.context);
  assert.deepEqual(await statusOf(world), { state: 'up' });
  await world.runner.run(recordFailure, { ...failure, kind: 'model-unknown', model: 'a' }, world.context);
  assert.equal((await statusOf(world)).reason, 'model unknown');
  await world.runner.run(recordFailure, { ...failure, kind: 'bad-request', model: 'a' }, world.context);
  assert.deepEqual(await statusOf(world), { state: 'up' });
});

test('a provider without a key is not configured', async (t) => {
  const world = await startedWith(t, 'none', backup);
  world.gateways.delete('cloud-a');
  assert.equal((await statusOf(world)).reason, 'not configured');
});

test('the status of billing tells what is used up, what is left and who takes over', async (t) => {
  const world = await startedWith(t, 'cloud-backup');
  const { availability, runner, context } = world;
  const current = { runner: world.runner, views: world.views };
  const accounts = new Accounts(world, () => world.now);
  const status = new BillingStatus({ clients: world, context: { current }, accounts, availability });
  const gateway = world.has('cloud-a');
  gateway.money = { creditBalance: 0.1, creditCurrency: 'USD' };
  const input = { providerId: 'cloud-a', credential: 'key-1' } as const;
  await runner.run(exhaustBilling, { ...input, model: null }, context);
  await runner.run(exhaustBilling, { ...input, model: 'dear' }, context);
  assert.deepEqual(await status.of('cloud-a'), {
    exhausted: true,
    models: ['dear'],
    since: world.now,
    balance: 0.1,
    currency: 'USD',
    billingUrl: 'https://console.anthropic.com/settings/billing',
    fallbackActive: true,
    fallbackTarget: 'cloud-b',
  });
  await status.of('cloud-a');
  assert.equal(gateway.asked, 1, 'who polls does not poll the provider');
  await status.retry('cloud-a', context);
  const { exhausted, fallbackActive } = await status.of('cloud-a');
  assert.deepEqual({ exhausted, fallbackActive }, { exhausted: false, fallbackActive: false });
});
