import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { IntentRouter } from '../../../src/application/chat/intentRouter.ts';
import { SlotIntents } from '../../../src/application/chat/slotIntents.ts';
import { Availability } from '../../../src/application/providers/availability.ts';
import { changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import { fails, says, saysJson, silent, waits } from '../../../src/demo/model/script.ts';
import { isHarkError } from '../../../src/errors.ts';
import type { ModelRef } from '../../../src/events/providers.ts';
import { BuiltInIntents } from '../../../src/gateways/intent/builtInIntents.ts';
import type { SlotName } from '../../../src/vocabulary.ts';
import { BACKUP, CLOUD, LOCAL, Routing } from '../../support/models/routing.ts';

const PATIENT = 20_000;
const { signal } = new AbortController();

async function setSlots(routing: Routing, table: Partial<Record<SlotName, ModelRef>>): Promise<void> {
  await routing.runner.run(changeSlots, { slots: table, strategy: 'none', catalogs: {} }, routing.context);
}

async function routed(test: TestContext, table: Partial<Record<SlotName, ModelRef>>, limitMs = PATIENT) {
  const routing = await Routing.start(test);
  if (table.chat) await setSlots(routing, table);
  const context = { current: { runner: routing.runner, views: routing.views } };
  const bySlot = new SlotIntents({ models: routing.router, clock: () => routing.now, limitMs });
  const router = new IntentRouter({
    builtIn: new BuiltInIntents(),
    bySlot,
    slots: routing.slots,
    availability: new Availability({
      slots: routing.slots,
      clients: routing.clients,
      context,
      clock: () => routing.now,
    }),
  });
  return { routing, router, bySlot };
}

describe('where a text goes', () => {
  it('is told by what is wanted, to the first model of that slot', async (t) => {
    const { router, routing } = await routed(t, { chat: CLOUD, coding: BACKUP });
    const { ms, confidence, ...route } = await router.route('fix the bug in this python function', signal);
    assert.deepEqual(route, { intent: 'code', slot: 'coding', model: BACKUP });
    assert(confidence > 0.5 && ms >= 0);
    assert.equal(routing.models.requests.length, 0);
  });

  it('is chat when the slot is not set', async (t) => {
    const { router } = await routed(t, { chat: CLOUD });
    const { intent, slot, model } = await router.route('write a poem about the sea', signal);
    assert.deepEqual({ intent, slot, model }, { intent: 'creative', slot: 'chat', model: CLOUD });
  });

  it('is chat when nobody of the slot can be asked', async (t) => {
    const unknown: ModelRef = { provider: 'gateway', model: 'no-key-for-it' };
    const { router } = await routed(t, { chat: CLOUD, creative: unknown });
    const { slot, model } = await router.route('write a poem about the sea', signal);
    assert.deepEqual({ slot, model }, { slot: 'chat', model: CLOUD });
  });

  it('is chat, without a model, when there are no slots at all', async (t) => {
    const { router } = await routed(t, {});
    const { slot, model } = await router.route('hello', signal);
    assert.deepEqual({ slot, model }, { slot: 'chat', model: undefined });
  });
});

describe('a small model of this machine', () => {
  const table = { chat: CLOUD, coding: BACKUP, creative: BACKUP, classification: LOCAL };

  it('decides in place of the built-in classifier', async (t) => {
    const { router, routing } = await routed(t, table);
    routing.models.script(saysJson({ intent: 'creative' }), { provider: 'local-runner' });
    const { intent, confidence, slot } = await router.route('fix my python function', signal);
    assert.deepEqual({ intent, confidence, slot }, { intent: 'creative', confidence: 1, slot: 'creative' });
  });

  it('is asked once where it is asked ahead', async (t) => {
    const { router, routing } = await routed(t, table);
    routing.models.script(saysJson({ intent: 'creative' }), { provider: 'local-runner' });
    await router.prepare('fix my python function');
    assert.equal((await router.route('fix my python function', signal)).intent, 'creative');
    assert.equal(routing.models.requests.length, 1);
    await router.route('fix my python function', signal);
    assert.equal(routing.models.requests.length, 2);
  });

  it('leaves the text to chat when it fails or makes no sense', async (t) => {
    const { router, routing } = await routed(t, table);
    for (const answer of [fails('overloaded'), says('no JSON'), saysJson({ intent: 'gardening' })]) {
      routing.models.reset();
      routing.models.script(answer, { provider: 'local-runner' });
      const { intent, confidence, slot } = await router.route('fix my python function', signal);
      assert.deepEqual({ intent, confidence, slot }, { intent: 'none', confidence: 0, slot: 'chat' });
    }
  });

  it('is not waited for beyond its limit, and asked nothing more until that answer has come', async (t) => {
    const { router, routing, bySlot } = await routed(t, table, 50);
    routing.models.script(silent(), { provider: 'local-runner' });
    const { slot, ms } = await router.route('fix my python function', signal);
    assert.equal(slot, 'chat');
    assert(ms < 1_000, `It took ${ms} ms`);
    await routing.models.request(1);
    await assert.rejects(bySlot.classify('again', LOCAL, signal), (error) =>
      isHarkError(error, 'MODEL_TIMEOUT'),
    );
    assert.equal(routing.models.requests.length, 1);
  });

  it('that is too slow three times is left alone for a while, and the built-in classifier decides', async (t) => {
    const { router, routing, bySlot } = await routed(t, table, 30);
    const intentNow = async () => (await router.route('fix my python function', signal)).intent;
    for (const request of [1, 2, 3]) {
      const { promise, resolve } = Promise.withResolvers<void>();
      routing.models.script([says(waits(promise), '{"intent": "creative"}')], { provider: 'local-runner' });
      assert.equal(await intentNow(), 'none');
      await routing.models.request(request);
      resolve();
      await bySlot.rested();
    }
    assert.equal(bySlot.isTooSlow(LOCAL), true);
    assert.equal(await intentNow(), 'code');
    assert.equal(routing.models.requests.length, 3);
    assert.equal(bySlot.isTooSlow(BACKUP), false, 'another model in the slot has its chance');

    routing.now += 10 * 60_000;
    assert.equal(bySlot.isTooSlow(LOCAL), false);
    routing.models.script([silent()], { provider: 'local-runner' });
    assert.equal(await intentNow(), 'none');
    assert.equal(bySlot.isTooSlow(LOCAL), true, 'once more is enough');
  });

  it('is not asked when it is not of this machine', async (t) => {
    const { router, routing } = await routed(t, { ...table, classification: CLOUD });
    assert.equal((await router.route('fix my python function', signal)).intent, 'code');
    assert.equal(routing.models.requests.length, 0);
  });
});
