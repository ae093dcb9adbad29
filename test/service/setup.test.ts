import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';
import { InProcessService } from '../support/service.ts';

interface Status {
  needed: boolean;
  claimRequired: boolean;
  steps: { id: string; state: string }[];
}

const LIMITS = { API_RATE_LIMIT: '1000', CHAT_RATE_LIMIT: '1000' };
/** A port that nobody listens on. */
const NOWHERE = 'http://127.0.0.1:9';

async function claimOf(service: InProcessService): Promise<Record<string, string>> {
  const { body } = await service.ask<{ token: string }>('POST', '/api/setup-token');
  return { 'x-setup-token': body.token };
}

const statusOf = async (service: InProcessService, headers = {}) =>
  (await service.get<Status>('/api/setup/status', headers)).body;

const states = ({ steps }: Status) => steps.map(({ id, state }) => `${id} ${state}`);

describe('the setup of a service that has nothing', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ ...LIMITS, OLLAMA_HOST: NOWHERE });
  });
  afterAll(() => service.stop());

  const set = (id: string, state: string, headers: Record<string, string>) =>
    service.put(`/api/setup/steps/${id}`, { state }, headers);

  test('is needed, and anybody may know', async () => {
    assert.deepEqual(await statusOf(service), {
      needed: true,
      claimRequired: true,
      steps: [
        { id: 'model', state: 'open' },
        { id: 'memory', state: 'open' },
        { id: 'reach', state: 'open' },
      ],
    });
  });

  test('takes a claim for each step: none, a wrong one and an old one are 401', async () => {
    const claim = await claimOf(service);
    assert.equal((await set('model', 'skipped', {})).status, 401);
    assert.equal((await set('model', 'skipped', { 'x-setup-token': 'guessed' })).status, 401);
    await service.advance(30 * 60_000);
    const { status, body } = await set('model', 'skipped', claim);
    assert.equal(status, 401);
    assert.match(String(body.message), /setup token/);
    assert.deepEqual(states(await statusOf(service)), ['model open', 'memory open', 'reach open']);
  });

  test('a page of another origin may not ask, with a claim or without', async () => {
    const claim = await claimOf(service);
    const origin = { origin: 'http://localhost:5173' };
    assert.equal((await set('model', 'skipped', { ...claim, ...origin })).status, 403);
    assert.equal((await set('model', 'skipped', { ...claim, origin: service.url })).status, 200);
    assert.equal((await set('model', 'open', claim)).status, 200);
  });

  test('done is refused where the facts do not say so; all can be skipped, and said again', async () => {
    const claim = await claimOf(service);
    for (const id of ['model', 'memory']) {
      const { status, body } = await set(id, 'done', claim);
      assert.equal(status, 400);
      assert.ok(Array.isArray(body.issues));
    }
    assert.equal((await set('shoes', 'done', claim)).status, 404);
    assert.equal((await set('model', 'finished', claim)).status, 400);
    for (const id of ['model', 'memory']) assert.equal((await set(id, 'skipped', claim)).status, 200);
    const { body } = await set('reach', 'done', claim);
    assert.deepEqual(body, {
      needed: false,
      claimRequired: true,
      steps: [
        { id: 'model', state: 'skipped' },
        { id: 'memory', state: 'skipped' },
        { id: 'reach', state: 'done' },
      ],
    });
    await set('model', 'skipped', claim);
    const { events } = (await service.get<{ events: unknown[] }>('/api/events?stream=onboarding')).body;
    await set('model', 'skipped', claim);
    const again = (await service.get<{ events: unknown[] }>('/api/events?stream=onboarding')).body.events;
    assert.equal(again.length, events.length, 'said twice is a fact once');
  });

  test('a reset opens what was skipped or said, and facts stay', async () => {
    const text = 'I live in Lisbon';
    assert.equal((await service.ask('POST', '/api/memory/conclusions', { body: { text } })).status, 201);
    await service.ask('POST', '/api/system/reset-onboarding');
    const status = await statusOf(service);
    assert.deepEqual(states(status), ['model open', 'memory done', 'reach open']);
    assert.ok(status.needed);
    const other = await statusOf(service, { 'x-user-id': 'somebody-else' });
    assert.deepEqual(states(other), ['model open', 'memory open', 'reach open']);
  });

  test('a model that has no key, and one that nobody serves', async () => {
    const claim = await claimOf(service);
    const tried = (body: object, headers = claim) => service.ask('POST', '/api/setup/try', { body, headers });
    assert.equal((await tried({ provider: 'local-runner' }, {})).status, 401);
    const without = await tried({ provider: 'cloud-a' });
    assert.equal(without.status, 404);
    assert.match(String(without.body.message), /Anthropic has no key yet/);
    const { status, body } = await tried({ provider: 'ollama' });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      provider: 'local-runner',
      label: 'Ollama',
      ok: false,
      error: 'The provider could not be reached',
    });
  });
});

describe('the setup of a service with models', () => {
  const set = modelledService(LIMITS, { slots: 'as chosen' });

  test('is not needed: the first slots are chosen by then, and skipping changes no fact', async () => {
    const claim = await claimOf(set.service);
    const status = await statusOf(set.service);
    assert.ok(!status.needed);
    assert.deepEqual(states(status), ['model done', 'memory open', 'reach open']);
    await set.service.put('/api/setup/steps/model', { state: 'skipped' }, claim);
    assert.deepEqual(states(await statusOf(set.service)), ['model done', 'memory open', 'reach open']);
    assert.equal((await set.service.put('/api/setup/steps/model', { state: 'done' }, claim)).status, 200);
  });

  for (const provider of ['cloud-a', 'cloud-b', 'gateway', 'local-runner'])
    test(`${provider} is proven with a real completion, whose price is told`, async () => {
      set.models.script(says('Hello, I am a script.'));
      const headers = await claimOf(set.service);
      const { status, body } = await set.service.ask('POST', '/api/setup/try', {
        headers,
        body: { provider },
      });
      assert.equal(status, 200);
      assert.ok(body.ok, JSON.stringify(body));
      assert.equal(body.provider, provider);
      assert.equal(body.answer, 'Hello, I am a script.');
      assert.ok(typeof body.model === 'string' && typeof body.ms === 'number');
      if (provider === 'local-runner') assert.equal(body.costUsd, 0);
      if (provider === 'gateway') assert.ok(Number(body.costUsd) > 0);
    });

  test('nothing is kept of a trial', async () => {
    set.models.script(says('Hello.'));
    const headers = await claimOf(set.service);
    const before = (await set.service.get<{ events: unknown[] }>('/api/events?limit=1000')).body.events
      .length;
    const body = { provider: 'cloud-a', apiKey: 'another-key-to-try', model: 'claude-haiku-4-5' };
    const { body: answer } = await set.service.ask('POST', '/api/setup/try', { headers, body });
    assert.equal(answer.model, 'claude-haiku-4-5');
    const after = (await set.service.get<{ events: unknown[] }>('/api/events?limit=1000')).body.events.length;
    assert.equal(after, before);
    assert.doesNotMatch(set.service.logged, /another-key-to-try/);
  });
});

describe('the setup of a service with a key', () => {
  const key = 'the-key-of-the-service';
  const authorization = { authorization: `Bearer ${key}` };
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ ...LIMITS, OLLAMA_HOST: NOWHERE, SERVICE_API_KEY: key });
  });
  afterAll(() => service.stop());

  test('is told to who has it, needs no claim, and reach is done', async () => {
    assert.equal((await service.get('/api/setup/status')).status, 401);
    const status = await statusOf(service, authorization);
    assert.ok(status.needed && !status.claimRequired);
    assert.deepEqual(states(status), ['model open', 'memory open', 'reach done']);
    const put = (headers: Record<string, string>) =>
      service.put('/api/setup/steps/model', { state: 'skipped' }, headers);
    assert.equal((await put({})).status, 401);
    assert.equal((await put({ 'x-setup-token': 'whatever' })).status, 401);
    assert.equal((await put(authorization)).status, 200);
  });
});
