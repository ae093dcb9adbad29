import assert from 'node:assert/strict';
import { test } from 'vitest';
import { StateInMemory } from '../../src/application/providers/stateInMemory.ts';
import { exhaustBilling, recordFailure } from '../../src/commands/providers/billing.ts';
import { refreshCatalog } from '../../src/commands/providers/catalog.ts';
import { changeSlots } from '../../src/commands/providers/changeSlots.ts';
import { changeSettings } from '../../src/commands/settings/changeSettings.ts';
import { billing } from '../../src/projections/providers/billing.ts';
import { catalogs } from '../../src/projections/providers/catalogs.ts';
import { condition } from '../../src/projections/providers/condition.ts';
import { slots } from '../../src/projections/providers/slots.ts';
import { runtimeValues } from '../../src/projections/settings/runtimeValues.ts';
import { openLogInMemory } from '../../src/store/memory/log.ts';
import { model, NOW } from '../commands/providers/given.ts';

const context = { userId: '', correlationId: 'test' };

test('what the process keeps stays small, and nothing of it is lost', async () => {
  let now = NOW;
  let told = 0;
  const publish = (events: readonly unknown[]) => {
    told += events.length;
  };
  const state = await StateInMemory.start({
    clock: () => now,
    openLog: openLogInMemory,
    publish,
    mostEvents: 20,
  });
  const { runner, views } = state.current;
  const chat = { provider: 'cloud-a', model: 'a', fallbacks: [] } as const;
  const input = { providerId: 'cloud-a', credential: 'key-1', model: null } as const;
  await runner.run(changeSlots, { slots: { chat }, strategy: 'none', catalogs: {} }, context);
  await runner.run(exhaustBilling, input, context);
  now += 600_000;
  await runner.run(exhaustBilling, input, context);
  await runner.run(refreshCatalog, { providerId: 'cloud-b', latencyMs: 1, models: [model('b')] }, context);
  const failure = { providerId: 'cloud-a', kind: 'billing', model: null, status: 402 } as const;
  await runner.run(recordFailure, failure, context);
  const seen = () =>
    structuredClone({
      slots: views.view(slots),
      exhaustions: views.view(billing).byProvider['cloud-a']?.exhaustions,
      catalogs: views.view(catalogs),
      condition: views.view(condition),
    });
  const before = seen();
  const steps = Array.from({ length: 100 }, (_, index) => 1 + (index % 50));
  await Promise.all(
    steps.map((agentMaxSteps) => runner.run(changeSettings, { changes: { agentMaxSteps } }, context)),
  );
  for (const agentMaxSteps of steps)
    await runner.run(changeSettings, { changes: { agentMaxSteps } }, context);
  assert.deepEqual(seen(), before);
  assert.deepEqual(views.view(runtimeValues).values, { agentMaxSteps: 50 });
  assert.equal(told, 5 + 200, 'what is kept is told once');
  // The one that was last may be on its way still.
  await runner.run(changeSettings, { changes: { agentMaxSteps: 7 } }, context);
  assert.ok(state.size <= 30, `${state.size} events`);
  // The second try within a minute tells nothing new: the commands know what they knew.
  await runner.run(exhaustBilling, input, context);
  assert.equal(told, 5 + 201);
});
