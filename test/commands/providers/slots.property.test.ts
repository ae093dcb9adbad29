import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { fc, test } from '@fast-check/vitest';
import { checkedModels } from '../../../src/application/providers/catalogs.ts';
import { autoConfigureSlots, changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import { backupsFor } from '../../../src/commands/providers/choosing/backups.ts';
import { chooseSlots, modes } from '../../../src/commands/providers/choosing/chooseSlots.ts';
import { cloudProviders } from '../../../src/commands/providers/choosing/offer.ts';
import { readSlots } from '../../../src/commands/providers/readSlots.ts';
import { type KnownCatalogs, reviewSlots } from '../../../src/commands/providers/reviewSlots.ts';
import { HarkError } from '../../../src/errors.ts';
import { catalogModel, slotsChanged } from '../../../src/events/providers.ts';
import { resolveSlot } from '../../../src/projections/providers/slots.ts';
import { capabilities, providerIds, slotNames, strategies } from '../../../src/vocabulary.ts';
import { decide, NOW } from './given.ts';

const price = fc.double({ min: 0, max: 100, noNaN: true });
const model = fc.record({
  id: fc.stringMatching(/^[a-z0-9:/.-]{1,12}$/),
  name: fc.string(),
  contextLength: fc.option(fc.nat()),
  maxOutputTokens: fc.option(fc.nat()),
  capabilities: fc.uniqueArray(fc.constantFrom(...capabilities)),
  pricing: fc.option(fc.record({ inputPer1M: price, outputPer1M: price })),
  deprecatedAt: fc.option(
    fc.constantFrom('2020-01-01', '2026-11-21', '2026-12-01', '2030-01-01', 'never', ''),
  ),
});
const catalog = fc.record({
  models: fc.uniqueArray(model, { selector: ({ id }) => id, maxLength: 8 }),
  isCurrent: fc.boolean(),
});
const catalogs: fc.Arbitrary<KnownCatalogs> = fc.record(
  { 'cloud-a': catalog, 'cloud-b': catalog, gateway: catalog, 'local-runner': catalog },
  { requiredKeys: [] },
);
const offer = fc.record({ configured: fc.subarray([...providerIds]), catalogs });
const wish = fc.record({
  mode: fc.constantFrom(...modes),
  provider: fc.constantFrom(...cloudProviders),
  strategy: fc.constantFrom(...strategies),
});
const ref = fc
  .tuple(fc.constantFrom(...providerIds), fc.constantFrom('a', 'b', 'c'))
  .map(([provider, named]) => ({ provider, model: named }));
const slot = fc
  .uniqueArray(ref, { selector: (one) => `${one.provider} ${one.model}`, minLength: 1, maxLength: 6 })
  .map(([first = { provider: 'cloud-a' as const, model: 'a' }, ...fallbacks]) => ({ ...first, fallbacks }));

test.prop([wish, offer])(
  'what auto-configuration chooses may be written, and chat is always among it',
  (wanted, given) => {
    const { slots } = chooseSlots(wanted, given, NOW);
    assert(slots.chat);
    const { issues } = readSlots(slots);
    assert.deepEqual(issues, []);
    const [first] = resolveSlot(slots, 'chat')?.chain ?? [];
    const offered = first && given.catalogs[first.provider]?.models;
    const canChat = offered?.filter(({ capabilities: can }) => can.includes('chat')) ?? [];
    const served = canChat.filter(({ deprecatedAt }) => !/^202(0|6-11)/.test(deprecatedAt ?? ''));
    if (served.length > 0) assert(served.some(({ id }) => id === first?.model));
    assert.deepEqual(reviewSlots(readSlots(slots).changes, given.catalogs, NOW).issues, []);
  },
);

test.prop([slot, offer, fc.constantFrom(...strategies), fc.constantFrom(...slotNames)])(
  'backups come after a chain and never from it, of the providers of the strategy alone, one of each',
  (set, given, ...how) => {
    const [strategy, name] = how;
    const { fallbacks, ...first } = set;
    const chain = [first, ...fallbacks];
    const backups = backupsFor(name, chain, strategy, given, NOW);
    const providers = backups.map(({ provider }) => provider);
    assert.equal(new Set(providers).size, providers.length);
    for (const backup of backups) assert(!chain.some((named) => isDeepStrictEqual(named, backup)));
    if (strategy === 'none' || name === 'embedding') assert.deepEqual(backups, []);
    if (strategy === 'ollama-local') assert(providers.every((one) => one === 'local-runner'));
    if (strategy === 'cloud-backup')
      assert(providers.every((one) => one !== 'local-runner' && given.configured.includes(one)));
  },
);

test.prop([wish, offer])('the same catalog in another order gives the same slots', (wanted, given) => {
  const reversed = Object.fromEntries(
    Object.entries(given.catalogs).map(([id, known]) => [
      id,
      { ...known, models: known.models.toReversed() },
    ]),
  );
  const other = { ...given, catalogs: reversed };
  assert.deepEqual(chooseSlots(wanted, other, NOW).slots, chooseSlots(wanted, given, NOW).slots);
});

const written = fc
  .tuple(slot, fc.dictionary(fc.constantFrom(...slotNames), slot))
  .map(([chat, others]) => ({ ...others, chat }));

test.prop([written])('what is written is what is there, and writing it again is nothing', (slots) => {
  const input = { slots, catalogs: {} };
  const events = decide(changeSlots, [], input);
  assert.deepEqual(
    events.map(({ data }) => slotsChanged.data.parse(data).slots),
    [slots],
  );
  assert.deepEqual(decide(changeSlots, events, input), []);
});

test.prop([wish, offer])('configuring again changes nothing', (wanted, given) => {
  const input = { wish: wanted, offer: given };
  const events = decide(autoConfigureSlots, [], input);
  assert.deepEqual(decide(autoConfigureSlots, events, input), []);
});

const nonsense = fc.oneof(fc.anything(), slot, fc.record({ provider: fc.anything(), model: fc.anything() }));
const anySlots = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...slotNames)), nonsense);

test.prop([anySlots, catalogs])('anything may be sent as slots: it is taken or refused', (slots, known) => {
  try {
    decide(changeSlots, [], { slots, catalogs: known });
  } catch (error) {
    assert(error instanceof HarkError);
  }
});

const sent = fc.array(fc.oneof(fc.anything(), model));

test.prop([fc.constantFrom(...providerIds), sent])(
  'whatever a provider sends, what is kept of it is a catalog',
  (providerId, listed) => {
    const models = checkedModels(providerId, listed);
    if (!models) return;
    assert.equal(models.length > 0, listed.length > 0);
    assert.deepEqual(catalogModel().array().parse(models), models);
    assert.equal(new Set(models.map(({ id }) => id)).size, models.length);
    assert.deepEqual(checkedModels(providerId, listed.toReversed())?.length, models.length);
  },
);
