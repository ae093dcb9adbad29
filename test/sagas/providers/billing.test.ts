import assert from 'node:assert/strict';
import { EMPTY, from, lastValueFrom, throwError } from 'rxjs';
import { describe, it, type TestContext } from 'vitest';
import { z } from 'zod';
import { exhaustBilling } from '../../../src/commands/providers/billing.ts';
import { changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import { embeds, fails, resets, says } from '../../../src/demo/model/script.ts';
import { HarkError } from '../../../src/errors.ts';
import { type BillingState, billing, type Exhaustion } from '../../../src/projections/providers/billing.ts';
import { probeBilling, probesDue } from '../../../src/sagas/providers/billing.ts';
import { BACKUP, CLOUD, LOCAL, Routing } from '../../support/models/routing.ts';
import { timedReaction } from '../../support/sagas.ts';
import { playDue } from '../../support/virtualTime.ts';

const MINUTE = 60_000;
const TEN_MINUTES = 10 * MINUTE;

function used(provider: 'cloud-a' | 'cloud-b', ...exhaustions: Partial<Exhaustion>[]): BillingState {
  const whole = exhaustions.map((one) => ({ credential: 'key', model: null, since: 0, probedAt: 0, ...one }));
  return { byProvider: { [provider]: { exhaustions: whole, timesExhausted: 1, timesRestored: 0 } } };
}

describe('used-up credit', () => {
  it('is due to be probed ten minutes after it was last found so', () => {
    const state = used('cloud-a', { model: 'm', probedAt: 5 }, { probedAt: 6 });
    assert.deepEqual(probesDue(state, TEN_MINUTES + 5).due, [
      { provider: 'cloud-a', credential: 'key', model: 'm' },
    ]);
    assert.deepEqual(probesDue(billing.initial(), TEN_MINUTES).due, []);
  });

  it('is looked at again when the next is due, but for a minute: a probe may tell nothing', () => {
    const now = TEN_MINUTES;
    assert.equal(probesDue(billing.initial(), now).again, now + TEN_MINUTES);
    assert.equal(probesDue(used('cloud-a', { probedAt: 2 * MINUTE }), now).again, now + 2 * MINUTE);
    assert.equal(probesDue(used('cloud-a', { probedAt: 0 }), now).again, now + MINUTE);
  });

  it('is probed every ten minutes until it is there', () => {
    let known = used('cloud-a', { probedAt: 0 });
    let tries = 0;
    const nobody = () => assert.fail('only its times are played');
    playDue('10m a 9m 59s 999ms a 9m 59s 999ms a 29m 59s 999ms |', {
      saga: () =>
        probeBilling({
          billing: () => known,
          clients: { clientFor: nobody, configured: nobody },
          slots: { candidates: nobody },
          models: { complete: nobody, embed: nobody },
        }),
      tell: () => 'a',
      answer: (_probe, { time }) => {
        known = ++tries < 3 ? used('cloud-a', { probedAt: time.now() }) : billing.initial();
        return EMPTY;
      },
      stopAt: 60 * MINUTE,
    });
  });
});

describe('a probe', () => {
  async function start(t: TestContext) {
    const routing = await Routing.start(t);
    const { clients, views, slots, router: models } = routing;
    const saga = probeBilling({ billing: () => views.view(billing), clients, slots, models });
    /** Those that are due now, one after the other. */
    const probe = async () => {
      const { due } = probesDue(views.view(billing), routing.now);
      for (const one of due) await lastValueFrom(from(saga.react(one, timedReaction())));
      return due.length;
    };
    const asked = (provider: string) =>
      routing.models.requests.filter((request) => request.provider === provider).length;
    return { routing, probe, asked, models: routing.models };
  }

  it('that is answered has all turns answered by that model again, and none of them waits for it', async (t) => {
    const { routing, probe, asked, models } = await start(t);
    await routing.chain('cloud-backup', CLOUD, BACKUP);
    models
      .script(fails('billing'), { provider: 'cloud-a' })
      .script(says('paid by another'), { provider: 'cloud-b' });
    assert.equal((await routing.ask('one')).by, 'cloud-b');
    assert.equal(await probe(), 0);
    routing.now += TEN_MINUTES;
    assert.equal(await probe(), 1);
    assert.equal(await probe(), 0, 'it was found unchanged, and is not due any more');
    assert.equal((await routing.ask('two')).by, 'cloud-b');
    routing.now += TEN_MINUTES;
    models.reset();
    models.script(says('topped up'));
    assert.equal(await probe(), 1);
    assert.equal(asked('cloud-a'), 1);
    // Enough for it to begin, and next to nothing.
    const { max_tokens, thinking } = z
      .looseObject({ max_tokens: z.number() })
      .parse(models.requests.at(-1)?.body);
    assert.deepEqual([max_tokens, thinking], [16, undefined]);
    assert.equal((await routing.ask('three')).by, 'cloud-a');
    const happened = await routing.happened();
    assert.equal(happened.filter((type) => type === 'provider.billing.exhausted').length, 2);
    assert.ok(
      happened.indexOf('provider.billing.restored') > happened.lastIndexOf('provider.billing.exhausted'),
    );
  });

  it('that tells nothing of the credit leaves it as it is, and is due again', async (t) => {
    const { routing, probe, models } = await start(t);
    await routing.chain('none', CLOUD);
    models.script(fails('billing'), { provider: 'cloud-a' });
    await assert.rejects(routing.ask('one'));
    routing.now += TEN_MINUTES;
    models.reset();
    models.script(resets(), { provider: 'cloud-a' });
    assert.equal(await probe(), 1);
    assert.equal(await probe(), 1);
    assert.ok(!(await routing.happened()).includes('provider.billing.restored'));
  });

  it('asks for vectors where only the slot for them counts on the provider', async (t) => {
    const { routing, probe, models } = await start(t);
    const embedding = { provider: 'cloud-b', model: 'text-embedding-3-small', fallbacks: [] };
    const slots = { chat: { ...LOCAL, fallbacks: [] }, embedding };
    await routing.runner.run(changeSlots, { slots, strategy: 'none', catalogs: {} }, routing.context);
    const { credential = '' } = (await routing.clients.clientFor('cloud-b')) ?? {};
    const exhausted = { providerId: 'cloud-b', credential, model: null } as const;
    await routing.runner.run(exhaustBilling, exhausted, routing.context);
    routing.now += TEN_MINUTES;
    models.script(embeds([1, 0]), { provider: 'cloud-b', endpoint: 'embed' });
    assert.equal(await probe(), 1);
    assert.ok((await routing.happened()).includes('provider.billing.restored'));
  });

  for (const [what, credential, model] of [
    ['of another key than the one in use', 'another', null],
    ['of a model that no slot would ask', undefined, 'of no slot'],
  ] as const)
    it(`asks nobody about the credit ${what}`, async (t) => {
      const { routing, probe, models } = await start(t);
      await routing.chain('none', CLOUD);
      const client = await routing.clients.clientFor('cloud-a');
      const exhausted = { providerId: 'cloud-a', credential: credential ?? client?.credential ?? '', model };
      await routing.runner.run(exhaustBilling, { ...exhausted, providerId: 'cloud-a' }, routing.context);
      routing.now += TEN_MINUTES;
      assert.equal(await probe(), 1);
      assert.equal(models.requests.length, 0);
    });

  describe('that fails', () => {
    // biome-ignore lint/correctness/useYield: it fails before it says anything
    async function* failing(error: unknown): AsyncGenerator<never> {
      throw error;
    }

    /** A probe whose model answers with this error, of a process that goes on unless the signal says otherwise. */
    async function probeWith(t: TestContext, error: unknown, signal = AbortSignal.timeout(20_000)) {
      const routing = await Routing.start(t);
      await routing.chain('none', CLOUD);
      const { clients, slots } = routing;
      const client = await clients.clientFor('cloud-a');
      const state = used('cloud-a', { credential: client?.credential ?? '' });
      const models = { complete: () => failing(error), embed: () => assert.fail('the slot is for words') };
      const saga = probeBilling({ billing: () => state, clients, slots, models });
      const { due } = probesDue(state, TEN_MINUTES);
      assert.equal(due.length, 1);
      for (const one of due) await lastValueFrom(from(saga.react(one, { ...timedReaction(), signal })));
    }

    it('as models do is no failure of the saga: whoever asked them recorded it', (t) =>
      probeWith(t, new HarkError('MODEL_UNAVAILABLE')));

    it('by a fault of ours is a failure of the saga', (t) =>
      assert.rejects(probeWith(t, new Error('a fault')), /a fault/));

    it('because the process stops is none', (t) => probeWith(t, new Error('aborted'), AbortSignal.abort()));
  });

  it('that a fault of ours ends is told, and made again after a minute', () => {
    const nobody = () => assert.fail('only its times are played');
    const told = playDue('10m a 59s 999ms a 29s 999ms |', {
      saga: () =>
        probeBilling({
          billing: () => used('cloud-a', { probedAt: 0 }),
          clients: { clientFor: nobody, configured: nobody },
          slots: { candidates: nobody },
          models: { complete: nobody, embed: nobody },
        }),
      tell: () => 'a',
      answer: () => throwError(() => new Error('a fault')),
      stopAt: 11.5 * MINUTE,
    });
    assert.equal(told.length, 2);
  });
});
