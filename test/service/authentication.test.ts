import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../support/service.ts';

const KEY = 'a-very-secret-key';
const good = { authorization: `Bearer ${KEY}` };

describe('with an API key', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ SERVICE_API_KEY: KEY, SERVICE_USER_ID: 'owner' });
  });
  afterAll(() => service.stop());

  test('who shows it is let in', async () => {
    assert.equal((await service.get('/api/settings', good)).status, 200);
    assert.equal((await service.get('/api/settings', { authorization: `bearer ${KEY}` })).status, 200);
  });

  const bad = { none: {}, basic: { authorization: `Basic ${KEY}` }, bare: { authorization: KEY } };
  for (const [name, headers] of Object.entries(bad))
    test(`who shows ${name} is not`, async () => {
      const { status, body, headers: answered } = await service.get('/api/settings', headers);
      assert.equal(status, 401);
      assert.deepEqual(body, { error: 'Unauthorized', message: 'Missing API key' });
      assert.equal(answered.get('www-authenticate'), 'Bearer');
      assert.match(answered.get('x-ratelimit-remaining') ?? '', /^\d+$/);
    });

  test('a wrong key is refused', async () => {
    const { status, body } = await service.get('/api/settings', { authorization: `Bearer ${KEY}x` });
    assert.equal(status, 401);
    assert.deepEqual(body, { error: 'Unauthorized', message: 'Wrong API key' });
    assert.doesNotMatch(service.logged, new RegExp(KEY));
  });

  test('what does not exist is not told to who may not ask', async () => {
    assert.equal((await service.get('/api/nowhere')).status, 401);
    assert.equal((await service.get('/%61pi/settings')).status, 401);
    assert.equal((await service.get('/api/openapi.json')).status, 401);
  });

  for (const path of ['/health', '/health/metrics', '/health/event-log', '/metrics', '/', '/docs'])
    test(`${path} is open`, async () => {
      assert.equal((await service.get(path)).status, 200);
    });

  test('a preflight needs no key', async () => {
    assert.equal((await service.ask('OPTIONS', '/api/settings')).status, 204);
  });

  test('a device that is not known is refused, also with the key', async () => {
    for (const device of [{ 'x-device-id': 'd1', 'x-device-secret': 's' }, { 'x-device-id': 'd1' }]) {
      assert.equal((await service.get('/api/settings', { ...good, ...device })).status, 401);
    }
  });

  test('X-User-Id has to be an id', async () => {
    assert.equal((await service.get('/api/settings', { ...good, 'x-user-id': 'someone' })).status, 200);
    const { status } = await service.get('/api/settings', { ...good, 'x-user-id': 'a b' });
    assert.equal(status, 400);
  });

  test('an address that guesses has to wait, and whoever has the key there does not', async () => {
    await service.ask('POST', '/api/test/clock', { body: { advanceMs: 61_000 }, headers: good });
    for (let guess = 0; guess < 10; guess++) {
      assert.equal((await service.get('/api/settings', { authorization: `Bearer ${guess}` })).status, 401);
    }
    const guessed = await service.get('/api/settings', { authorization: 'Bearer 10' });
    const { status, headers, body } = guessed;
    assert.equal(status, 429);
    assert.deepEqual(body, {
      error: 'Too many requests',
      message: 'Too many failed attempts to authenticate',
      retryAfter: 60,
    });
    assert.equal(headers.get('retry-after'), '60');
    assert.equal(headers.get('x-ratelimit-remaining'), '0');
    assert.equal((await service.get('/health')).status, 200);
    assert.equal((await service.get('/api/settings', good)).status, 200);
  });
});

test('who shows no key, or a wrong one, does not use up what who has it may ask', async (t) => {
  const service = await InProcessService.start({ SERVICE_API_KEY: KEY, API_RATE_LIMIT: '20' });
  t.onTestFinished(() => service.stop());
  for (let asked = 0; asked < 10; asked++) {
    await service.get('/api/settings');
    await service.get('/api/settings', { authorization: `Bearer ${asked}` });
  }
  assert.equal((await service.get('/api/settings')).status, 429);
  assert.equal((await service.get('/api/settings', { authorization: 'Bearer x' })).status, 429);
  const { status, headers } = await service.get('/api/settings', good);
  assert.equal(status, 200);
  assert.equal(headers.get('x-ratelimit-remaining'), '19');
});

test('a key shown where none is needed says who asks', async (t) => {
  const service = await InProcessService.start({ SERVICE_API_KEY: KEY, CHAT_RATE_LIMIT: '5' });
  t.onTestFinished(() => service.stop());
  const remaining = async (headers: Record<string, string>) => {
    const answer = await service.ask('POST', '/api/credentials/validate', { body: {}, headers });
    assert.equal(answer.status, 400);
    return answer.headers.get('x-ratelimit-remaining');
  };
  assert.equal(await remaining({}), '4');
  assert.equal(await remaining({ authorization: 'Bearer wrong-key' }), '3');
  assert.equal(await remaining(good), '4');
});

test('without a key everything is open', async () => {
  const service = await InProcessService.start();
  assert.equal((await service.get('/api/settings')).status, 200);
  assert.equal((await service.get('/api/settings', { authorization: 'Bearer whatever' })).status, 200);
  await service.stop();
});
