import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { restoreBilling } from '../../../src/commands/providers/billing.ts';
import { changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import { breaks, embeds, fails, resets, says, sends } from '../../../src/demo/model/script.ts';
import { isHarkError } from '../../../src/errors.ts';
import { BACKUP, CLOUD, LOCAL, Routing } from '../../support/models/routing.ts';

const DAY = 24 * 60 * 60_000;
const refusedAs = (code: Parameters<typeof isHarkError>[1]) => (error: unknown) => isHarkError(error, code);

describe('a slot', () => {
  it('is answered by the model that it names first', async (t) => {
    const routing = await Routing.start(t);
    await routing.chain('cloud-backup', CLOUD, BACKUP);
    routing.models.script(says('Hel', 'lo'), { provider: 'cloud-a' });
    assert.deepEqual(await routing.ask('hi'), { said: 'Hello', by: 'cloud-a', fallback: false });
    await routing.ask('again');
    assert.deepEqual(await routing.happened(), ['provider.initialized']);
  });

  it('is answered by the next one when the first breaks the connection', async (t) => {
    const routing = await Routing.start(t);
    await routing.chain('cloud-backup', CLOUD, BACKUP);
    routing.models.script(resets(), { provider: 'cloud-a' }).script(says('here'), { provider: 'cloud-b' });
    await routing.ask('both SDKs are loaded now');
    const answer = { said: 'here', by: 'cloud-b', fallback: true, fallbackReason: 'network' };
    assert.deepEqual(await routing.ask('hi'), answer);
    assert.deepEqual(await routing.happened(), ['provider.failed', 'provider.initialized']);
  });

  it('is answered by the next one when the first fails as nobody knows, and asks nobody for ever', async (t) => {
    const routing = await Routing.start(t);
    await routing.chain('cloud-backup', CLOUD, BACKUP);
    const teapot = sends(418, { error: { message: 'I am a teapot' } });
    routing.models.script(teapot, { provider: 'cloud-a' }).script(says('here'), { provider: 'cloud-b' });
    assert.equal((await routing.ask('hi')).by, 'cloud-b');
    routing.models.script(teapot);
    await assert.rejects(routing.ask('again'), refusedAs('MODEL_UNAVAILABLE'));
    assert.equal(routing.models.requests.length, 4);
  });

  it('without any model that can be asked says so', async (t) => {
    const routing = await Routing.start(t);
    await assert.rejects(routing.ask('hi'), refusedAs('MODEL_UNAVAILABLE'));
    await routing.chain('cloud-backup', { provider: 'gateway', model: 'no-key-for-it' });
    await assert.rejects(routing.ask('hi'), refusedAs('MODEL_UNAVAILABLE'));
  });

  it('that is not set is answered by what the older variables name, and those behind it by chat', async (t) => {
    const older = { SERVICE_CONSOLIDATION_PROVIDER: 'cloud-b', SERVICE_CONSOLIDATION_MODEL: BACKUP.model };
    const routing = await Routing.start(t, older);
    await routing.chain('cloud-backup', CLOUD);
    routing.models.script(says('here'));
    assert.equal((await routing.ask('hi', { slot: 'consolidation' })).by, 'cloud-b');
    assert.equal((await routing.ask('hi', { slot: 'maintenance' })).by, 'cloud-b');
    assert.equal((await routing.ask('hi', { slot: 'summarization' })).by, 'cloud-a');
  });

  it('waits for a busy model as long as it asks, and passes by one that asks for too much', async (t) => {
    const routing = await Routing.start(t);
    await routing.chain('cloud-backup', CLOUD, BACKUP);
    routing.models
      .script([fails('rate-limit', 0), says('had a moment')], { provider: 'cloud-a' })
      .script(says('not asked for'), { provider: 'cloud-b' });
    assert.equal((await routing.ask('hi')).by, 'cloud-a');
    routing.models.script([fails('rate-limit', 3_600)], { provider: 'cloud-a' });
    assert.equal((await routing.ask('hi')).by, 'cloud-b');
  });

  it('does not begin again elsewhere what was heard already', async (t) => {
    const routing = await Routing.start(t);
    await routing.chain('cloud-backup', CLOUD, BACKUP);
    routing.models.script(says('Once upon', breaks('reset')), { provider: 'cloud-a' });
    routing.models.script(says('another story'), { provider: 'cloud-b' });
    await assert.rejects(routing.ask('tell me'), refusedAs('MODEL_UNAVAILABLE'));
    assert.deepEqual(
      routing.models.requests.map(({ provider }) => provider),
      ['cloud-a'],
    );
  });

  it('does not ask others what no model would take', async (t) => {
    const routing = await Routing.start(t);
    await routing.chain('cloud-backup', CLOUD, BACKUP);
    routing.models.script(fails('context-too-long'), { provider: 'cloud-a' });
    await assert.rejects(routing.ask('much'), { code: 'REQUEST_REFUSED' });
  });

  it('stops asking when the caller is gone', async (t) => {
    const routing = await Routing.start(t);
    await routing.chain('cloud-backup', CLOUD, BACKUP);
    routing.models.script(says('Once', breaks('hang')), { provider: 'cloud-a' });
    const gone = new AbortController();
    const asked = routing.ask('hi', { signal: gone.signal });
    await routing.models.request(1);
    gone.abort();
    await assert.rejects(asked);
    assert.equal(routing.models.requests.length, 1);
    assert.deepEqual(await routing.happened(), []);
  });
});

it('vectors say whose they are, since those of another model are no use beside them', async (t) => {
  const routing = await Routing.start(t);
  const small = { provider: 'cloud-b', model: 'text-embedding-3-small' } as const;
  const local = { provider: 'local-runner', model: 'nomic-embed-text' } as const;
  const slots = { chat: { ...LOCAL, fallbacks: [] }, embedding: { ...small, fallbacks: [local] } };
  await routing.runner.run(changeSlots, { slots, strategy: 'cloud-backup', catalogs: {} }, routing.context);
  const embed = () => {
    const asking = { slot: 'embedding', correlationId: 'test', signal: AbortSignal.timeout(20_000) } as const;
    return routing.router.embed(asking, { texts: ['one', 'two'] });
  };
  routing.models.script(embeds([1, 0], [0, 1]), { provider: 'cloud-b', endpoint: 'embed' });
  const { vectors, ...by } = await embed();
  assert.deepEqual(await routing.happened(), ['provider.initialized']);
  assert.deepEqual(
    [by, vectors.map((vector) => [...vector])],
    [
      small,
      [
        [1, 0],
        [0, 1],
      ],
    ],
  );
  routing.models
    .script(resets(), { provider: 'cloud-b', endpoint: 'embed' })
    .script(embeds([1], [2]), { provider: 'local-runner', endpoint: 'embed' });
  const { vectors: others, ...byOther } = await embed();
  assert.deepEqual([byOther, others.map((vector) => [...vector])], [local, [[1], [2]]]);
});

describe('an embedding', () => {
  for (const { fault, tries } of [
    { fault: 'server-error', tries: 3 },
    { fault: 'rate-limit', tries: 3 },
    { fault: 'bad-request', tries: 1 },
    { fault: 'wrong-key', tries: 1 },
    { fault: 'forbidden', tries: 1 },
    { fault: 'model-unknown', tries: 1 },
  ] as const)
    it(`is tried ${tries} times in all where the answer is ${fault}`, async (t) => {
      const routing = await Routing.start(t);
      const embedding = { provider: 'cloud-b', model: 'text-embedding-3-small', fallbacks: [] };
      const slots = { chat: { ...LOCAL, fallbacks: [] }, embedding };
      await routing.runner.run(changeSlots, { slots, strategy: 'none', catalogs: {} }, routing.context);
      routing.models.script(fails(fault), { endpoint: 'embed' });
      const asking = { slot: 'embedding', correlationId: 'test', signal: t.signal } as const;
      await assert.rejects(routing.router.embed(asking, { texts: ['one'] }));
      assert.equal(routing.models.requests.length, tries);
    });
});

describe('credit that is used up', () => {
  it('is recorded, and not asked about again by a turn, however long ago it was used up', async (t) => {
    const routing = await Routing.start(t);
    await routing.chain('cloud-backup', CLOUD, BACKUP);
    routing.models
      .script([fails('billing')], { provider: 'cloud-a' })
      .script(says('paid'), { provider: 'cloud-b' });
    assert.equal((await routing.ask('one')).by, 'cloud-b');
    assert.equal((await routing.ask('two')).by, 'cloud-b');
    assert.equal(routing.models.requests.filter(({ provider }) => provider === 'cloud-a').length, 1);
    routing.now += DAY;
    assert.equal((await routing.ask('three')).by, 'cloud-b');
    assert.equal(routing.models.requests.filter(({ provider }) => provider === 'cloud-a').length, 1);
  });

  it('is not shown to be there by the success of another', async (t) => {
    const routing = await Routing.start(t);
    await routing.chain('cloud-backup', CLOUD, BACKUP);
    routing.models
      .script(fails('billing'), { provider: 'cloud-a' })
      .script(says('paid'), { provider: 'cloud-b' });
    await routing.ask('one');
    await routing.ask('two');
    assert.ok(!(await routing.happened()).includes('provider.billing.restored'));
  });

  it('is asked about at once when the user asks for that model, or says that there is some', async (t) => {
    const routing = await Routing.start(t);
    await routing.chain('cloud-backup', CLOUD, BACKUP);
    routing.models
      .script([fails('billing')], { provider: 'cloud-a' })
      .script(says('paid'), { provider: 'cloud-b' });
    await routing.ask('one');
    routing.models.script([says('for you')], { provider: 'cloud-a' });
    assert.equal((await routing.ask('two', { wanted: CLOUD })).by, 'cloud-a');
    routing.models.script([fails('billing'), says('again')], { provider: 'cloud-a' });
    await routing.ask('three');
    await routing.runner.run(restoreBilling, { providerId: 'cloud-a', by: 'retry' }, routing.context);
    assert.equal((await routing.ask('four')).by, 'cloud-a');
  });

  it('of one model leaves the others of the key alone', async (t) => {
    const routing = await Routing.start(t);
    const other = { provider: 'cloud-b', model: 'gpt-5-nano' } as const;
    await routing.chain('cloud-backup', BACKUP, other);
    routing.models
      .script(fails('model-quota'), { model: BACKUP.model })
      .script(says('still here'), { model: other.model });
    assert.equal((await routing.ask('one')).said, 'still here');
    assert.equal((await routing.ask('two')).said, 'still here');
  });

  for (const strategy of ['cloud-backup', 'ollama-local', 'none'] as const)
    it(`leads along the chain by whatever strategy, also by ${strategy}`, async (t) => {
      const routing = await Routing.start(t);
      await routing.chain(strategy, CLOUD, BACKUP);
      routing.models.script(says('I do')).script(fails('billing'), { provider: 'cloud-a' });
      assert.equal((await routing.ask('one')).by, 'cloud-b');
      const answer = { said: 'I do', by: 'cloud-b', fallback: true, fallbackReason: 'billing' };
      assert.deepEqual(await routing.ask('two'), answer);
      routing.models.script(resets(), { provider: 'cloud-b' });
      assert.notEqual((await routing.ask('three').catch(() => undefined))?.by, 'cloud-b');
    });

  for (const { strategy, by } of [
    { strategy: 'cloud-backup', by: 'cloud-b' },
    { strategy: 'ollama-local', by: 'local-runner' },
  ] as const)
    it(`hands over to ${by} after the chain by the strategy ${strategy}`, async (t) => {
      const routing = await Routing.start(t);
      const other = { ...CLOUD, model: 'claude-sonnet-4-5' } as const;
      await routing.chain(strategy, CLOUD, other);
      routing.models.script(says('I do')).script(fails('billing'), { provider: 'cloud-a' });
      const answer = { said: 'I do', by, fallback: true, fallbackReason: 'billing' };
      assert.deepEqual(await routing.ask('one'), answer);
      assert.deepEqual(await routing.ask('two'), answer);
      const asked = routing.models.requests.filter(({ endpoint }) => endpoint === 'chat');
      assert.deepEqual(
        asked.map(({ provider }) => provider),
        ['cloud-a', 'cloud-a', by, by],
      );
    });

  it('alone brings backups in: with any other failure the chain is all there is', async (t) => {
    const routing = await Routing.start(t);
    await routing.chain('cloud-backup', CLOUD);
    routing.models.script(says('nobody asked me')).script(fails('wrong-key'), { provider: 'cloud-a' });
    await assert.rejects(routing.ask('one'), refusedAs('MODEL_UNAVAILABLE'));
    assert.equal(routing.models.requests.length, 1);
  });

  it('has no backup by the strategy none', async (t) => {
    const routing = await Routing.start(t);
    await routing.chain('none', CLOUD);
    routing.models.script(says('nobody asked me')).script(fails('billing'), { provider: 'cloud-a' });
    await assert.rejects(routing.ask('one'), refusedAs('BILLING_EXHAUSTED'));
    await assert.rejects(routing.ask('two'), refusedAs('BILLING_EXHAUSTED'));
    assert.equal(routing.models.requests.length, 1);
  });

  it('has no backup for vectors', async (t) => {
    const routing = await Routing.start(t);
    const slots = {
      chat: { ...LOCAL, fallbacks: [] },
      embedding: { provider: 'cloud-b', model: 'text-embedding-3-small', fallbacks: [] },
    };
    await routing.runner.run(changeSlots, { slots, strategy: 'ollama-local', catalogs: {} }, routing.context);
    const endpoint = 'embed';
    routing.models.script(embeds([1]), { endpoint });
    routing.models.script(fails('billing'), { provider: 'cloud-b', endpoint });
    const asking = { slot: 'embedding', correlationId: 'test', signal: t.signal } as const;
    await assert.rejects(routing.router.embed(asking, { texts: ['one'] }), refusedAs('BILLING_EXHAUSTED'));
  });
});
