import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { changeSlots, configureFirstSlots, resetSlots } from '../../../src/commands/providers/changeSlots.ts';
import { readSlots } from '../../../src/commands/providers/readSlots.ts';
import { reviewSlots } from '../../../src/commands/providers/reviewSlots.ts';
import { HarkError } from '../../../src/errors.ts';
import { isEvent } from '../../../src/events/definition.ts';
import { type ModelRef, type SlotTable, slotsChanged } from '../../../src/events/providers.ts';
import { resolveSlot } from '../../../src/projections/providers/slots.ts';
import { World } from '../../application/providers/world.ts';
import { decide, model, NOW } from './given.ts';

const a = { provider: 'cloud-a', model: 'm' } as const;
const b = { provider: 'cloud-b', model: 'n' } as const;

function changed(slots: SlotTable) {
  return { type: slotsChanged.type, data: { slots, strategy: 'cloud-backup', cause: 'written' } };
}

function refusal(slots: Record<string, unknown>, given: Parameters<typeof decide>[1] = [], catalogs = {}) {
  try {
    decide(changeSlots, given, { slots, catalogs });
  } catch (error) {
    assert(error instanceof HarkError);
    assert.equal(error.code, 'VALIDATION_FAILED');
    return error.body.issues;
  }
  return undefined;
}

describe('a change of slots', () => {
  const set = changed({ chat: { ...a, fallbacks: [b] } });

  test('leaves alone what it does not name, and takes away what is null', () => {
    assert.deepEqual(decide(changeSlots, [], { slots: { chat: { ...a, fallbacks: [b] } }, catalogs: {} }), [
      set,
    ]);
    const both = decide(changeSlots, [set], { slots: { coding: b }, catalogs: {} });
    assert.deepEqual(both, [changed({ chat: { ...a, fallbacks: [b] }, coding: { ...b, fallbacks: [] } })]);
    const back = decide(changeSlots, [set, ...both], { slots: { coding: null }, catalogs: {} });
    assert.deepEqual(back, [set]);
  });

  test('that changes nothing is no event', () => {
    assert.deepEqual(
      decide(changeSlots, [set], { slots: { chat: { ...a, fallbacks: [b] } }, catalogs: {} }),
      [],
    );
    assert.deepEqual(decide(changeSlots, [set], { slots: { coding: null }, catalogs: {} }), []);
  });

  const refused: Record<string, Record<string, unknown>> = {
    'an unknown slot': { chat: a, thinking: a },
    'an unknown provider': { chat: { provider: 'cloud-c', model: 'm' } },
    'a model without a name': { chat: { provider: 'cloud-a', model: ' ' } },
    'no chat': { chat: null },
    'a first change without chat': { coding: a },
    'a chain that comes back to its begin': { chat: { ...a, fallbacks: [b, a] } },
    'a chain with one model twice': { chat: { ...a, fallbacks: [b, b] } },
    'a chain that is too long': {
      chat: { ...a, fallbacks: [1, 2, 3, 4, 5, 6].map((at) => ({ ...b, model: `n${at}` })) },
    },
    'fallbacks that are no list': { chat: { ...a, fallbacks: b } },
    'a slot that is no object': { chat: 'cloud-a/m' },
    'a key of every object': { chat: a, constructor: a },
  };
  for (const [what, slots] of Object.entries(refused))
    test(`is refused for ${what}`, () => assert(refusal(slots)));

  test('is refused as a whole, and every fault is named', () => {
    assert.deepEqual(refusal({ chat: null, coding: { provider: 'x', model: 'm' }, x: a }, [set]), [
      { path: ['slots', 'chat'], message: 'chat is required and cannot be removed' },
      {
        path: ['slots', 'coding', 'provider'],
        message:
          'Unknown provider; choose from cloud-a, cloud-b, gateway, local-runner, anthropic, openai, openrouter, ollama',
      },
      {
        path: ['slots', 'x'],
        message:
          'Unknown slot; choose from chat, reasoning, coding, tool_calling, creative, consolidation, maintenance, ' +
          'summarization, extraction, classification, embedding',
      },
    ]);
  });
});

describe('a reset', () => {
  const set = changed({ chat: { ...a, fallbacks: [b] }, coding: { ...b, fallbacks: [] } });

  test('with nothing to choose from keeps chat, and sets nothing else', () => {
    const reset = decide(resetSlots, [set], { configure: undefined });
    const data = { slots: { chat: { ...a, fallbacks: [b] } }, strategy: 'cloud-backup', cause: 'reset' };
    assert.deepEqual(reset, [{ type: slotsChanged.type, data }]);
    assert.deepEqual(decide(resetSlots, [set, ...reset], { configure: undefined }), []);
    assert.deepEqual(decide(resetSlots, [], { configure: undefined }), []);
  });
});

describe('in the first moment of a process', () => {
  test('a change waits for the slots that are being set', async (t) => {
    const world = await World.start(t);
    world.has('cloud-a', model('a'));
    await world.slots.change({ slots: { creative: { ...a, model: 'other' } } }, world.context);
    const { chat, creative } = world.slots.view().slots;
    assert.deepEqual([chat?.model, creative?.model], ['a', 'other']);
  });

  test('a change that sets chat keeps what it says, and the other slots are set beside it', async (t) => {
    const world = await World.start(t);
    world.has('cloud-a', model('a'));
    const own = { chat: { ...a, model: 'mine' }, creative: null };
    await world.slots.change({ slots: own, strategy: 'none' }, world.context);
    await world.slots.settle();
    const { slots, strategy } = world.slots.view();
    assert.deepEqual(
      [slots.chat?.model, slots.coding?.model, slots.creative, strategy],
      ['mine', 'a', undefined, 'none'],
    );
  });

  test('slots that were chosen once are not chosen again, whatever was unset since', () => {
    const offer = {
      configured: ['cloud-a'],
      catalogs: { 'cloud-a': { models: [model('a')], isCurrent: true } },
    } as const;
    const wish = { mode: 'cloud', provider: 'cloud-a', strategy: 'cloud-backup' } as const;
    const written = { slots: new Set<string>(), strategy: false };
    const first = decide(configureFirstSlots, [], { wish, offer, written });
    assert.equal(first.length, 1);
    const unset = decide(changeSlots, first, { slots: { coding: null }, catalogs: {} });
    assert.equal(unset.length, 1);
    assert.deepEqual(decide(configureFirstSlots, [...first, ...unset], { wish, offer, written }), []);
  });

  test('what had to be guessed without a catalog is chosen again by one that is there, unless somebody wrote', async (t) => {
    const unreachable = () => Promise.reject(new TypeError('fetch failed'));
    const set = async (world: World) => {
      const { chat, coding } = world.slots.view().slots;
      const causes = (await world.events()).flatMap((one) =>
        isEvent(one, slotsChanged) ? [one.data.cause] : [],
      );
      return [chat?.model, coding?.model, ...causes];
    };
    const guessing = async () => {
      const world = await World.start(t);
      const gateway = world.has('cloud-a', model('a'));
      const { lists } = gateway;
      gateway.lists = unreachable;
      await world.slots.settle();
      await world.slots.revise();
      assert.deepEqual(await set(world), ['claude-sonnet-4-5', undefined, 'guessed']);
      gateway.lists = lists;
      world.now += 60_000;
      return world;
    };
    const world = await guessing();
    await world.slots.settle();
    assert.deepEqual(await set(world), ['claude-sonnet-4-5', undefined, 'guessed']);
    for (let times = 0; times < 2; times++) await world.slots.revise();
    assert.deepEqual(await set(world), ['a', 'a', 'guessed', 'auto-configured']);

    const other = await guessing();
    const same = other.slots.view().slots.chat;
    await other.slots.change({ slots: { chat: same }, strategy: 'none' }, other.context);
    await other.slots.revise();
    assert.deepEqual(await set(other), ['claude-sonnet-4-5', undefined, 'guessed', 'written']);
  });

  test('a change that sets chat waits for nobody', async (t) => {
    const world = await World.start(t);
    world.has('cloud-b').lists = () => new Promise(() => {});
    await world.slots.change({ slots: { chat: a } }, world.context);
    assert.deepEqual(world.slots.view().slots, { chat: { ...a, fallbacks: [] } });
  });
});

describe('slots held against the catalog', () => {
  const review = (ref: ModelRef, deprecatedAt: string | null, isCurrent = true) => {
    const catalogs = { 'cloud-a': { models: [model('m', { deprecatedAt })], isCurrent } };
    const { changes } = readSlots({ chat: ref });
    const { warnings, issues } = reviewSlots(changes, catalogs, NOW);
    return { warned: warnings.map(({ kind }) => kind), refused: issues.length };
  };

  const cases: [string, ModelRef, string | null, boolean, string[], number][] = [
    ['a listed model', a, null, true, [], 0],
    ['an unknown model', { ...a, model: 'x' }, null, true, ['model-unknown'], 0],
    ['one that ends tomorrow', a, '2026-11-22', true, ['model-deprecated'], 0],
    ['one that ends today', a, '2026-11-21', true, [], 1],
    ['one that ends later today', a, '2026-11-21T23:00:00Z', true, [], 1],
    ['one that has ended', a, '2025-01-01', true, [], 1],
    ['one whose end is no date', a, 'soon', true, [], 0],
    ['one whose end lies in another age', a, '+012026-01-01T00:00:00Z', true, ['model-deprecated'], 0],
    ['a provider without a catalog', b, null, true, ['catalog-unavailable'], 0],
    ['an old catalog', a, null, false, ['catalog-unavailable'], 0],
    ['one that has ended, by an old catalog', a, '2025-01-01', false, [], 1],
  ];
  for (const [what, ref, deprecatedAt, isCurrent, warned, refused] of cases)
    test(what, () => assert.deepEqual(review(ref, deprecatedAt, isCurrent), { warned, refused }));

  test('fallbacks too', () => {
    const catalogs = { 'cloud-b': { models: [model('n', { deprecatedAt: '2020-01-01' })], isCurrent: true } };
    assert.deepEqual(refusal({ chat: { ...a, fallbacks: [b] } }, [], catalogs), [
      {
        path: ['slots', 'chat', 'fallbacks', 0, 'model'],
        message: 'cloud-b has not served n since 2020-01-01',
      },
    ]);
  });

  test('the local runner means the newest when no tag is named', () => {
    const catalogs = { 'local-runner': { models: [model('llama3.2:latest')], isCurrent: true } };
    const { changes } = readSlots({ chat: { provider: 'local-runner', model: 'llama3.2' } });
    assert.deepEqual(reviewSlots(changes, catalogs, NOW).warnings, []);
  });
});

describe('a slot that is not set', () => {
  const chat = { ...a, fallbacks: [b] };
  const legacy = { SERVICE_CONSOLIDATION_PROVIDER: 'cloud-b', SERVICE_CONSOLIDATION_MODEL: 'old' };

  test('falls back to chat', () => {
    assert.deepEqual(resolveSlot({ chat }, 'coding'), { from: 'chat', chain: [a, b] });
    assert.equal(resolveSlot({}, 'coding'), undefined);
  });

  test('maintenance falls back to consolidation, that to the legacy variables, and those to chat', () => {
    const consolidation = { ...b, fallbacks: [] };
    assert.equal(resolveSlot({ chat, consolidation }, 'maintenance', legacy)?.from, 'consolidation');
    assert.deepEqual(resolveSlot({ chat }, 'maintenance', legacy), {
      from: 'legacy',
      chain: [{ provider: 'cloud-b', model: 'old' }],
    });
    assert.equal(resolveSlot({ chat }, 'consolidation', legacy)?.from, 'legacy');
    assert.equal(resolveSlot({ chat }, 'maintenance')?.from, 'chat');
    const unknown = { ...legacy, SERVICE_CONSOLIDATION_PROVIDER: 'nobody' };
    assert.equal(resolveSlot({ chat }, 'consolidation', unknown)?.from, 'chat');
    assert.equal(resolveSlot({ chat }, 'summarization', legacy)?.from, 'chat');
  });

  test('nothing stands in for the model that embeds', () => {
    assert.equal(resolveSlot({ chat }, 'embedding'), undefined);
  });
});
