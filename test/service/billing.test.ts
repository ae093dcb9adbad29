import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { fails, says, silent } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { modelledService } from '../support/modelledService.ts';
import { providersAt } from '../support/models/environment.ts';
import { InProcessService, TEST_NOW } from '../support/service.ts';
import { within } from '../support/within.ts';

interface Billing {
  providers: Record<string, Record<string, unknown>>;
  strategy: string;
}

interface Slots {
  slots: Record<string, { status: Record<string, unknown> }>;
}

interface Chat {
  text: string;
  message: string;
  metadata: Record<string, unknown>;
}

interface Settings {
  settings: Record<string, { restart: boolean }>;
}

interface Logged {
  events: { type: string; data: Record<string, unknown> }[];
}

describe('what is set and known of providers, as it was', () => {
  const set = modelledService();
  const read = async <Answer>(path: string) => {
    const { status, body, text } = await set.service.get<Answer>(path);
    assert.equal(status, 200, text);
    return body;
  };

  test('slots, used-up credit, catalogs and settings are those of the moment', async () => {
    const { service, models } = set;
    const chat = { provider: 'cloud-a', model: 'claude-haiku-4-5', fallbacks: [] };
    await service.put('/api/slots', { slots: { chat }, strategy: 'none' });
    await read('/api/providers/catalog?refresh=1');
    await service.advance(1_000);
    models.script(fails('billing'), { provider: 'cloud-a' });
    await service.ask('POST', '/api/chat', { body: { text: 'Who is there, and what is going on?' } });
    await service.put('/api/settings', { memoryTokenBudget: 1_234 });
    await service.advance(1_000);
    await service.ask('POST', '/api/billing/retry/cloud-a');
    await service.put('/api/slots', { slots: { chat: { ...chat, model: 'claude-sonnet-4-5' } } });
    await service.put('/api/settings', { memoryTokenBudget: null });

    const at = TEST_NOW + 1_500;
    const { slots } = await read<Slots>(`/api/slots?at=${at}`);
    assert.partialDeepStrictEqual(slots.chat, { model: 'claude-haiku-4-5', label: 'Anthropic' });
    assert.equal(slots.chat?.status, undefined);
    const { providers, strategy } = await read<Billing>(`/api/billing/status?at=${at}`);
    assert.partialDeepStrictEqual(providers['cloud-a'], { exhausted: true, since: TEST_NOW + 1_000 });
    assert.equal(strategy, 'none');
    const before = await read<Billing>(`/api/billing/status?at=${TEST_NOW + 500}`);
    assert.equal(before.providers['cloud-a']?.exhausted, false);
    assert.deepEqual((await read<Billing>('/api/billing/status?at=0')).providers, {});
    const known = await read<{ count: number }>(`/api/providers/catalog?at=${at}`);
    assert.ok(known.count > 0);
    assert.equal((await read<{ count: number }>('/api/providers/catalog?at=0')).count, 0);
    const budget = { value: 1_234, source: 'runtime' };
    const { settings } = await read<Settings>(`/api/settings?at=${at}`);
    assert.partialDeepStrictEqual(settings.memoryTokenBudget, budget);
    const { settings: now } = await read<Settings>('/api/settings');
    assert.partialDeepStrictEqual(now.memoryTokenBudget, { source: 'default' });
    await service.put('/api/users/default/preferences', { storeAudio: true });
    const preferences = await read<{ storeAudio: boolean }>(`/api/users/default/preferences?at=${at}`);
    assert.equal(preferences.storeAudio, false);
  });
});

describe('credit that is used up, asked of the whole service', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    service = await InProcessService.start({
      API_RATE_LIMIT: '1000',
      CHAT_RATE_LIMIT: '1000',
      SERVICE_BACKGROUND_WORK_POLICY: 'auto',
      ...providersAt(models),
    });
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  const first = { provider: 'cloud-a', model: 'claude-haiku-4-5' };
  const backup = { provider: 'cloud-b', model: 'gpt-4o-mini' };
  const chat = (text: string) => service.ask<Chat>('POST', '/api/chat', { body: { text } });
  const billing = async () => (await service.get<Billing>('/api/billing/status')).body;
  const status = async () => (await service.get<Slots>('/api/slots')).body.slots.chat?.status;
  const types = async (type: string) =>
    (await service.get<Logged>(`/api/events?type=${type}`)).body.events.map(({ data }) => data);
  const guarded = async () => (await service.get<{ note?: string }>('/health/resource-guard')).body.note;
  const exhaustions = async () =>
    /service_provider_billing_exhaustion_total\{provider="cloud-a"\} (\d+)/.exec(
      (await service.get('/metrics')).text,
    )?.[1];

  test('hands over to the next of the chain, counts once, is shown, and is over when the user says so', async () => {
    const slots = { chat: { ...first, fallbacks: [backup] } };
    assert.equal((await service.put('/api/slots', { slots })).status, 200);
    models.script(fails('billing'), { provider: 'cloud-a' });
    models.script(says('Here I am.'), { provider: 'cloud-b' });

    for (const text of ['one', 'two']) {
      const { status: code, body } = await chat(text);
      assert.equal(code, 200, JSON.stringify(body));
      assert.equal(body.text, 'Here I am.');
      assert.partialDeepStrictEqual(body.metadata, { ...backup, slot: 'chat', fallback: true });
    }
    const asked = models.requests.filter((one) => one.provider === 'cloud-a' && one.endpoint === 'chat');
    assert.equal(asked.length, 1);

    assert.partialDeepStrictEqual((await billing()).providers['cloud-a'], {
      exhausted: true,
      fallbackActive: true,
      fallbackTarget: 'cloud-b',
    });
    assert.partialDeepStrictEqual(await status(), { reason: 'billing exhausted' });
    assert.equal(await exhaustions(), '1');
    const [exhausted] = await types('provider.billing.exhausted');
    assert.equal(exhausted?.providerId, 'cloud-a');
    assert.equal((await service.get('/health/provider-cloud-a')).status, 503);

    const retried = await service.ask<Slots>('POST', '/api/billing/retry/cloud-a');
    assert.equal(retried.status, 200);
    assert.deepEqual(retried.body.slots.chat?.status, { state: 'up' });
    assert.partialDeepStrictEqual((await billing()).providers['cloud-a'], {
      exhausted: false,
      fallbackActive: false,
    });
    assert.equal((await types('provider.billing.restored')).length, 1);
    models.reset();
    models.script(says('Paid.'), { provider: 'cloud-a' });
    assert.partialDeepStrictEqual((await chat('three')).body, {
      text: 'Paid.',
      metadata: { ...first, fallback: false },
    });
    assert.equal(await exhaustions(), '1');
  });

  for (const { strategy, by } of [
    { strategy: 'cloud-backup', by: 'cloud-b' },
    { strategy: 'ollama-local', by: 'local-runner' },
  ])
    test(`by the strategy ${strategy} everything looks at the same list`, async () => {
      const slots = { chat: first, consolidation: first, maintenance: null };
      assert.equal((await service.put('/api/slots', { slots, strategy })).status, 200);
      models.script(says('Here I am.')).script(fails('billing'), { provider: 'cloud-a' });
      assert.match((await guarded()) ?? '', /^rule 2: cloud-a/);
      const answer = await chat('one');
      assert.partialDeepStrictEqual(answer.body.metadata, { provider: by, fallback: true }, answer.text);
      assert.partialDeepStrictEqual(await status(), { state: 'fallback', active: { provider: by } });
      assert.equal((await billing()).providers['cloud-a']?.fallbackTarget, by);
      const routed = await service.ask('POST', '/api/slots/route', { body: { text: 'hello' } });
      assert.equal(routed.body.provider, by);
      if (by === 'cloud-b') assert.match((await guarded()) ?? '', /^rule 2: cloud-b/);
      else assert.doesNotMatch((await guarded()) ?? '', /works elsewhere/);
      await service.ask('POST', '/api/billing/retry/cloud-a');
    });

  test('follows a chain that is written with the strategy none', async () => {
    const slots = { chat: { ...first, fallbacks: [backup] } };
    assert.equal((await service.put('/api/slots', { slots, strategy: 'none' })).status, 200);
    models.script(fails('billing'), { provider: 'cloud-a' });
    models.script(says('Here I am.'), { provider: 'cloud-b' });
    assert.partialDeepStrictEqual((await chat('one')).body, { text: 'Here I am.', metadata: backup });
    await service.ask('POST', '/api/billing/retry/cloud-a');
  });

  test('with the strategy none ends with what to do', async () => {
    const body = { mode: 'cloud', provider: 'cloud-a', fallbackStrategy: 'none' };
    assert.equal((await service.ask('POST', '/api/slots/auto-configure', { body })).status, 200);
    models.script(fails('billing'), { provider: 'cloud-a' });
    const answer = await chat('four');
    assert.equal(answer.status, 503);
    assert.match(answer.body.message, /\S/);
    assert.equal((await billing()).strategy, 'none');
    await service.ask('POST', '/api/billing/retry/cloud-a');
  });
});

test('without a key-value store, slots and used-up credit are kept by the process', async (t) => {
  const models = await ScriptedModels.start();
  t.onTestFinished(() => models.stop());
  const limits = { API_RATE_LIMIT: '1000', CHAT_RATE_LIMIT: '1000' };
  const service = await InProcessService.start({
    SERVICE_KVSTORE_URL: 'none',
    ...limits,
    ...providersAt(models),
  });
  t.onTestFinished(() => service.stop());
  const chat = { provider: 'cloud-a', model: 'claude-haiku-4-5', fallbacks: [] };
  const put = await service.ask('PUT', '/api/slots', { body: { slots: { chat }, strategy: 'none' } });
  assert.equal(put.status, 200, put.text);
  models.script(fails('billing'), { provider: 'cloud-a' });
  const ask = () => service.ask<Chat>('POST', '/api/chat', { body: { text: 'Hello' } });
  const refused = await ask();
  assert.equal(refused.status, 503);
  // Where the message sends people, there is an answer.
  assert.match(refused.body.message, /POST \/api\/billing\/retry/);
  const asked = () => models.requests.filter(({ endpoint }) => endpoint === 'chat').length;
  const before = asked();
  assert.equal((await ask()).status, 503);
  assert.equal(asked(), before, 'it is not asked again');
  const { body } = await service.get<Billing>('/api/billing/status');
  assert.equal(body.providers['cloud-a']?.exhausted, true);
  models.reset();
  models.script(says('Paid.'), { provider: 'cloud-a' });
  assert.equal((await service.ask('POST', '/api/billing/retry/cloud-a')).status, 200);
  assert.equal((await ask()).body.text, 'Paid.');
  assert.match((await service.get('/metrics')).text, /billing_exhaustion_total\{provider="cloud-a"\} 1/);
  const wish = { mode: 'cloud', provider: 'cloud-b', fallbackStrategy: 'none' };
  assert.equal((await service.ask('POST', '/api/slots/auto-configure', { body: wish })).status, 200);
  const reset = await service.ask<Slots>('POST', '/api/slots/reset');
  assert.equal(reset.status, 200);
  assert.ok(reset.body.slots.chat);
});

for (const SERVICE_KVSTORE_URL of ['memory', 'none'])
  test(`used-up credit is found to be there again without any turn (${SERVICE_KVSTORE_URL})`, async (t) => {
    const models = await ScriptedModels.start();
    t.onTestFinished(() => models.stop());
    const limits = { API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '1000' };
    const service = await InProcessService.start({ SERVICE_KVSTORE_URL, ...limits, ...providersAt(models) });
    t.onTestFinished(() => service.stop());
    const chat = { provider: 'cloud-a', model: 'claude-haiku-4-5', fallbacks: [] };
    await service.ask('PUT', '/api/slots', { body: { slots: { chat }, strategy: 'none' } });
    models.script(fails('billing'), { provider: 'cloud-a' });
    const ask = () => service.ask<Chat>('POST', '/api/chat', { body: { text: 'Hello' } });
    assert.equal((await ask()).status, 503);
    const isExhausted = async () =>
      (await service.get<Billing>('/api/billing/status')).body.providers['cloud-a']?.exhausted;
    assert.equal(await isExhausted(), true);
    models.reset();
    models.script(says('Paid.'), { provider: 'cloud-a' });
    await service.advance(10 * 60_000);
    while (await isExhausted());
    assert.deepEqual((await service.get<Slots>('/api/slots')).body.slots.chat?.status, { state: 'up' });
    const probes = models.requests.filter(({ endpoint }) => endpoint === 'chat');
    assert.equal(probes.length, 1);
    assert.equal((await ask()).body.text, 'Paid.');
  });

test('a provider that hangs is unwell within two seconds', async (t) => {
  const models = await ScriptedModels.start();
  t.onTestFinished(() => models.stop());
  const service = await InProcessService.start({ API_RATE_LIMIT: '1000', ...providersAt(models) });
  t.onTestFinished(() => service.stop());
  await service.get('/api/slots');
  for (const endpoint of ['models', 'key', 'version'] as const) models.script(silent(), { endpoint });
  const names = [
    'provider-cloud-a',
    'provider-cloud-b',
    'provider-gateway',
    'provider-local-runner',
    'local-runner',
  ];
  const checked = await within(2_500, Promise.all(names.map((name) => service.get(`/health/${name}`))));
  assert.deepEqual(
    checked.map(({ status }) => status),
    names.map(() => 503),
  );
});

test('catalogs are as old as the settings let them be', async (t) => {
  const models = await ScriptedModels.start();
  t.onTestFinished(() => models.stop());
  const service = await InProcessService.start({
    ...providersAt(models),
    SERVICE_PROVIDER_CATALOG_CACHE_TTL_SECONDS: '60',
    SERVICE_PROVIDER_CATALOG_AUTO_REFRESH: 'false',
    API_RATE_LIMIT: '1000',
  });
  t.onTestFinished(() => service.stop());
  const asked = async () => {
    const before = models.requests.length;
    await service.get('/api/providers/catalog');
    return models.requests.length - before;
  };
  await asked();
  assert.equal(await asked(), 0);
  await service.advance(60_000);
  assert.ok((await asked()) > 0);
  assert.equal(await asked(), 0);
  const { body } = await service.ask<Settings>('PUT', '/api/settings', {
    body: { providerCatalogCacheTtlSeconds: 30 },
  });
  assert.equal(body.settings.providerCatalogCacheTtlSeconds?.restart, false);
  await service.advance(30_000);
  assert.ok((await asked()) > 0, 'a changed setting counts at once');
});
