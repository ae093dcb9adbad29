import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { backupsFor } from '../../../src/commands/providers/choosing/backups.ts';
import { chooseSlots, firstWish, modes } from '../../../src/commands/providers/choosing/chooseSlots.ts';
import { cloudProviders, type Offer } from '../../../src/commands/providers/choosing/offer.ts';
import type { ModelRef } from '../../../src/events/providers.ts';
import { type Strategy, slotNames, strategies } from '../../../src/vocabulary.ts';
import { model, NOW } from './given.ts';

const priced = (inputPer1M: number, outputPer1M: number) => ({ pricing: { inputPer1M, outputPer1M } });
const current = (models: ReturnType<typeof model>[]) => ({ models, isCurrent: true });
const thinks = ['chat', 'tool-use', 'streaming', 'vision', 'thinking', 'coding', 'json'] as const;
const plain = ['chat', 'tool-use', 'streaming', 'vision', 'coding', 'json', 'classification'] as const;

const offer: Offer = {
  configured: ['cloud-a', 'gateway', 'local-runner'],
  catalogs: {
    'cloud-a': current([
      model('opus', { ...priced(5, 25), capabilities: thinks }),
      model('opus-old', { ...priced(15, 75), capabilities: thinks }),
      model('sonnet', { ...priced(3, 15), capabilities: thinks }),
      model('sonnet-ending', { ...priced(3, 15), capabilities: thinks, deprecatedAt: '2026-12-01' }),
      model('haiku', { ...priced(1, 5), capabilities: plain }),
      model('haiku-preview', { ...priced(0.1, 0.5), capabilities: plain }),
      model('gone', { ...priced(0.1, 0.1), capabilities: plain, deprecatedAt: '2026-01-01' }),
    ]),
    gateway: current([
      model('nobody/large', { ...priced(3, 15), capabilities: thinks }),
      model('openai/mini', { ...priced(0.25, 2), capabilities: plain }),
      model('openai/mini:free', { ...priced(0, 0), capabilities: plain }),
    ]),
    'local-runner': current([
      model('llama', { capabilities: ['chat', 'streaming', 'classification', 'json'] }),
      model('nomic', { capabilities: ['embedding'] }),
    ]),
  },
};

describe('auto-configuration', () => {
  test('takes models by what they can and cost', () => {
    const { slots, warnings } = chooseSlots(
      { mode: 'cloud', provider: 'cloud-a', strategy: 'none' },
      offer,
      NOW,
    );
    assert.deepEqual(warnings, []);
    assert.deepEqual(
      Object.entries(slots).map(([name, { model: id, fallbacks }]) => [name, id, fallbacks.length]),
      [
        ['chat', 'sonnet', 0],
        ['reasoning', 'opus', 0],
        ['coding', 'opus', 0],
        ['tool_calling', 'sonnet', 0],
        ['creative', 'sonnet', 0],
        ['consolidation', 'sonnet', 0],
        ['summarization', 'haiku', 0],
        ['extraction', 'haiku', 0],
        ['classification', 'haiku', 0],
      ],
    );
  });

  test('backs a cloud with the other configured clouds, known makers first', () => {
    const { slots } = chooseSlots(
      { mode: 'cloud', provider: 'cloud-a', strategy: 'cloud-backup' },
      offer,
      NOW,
    );
    assert.deepEqual(slots.classification?.fallbacks, [{ provider: 'gateway', model: 'openai/mini' }]);
    assert.equal(slots.embedding, undefined);
  });

  test('keeps small work and embeddings here in hybrid', () => {
    const { slots } = chooseSlots(
      { mode: 'hybrid', provider: 'cloud-a', strategy: 'ollama-local' },
      offer,
      NOW,
    );
    assert.deepEqual(slots.chat, {
      provider: 'cloud-a',
      model: 'sonnet',
      fallbacks: [{ provider: 'local-runner', model: 'llama' }],
    });
    assert.equal(slots.classification?.provider, 'local-runner');
    assert.deepEqual(slots.embedding, { provider: 'local-runner', model: 'nomic', fallbacks: [] });
  });

  for (const mode of modes)
    for (const provider of cloudProviders)
      for (const strategy of strategies)
        test(`sets chat in ${mode} with ${provider} and ${strategy}, whatever is there`, () => {
          for (const given of [offer, { configured: [], catalogs: {} }]) {
            const { slots } = chooseSlots({ mode, provider, strategy }, given, NOW);
            assert.equal(slots.chat?.provider, mode === 'local' ? 'local-runner' : provider);
            if (mode === 'local' && strategy !== 'cloud-backup')
              for (const slot of Object.values(slots))
                for (const { provider: asked } of [slot, ...slot.fallbacks])
                  assert.equal(asked, 'local-runner');
          }
        });
});

describe('who is asked after a chain when credit is used up', () => {
  const opus = { provider: 'cloud-a', model: 'opus' } as const;
  const others = { ...offer, configured: ['cloud-a', 'cloud-b', 'gateway', 'local-runner'] } as const;

  test('is chosen for each slot as auto-configuration chooses', () => {
    for (const strategy of strategies) {
      const { slots } = chooseSlots({ mode: 'cloud', provider: 'cloud-a', strategy }, others, NOW);
      for (const name of slotNames) {
        const { fallbacks, ...first } = slots[name] ?? { ...opus, fallbacks: [] };
        if (slots[name]) assert.deepEqual(backupsFor(name, [first], strategy, others, NOW), fallbacks, name);
      }
    }
  });

  test('is by the strategy a hosted provider that is not in the chain, the local runner, or nobody', () => {
    const mini = { provider: 'gateway', model: 'openai/mini' } as const;
    const llama = { provider: 'local-runner', model: 'llama' } as const;
    const backups = (strategy: Strategy, ...chain: ModelRef[]) =>
      backupsFor('classification', chain, strategy, others, NOW);
    assert.deepEqual(backups('cloud-backup', opus), [mini]);
    assert.deepEqual(backups('cloud-backup', opus, { ...mini, model: 'openai/other' }), []);
    assert.deepEqual(backups('ollama-local', opus), [llama]);
    assert.deepEqual(backups('ollama-local', opus, llama), []);
    assert.deepEqual(backups('none', opus), []);
    assert.deepEqual(backupsFor('maintenance', [opus], 'ollama-local', others, NOW), [llama]);
  });

  test('is nobody for the model that embeds', () => {
    const embeds = { provider: 'cloud-a', model: 'e' } as const;
    assert.deepEqual(backupsFor('embedding', [embeds], 'ollama-local', others, NOW), []);
  });
});

describe('a first start', () => {
  test('takes the first cloud that has models, backed by what else is there', () => {
    assert.deepEqual(firstWish(offer), { mode: 'cloud', provider: 'cloud-a', strategy: 'cloud-backup' });
    const { 'cloud-a': _, ...others } = offer.catalogs;
    assert.equal(firstWish({ ...offer, catalogs: others })?.provider, 'gateway');
    assert.deepEqual(firstWish({ ...offer, configured: ['gateway', 'local-runner'] }), {
      mode: 'cloud',
      provider: 'gateway',
      strategy: 'ollama-local',
    });
  });

  test('takes the local runner alone when that is all, and nothing when nothing is there', () => {
    assert.equal(firstWish({ ...offer, configured: ['local-runner'] })?.mode, 'local');
    assert.equal(firstWish({ configured: ['local-runner'], catalogs: {} }), undefined);
  });
});
