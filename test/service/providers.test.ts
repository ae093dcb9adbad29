import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { sends } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { slotNames } from '../../src/vocabulary.ts';
import { modelledService } from '../support/modelledService.ts';
import { providersAt } from '../support/models/environment.ts';
import { EventReader, InProcessService } from '../support/service.ts';

interface Slots {
  slots: Record<string, { provider: string; model: string; fallbacks: unknown[]; status: unknown } | null>;
  strategy: string;
  warnings?: { kind: string; model: string }[];
}

interface Catalog {
  providers: { providerId: string; models: { id: string }[]; latencyMs: number; stale?: true }[];
  count: number;
  providerIds: string[];
}

interface Logged {
  events: { type: string; data: Record<string, unknown> }[];
}

const LIMITS = { API_RATE_LIMIT: '1000', CHAT_RATE_LIMIT: '1000' };
/** A port that nobody listens on. */
const NOWHERE = 'http://127.0.0.1:9';

describe('providers', () => {
  const set = modelledService(LIMITS, { slots: 'as chosen' });

  const catalog = async (query = '') =>
    (await set.service.get<Catalog>(`/api/providers/catalog${query}`)).body;
  const events = async (type: string) =>
    (await set.service.get<Logged>(`/api/events?type=${type}`)).body.events;

  test('are enough for slots, without anybody having set them', async () => {
    const configured = await EventReader.open(
      `${set.service.url}/api/events/stream?topics=provider.slots.changed&after=0`,
    );
    while (!('id' in ((await configured.next()) ?? assert.fail('the stream ended'))));
    configured.close();
    const { slots, strategy } = (await set.service.get<Slots>('/api/slots')).body;
    assert.equal(strategy, 'cloud-backup');
    assert.equal(slots.chat?.provider, 'cloud-a');
    assert.deepEqual(slots.chat?.status, { state: 'up' });
    assert.equal(slots.maintenance, null);
    const [first] = await events('provider.slots.changed');
    assert.equal(first?.data.cause, 'auto-configured');
  });

  test('show their models, of which a filter leaves those that can do all of it', async () => {
    const all = await catalog();
    assert.deepEqual(all.providerIds, ['cloud-a', 'cloud-b', 'gateway', 'local-runner']);
    assert.equal(all.count, 4);
    const local = all.providers.find(({ providerId }) => providerId === 'local-runner');
    assert.deepEqual(
      local?.models.map(({ id }) => id),
      ['llava:7b', 'nomic-embed-text:latest', 'qwen3:8b'],
    );
    const able = await catalog('?capability=tool-use,vision');
    const gateway = able.providers.find(({ providerId }) => providerId === 'gateway');
    assert.deepEqual(
      gateway?.models.map(({ id }) => id),
      ['anthropic/claude-sonnet-4.6', 'openai/gpt-5-mini'],
    );
    const nonsense = await set.service.get('/api/providers/catalog?capability=telepathy');
    assert.equal(nonsense.status, 400);
  });

  test('are asked over the network only when somebody insists', async () => {
    await catalog();
    const before = (await events('provider.catalog.refreshed')).length;
    await catalog();
    assert.equal(set.models.requests.length, 0);
    await catalog('?refresh=1');
    assert(set.models.requests.length >= 4);
    const refreshed = await events('provider.catalog.refreshed');
    assert.equal(refreshed.length, before + 4);
    assert.equal(refreshed.at(-1)?.data.models, undefined);
    const { text } = await set.service.get('/metrics');
    assert.match(text, /service_provider_catalog_models_count\{provider="gateway"\} 5\n/);
  });

  test('that fail keep what they had, and the others go on', async () => {
    await catalog();
    set.models.script(sends(500, { error: {} }), { endpoint: 'models', provider: 'gateway' });
    set.models.script(sends(200, { data: [] }), { endpoint: 'models', provider: 'cloud-b' });
    const { providers } = await catalog('?refresh=1');
    assert.deepEqual(
      providers.map(({ providerId, models: listed }) => [providerId, listed.length > 0]),
      [
        ['cloud-a', true],
        ['cloud-b', true],
        ['gateway', true],
        ['local-runner', true],
      ],
    );
    const failed = await events('provider.failed');
    assert.deepEqual(failed.map(({ data }) => data.providerId).sort(), ['cloud-b', 'gateway']);
  });

  test('tell of credit where they do', async () => {
    const account = (provider: string) => set.service.get(`/api/providers/${provider}/account`);
    assert.deepEqual((await account('gateway')).body, { creditBalance: 12.5, creditCurrency: 'USD' });
    assert.equal((await account('cloud-a')).status, 404);
    assert.equal((await account('nobody')).status, 404);
    const { body } = await set.service.get<{ providers: Record<string, Record<string, unknown>> }>(
      '/api/billing/status',
    );
    assert.deepEqual(body.providers.gateway, {
      exhausted: false,
      balance: 12.5,
      currency: 'USD',
      billingUrl: 'https://openrouter.ai/settings/credits',
      label: 'OpenRouter',
      fallbackActive: false,
    });
    const retried = await set.service.ask('POST', '/api/billing/retry/gateway');
    assert.equal(retried.status, 200);
    assert.deepEqual(Object.keys(retried.body), ['success', 'providerId', 'slots']);
    assert.equal((await set.service.ask('POST', '/api/billing/retry/nobody')).status, 404);
  });

  test('are as well as they answer', async () => {
    assert.equal((await set.service.get('/health/provider-cloud-a')).status, 200);
    set.models.acceptKeys('cloud-a', 'another');
    assert.equal((await set.service.get('/health/provider-cloud-a')).status, 200, 'asked a moment ago');
    await set.service.advance(10_000);
    const refused = await set.service.get('/health/provider-cloud-a');
    assert.equal(refused.status, 503);
    assert.deepEqual(
      { status: refused.body.status, error: refused.body.error },
      { status: 'unhealthy', error: 'It refuses the key' },
    );
    assert.equal((await set.service.get('/api/health')).body.status, 'degraded');
  });

  test('leave no key in any answer or log line', async () => {
    const { text } = await set.service.get('/api/events?limit=1000');
    assert.doesNotMatch(text + set.service.logged, /key-of-/);
  });
});

describe('slots', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models) });
    await service.get('/api/slots');
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  const sonnet = { provider: 'gateway', model: 'anthropic/claude-sonnet-4.6' };
  const put = (slots: Record<string, unknown>) =>
    service.ask<Slots & { issues?: unknown[] }>('PUT', '/api/slots', { body: { slots } });

  test('are what was written', async () => {
    const { status, body } = await put({ chat: { ...sonnet, fallbacks: [] }, coding: null });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['slots']);
    const { slots } = (await service.get<Slots>('/api/slots')).body;
    assert.deepEqual(slots, body.slots);
    assert.deepEqual(slots.chat, { ...sonnet, label: 'OpenRouter', fallbacks: [], status: { state: 'up' } });
    assert.equal(slots.coding, null);
  });

  test('are warned of and written when a model is unknown or ends one day', async () => {
    const { status, body } = await put({
      chat: {
        provider: 'gateway',
        model: 'who/knows',
        fallbacks: [{ provider: 'gateway', model: 'old/model' }],
      },
    });
    assert.equal(status, 200);
    assert.deepEqual(
      body.warnings?.map(({ kind, model }) => [kind, model]),
      [
        ['model-unknown', 'who/knows'],
        ['model-deprecated', 'old/model'],
      ],
    );
  });

  test('are refused when they name what is not there', async () => {
    for (const slots of [
      { chat: null },
      { chat: { provider: 'nobody', model: 'm' } },
      { nothing: sonnet },
      { chat: { ...sonnet, fallbacks: [sonnet] } },
    ]) {
      const { status, body } = await put(slots);
      assert.equal(status, 400, JSON.stringify(slots));
      assert.equal(body.issues?.length, 1);
    }
    assert.equal((await service.put('/api/slots', {})).status, 400);
  });

  test('that are not named in the first moment are configured by rule', async (t) => {
    const early = await InProcessService.start({ ...LIMITS, ...providersAt(models) });
    t.onTestFinished(() => early.stop());
    const { status, body } = await early.ask<Slots>('PUT', '/api/slots', {
      body: { slots: { chat: sonnet, creative: null } },
    });
    assert.equal(status, 200);
    const { chat, coding, consolidation, creative } = body.slots;
    assert.deepEqual([chat?.model, creative], [sonnet.model, null]);
    assert.ok(coding && consolidation, JSON.stringify(body.slots));
    assert.deepEqual((await early.get<Slots>('/api/slots')).body.slots, body.slots);
  });

  test('are configured by rule, and reset', async () => {
    for (const mode of ['cloud', 'local', 'hybrid'])
      for (const provider of ['cloud-a', 'cloud-b', 'gateway'])
        for (const fallbackStrategy of ['cloud-backup', 'ollama-local', 'none']) {
          const { status, body } = await service.ask<Slots>('POST', '/api/slots/auto-configure', {
            body: { mode, provider, fallbackStrategy },
          });
          assert.equal(status, 200);
          assert.equal(body.strategy, fallbackStrategy);
          assert.equal(body.warnings, undefined);
          assert.equal(body.slots.chat?.provider, mode === 'local' ? 'local-runner' : provider);
          assert.equal(
            body.slots.chat?.fallbacks.length === 0,
            fallbackStrategy === 'none' || (mode === 'local' && fallbackStrategy === 'ollama-local'),
          );
        }
    const reset = await service.ask<Slots & { success: boolean }>('POST', '/api/slots/reset');
    assert.equal(reset.body.success, true);
    assert.equal(reset.body.slots.chat?.provider, 'cloud-a');
  });

  test('are refused from the day on which a model is not served any more', async () => {
    await service.advance(Date.UTC(2027, 0, 1) - 1_700_000_000_000);
    const { status, body } = await put({ chat: { provider: 'gateway', model: 'old/model' } });
    assert.equal(status, 400);
    assert.match(JSON.stringify(body.issues), /has not served old\/model since 2027-01-01/);
  });

  test('are written although the catalog cannot be had, with a warning', async () => {
    await models.refuse();
    await service.advance(3_600_000);
    const { status, body } = await put({ chat: sonnet });
    assert.equal(status, 200);
    assert.deepEqual(
      body.warnings?.map(({ kind }) => kind),
      ['catalog-unavailable'],
    );
    await models.listen();
  });
});

describe('the local runner', () => {
  test('that is not there is said to be, at once, and needs nobody to be unwell', async () => {
    const service = await InProcessService.start(LIMITS);
    const { status, body } = await service.get('/api/runner/status');
    assert.equal(status, 200);
    assert.equal(body.running, false);
    assert.equal(typeof body.hint, 'string');
    assert.equal((await service.get('/api/runner/models')).status, 503);
    const pull = await service.ask('POST', '/api/runner/pull', { body: { model: 'm' } });
    assert.equal(pull.status, 503);
    const { body: health } = await service.get<{ status: string; services: Record<string, unknown> }>(
      '/api/health',
    );
    assert.equal(health.status, 'healthy');
    assert.match(JSON.stringify(health.services['provider-cloud-a']), /"note":"Not configured"/);
    await service.stop();
  });

  test('that was named and is not there is missed', async () => {
    const service = await InProcessService.start({ ...LIMITS, OLLAMA_HOST: NOWHERE });
    assert.equal((await service.get('/health/local-runner')).status, 503);
    assert.equal((await service.get('/health/provider-local-runner')).status, 503);
    assert.equal((await service.get('/api/runner/status')).body.running, false);
    await service.stop();
  });

  test('shows what it has, pulls more, and is started already', async (t) => {
    const models = await ScriptedModels.start();
    t.onTestFinished(() => models.stop());
    const service = await InProcessService.start({ ...LIMITS, OLLAMA_HOST: models.url('local-runner') });
    t.onTestFinished(() => service.stop());
    const { body: status } = await service.get<{ models: unknown[] }>('/api/runner/status');
    assert.equal(status.models.length, 3);
    const listed = await service.get<{ models: object[]; count: number }>('/api/runner/models');
    assert.equal(listed.body.count, 3);
    assert.deepEqual(Object.keys(listed.body.models[0] ?? {}), [
      'name',
      'model',
      'size',
      'digest',
      'family',
      'parameterSize',
      'quantization',
    ]);
    assert.deepEqual((await service.ask('POST', '/api/runner/start')).body, { started: true });
    assert.equal((await service.ask('POST', '/api/runner/pull', { body: { model: '' } })).status, 400);
    const reader = await EventReader.open(`${service.url}/api/runner/pull`, {}, { model: 'llama3.2' });
    const heard: Record<string, unknown>[] = [];
    for (let part = await reader.next(); part; part = await reader.next())
      heard.push(JSON.parse(part.data ?? '{}'));
    assert.deepEqual(
      heard.filter(({ completed }) => completed).map(({ percent }) => percent),
      [25, 50, 75, 100],
    );
    const last = heard.at(-1);
    assert.deepEqual([last?.type, last?.modelId], ['complete', 'llama3.2']);
    const pull = models.requests.find(({ endpoint }) => endpoint === 'pull');
    assert.equal(pull?.headers['content-type'], 'application/json');
    models.script(sends(200, `${JSON.stringify({ error: 'pull model manifest: file does not exist' })}\n`), {
      endpoint: 'pull',
    });
    const failing = await EventReader.open(`${service.url}/api/runner/pull`, {}, { model: 'nope' });
    assert.deepEqual(JSON.parse((await failing.next())?.data ?? '{}'), {
      type: 'error',
      modelId: 'nope',
      error: 'The runner knows no such model',
      retryable: false,
    });
  });
});

test('catalogs and slots outlive the process, also when no provider can be reached', async (t) => {
  const directory = mkdtempSync('/tmp/hark-providers-');
  t.onTestFinished(() => rmSync(directory, { recursive: true }));
  const models = await ScriptedModels.start();
  const kept = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
  const environment = { ...LIMITS, ...providersAt(models), ...kept };
  const first = await InProcessService.start(environment);
  const { slots } = (await first.get<Slots>('/api/slots')).body;
  const listed = (await first.get<Catalog>('/api/providers/catalog')).body;
  await first.stop();
  await models.stop();
  const second = await InProcessService.start(environment);
  t.onTestFinished(() => second.stop());
  const known = (await second.get<Catalog>('/api/providers/catalog?refresh=1')).body;
  assert.deepEqual(
    known.providers.map(({ models: kind }) => kind),
    listed.providers.map(({ models: kind }) => kind),
  );
  const { slots: afterwards } = (await second.get<Slots>('/api/slots')).body;
  assert.deepEqual(afterwards.chat?.model, slots.chat?.model);
  assert.deepEqual(afterwards.chat?.status, { state: 'down', reason: 'unreachable' });
});

for (const { strategy, status } of [
  { strategy: 'ollama-local', status: 503 },
  { strategy: 'none', status: 200 },
])
  test(`with the strategy ${strategy}, a local runner that is gone answers ${status}`, async (t) => {
    const directory = mkdtempSync('/tmp/hark-providers-');
    t.onTestFinished(() => rmSync(directory, { recursive: true }));
    const models = await ScriptedModels.start();
    const kept = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
    const { OLLAMA_HOST: _, ...hosted } = providersAt(models);
    const environment = { ...LIMITS, ...hosted, ...kept };
    const first = await InProcessService.start({ ...environment, ...providersAt(models) });
    const slots = Object.fromEntries(slotNames.map((name) => [name, null]));
    const chat = { provider: 'cloud-a', model: 'claude-haiku-4-5' };
    await first.get('/api/providers/catalog');
    assert.equal((await first.put('/api/slots', { slots: { ...slots, chat }, strategy })).status, 200);
    await first.stop();
    await models.stop();
    const second = await InProcessService.start(environment);
    t.onTestFinished(() => second.stop());
    assert.equal((await second.get('/health/provider-local-runner')).status, status);
  });

test('without a log, one key is enough all the same', async (t) => {
  const models = await ScriptedModels.start();
  t.onTestFinished(() => models.stop());
  const environment = { ...LIMITS, ...providersAt(models), SERVICE_KVSTORE_URL: 'none' };
  const service = await InProcessService.start(environment);
  t.onTestFinished(() => service.stop());
  assert.equal((await service.get<Slots>('/api/slots')).body.slots.chat?.provider, 'cloud-a');
  assert.equal((await service.get<Catalog>('/api/providers/catalog')).body.count, 4);
  const { status } = await service.put('/api/slots', {
    slots: { chat: { provider: 'cloud-a', model: 'm' } },
  });
  assert.equal(status, 200);
  assert.equal((await service.get<Slots>('/api/slots')).body.slots.chat?.model, 'm');
});

test('a key that is stored while the service runs is enough to chat', async (t) => {
  const models = await ScriptedModels.start();
  t.onTestFinished(() => models.stop());
  const service = await InProcessService.start({ ...LIMITS, OPENAI_BASE_URL: models.url('cloud-b') });
  t.onTestFinished(() => service.stop());
  assert.equal((await service.get<Slots>('/api/slots')).body.slots.chat, null);
  const { token } = (await service.get<{ token: string }>('/api/setup-token')).body;
  const stored = await service.ask('POST', '/api/credentials', {
    headers: { 'x-setup-token': token },
    body: { providerId: 'provider-cloud-b', apiKey: 'key-of-cloud-b' },
  });
  assert.equal(stored.status, 200, stored.text);
  assert.equal((await service.get<Slots>('/api/slots')).body.slots.chat?.provider, 'cloud-b');
});
