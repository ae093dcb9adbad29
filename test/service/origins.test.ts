import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../support/service.ts';

const ask = (host: string, more = '') =>
  `GET /api/settings HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`;

describe('which pages may ask', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({
      API_RATE_LIMIT: '1000',
      CORS_ORIGIN: 'https://app.example.org, http://localhost:5173',
    });
  });
  afterAll(() => service.stop());

  for (const origin of [
    'https://app.example.org',
    'http://localhost:5173',
    'tauri://localhost',
    'http://tauri.localhost',
  ])
    test(`a page of ${origin} may`, async () => {
      const { status, headers } = await service.get('/api/settings', { origin });
      assert.equal(status, 200);
      assert.equal(headers.get('access-control-allow-origin'), origin);
      assert.equal(headers.get('vary'), 'Origin');
      const preflight = await service.ask('OPTIONS', '/api/settings', {
        headers: { origin, 'access-control-request-method': 'PUT' },
      });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('access-control-allow-origin'), origin);
      assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PUT/);
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
    });

  test('a page may tell what client of OpenAI it uses, and nothing else that it makes up', async () => {
    const { headers } = await service.ask('OPTIONS', '/v1/chat/completions', {
      headers: {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, x-stainless-os,x-stainless-retry-count, x-evil',
      },
    });
    const allowed = headers.get('access-control-allow-headers') ?? '';
    assert.match(allowed, /^Authorization, .*, X-User-Id, x-stainless-os, x-stainless-retry-count$/);
  });

  test('its own pages may', async () => {
    assert.equal((await service.get('/api/settings', { origin: service.url })).status, 200);
  });

  for (const site of ['cross-site', 'same-site'])
    test(`a page that loads something here is none of ours: ${site}`, async () => {
      const headers = { 'sec-fetch-site': site };
      for (const path of [
        '/api/settings',
        '/api/setup-token',
        '/api/memory/export',
        '/v1/models',
        '/api/x',
      ]) {
        const { status, text } = await service.get(path, headers);
        assert.equal(status, 403, path);
        assert.match(text, /"message":"Requests from pages of other sites are refused"/);
      }
      assert.equal((await fetch(service.mcpUrl, { headers })).status, 403);
      // A link to a page of ours may stand anywhere, and a page that may ask says which it is.
      assert.equal((await service.get('/', headers)).status, 200);
      const origin = 'https://app.example.org';
      assert.equal((await service.get('/api/settings', { ...headers, origin })).status, 200);
    });

  for (const site of ['none', 'same-origin'])
    test(`what is typed, and what our own pages load, may: ${site}`, async () => {
      assert.equal((await service.get('/api/settings', { 'sec-fetch-site': site })).status, 200);
    });

  for (const origin of [
    'https://evil.example',
    'null',
    'http://localhost:5174',
    'https://app.example.org.evil',
  ])
    test(`a page of ${origin} may not`, async () => {
      const { status, body, headers } = await service.get('/api/settings', { origin });
      assert.equal(status, 403);
      assert.deepEqual(body, { error: 'Forbidden', message: 'Requests from this origin are refused' });
      assert.equal(headers.get('access-control-allow-origin'), null);
      const reset = await service.ask('POST', '/api/system/reset-onboarding', { headers: { origin } });
      assert.equal(reset.status, 403);
      const preflight = await service.ask('OPTIONS', '/api/settings', { headers: { origin } });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('access-control-allow-origin'), null);
    });

  for (const host of ['127.0.0.1', 'localhost:4102', '[::1]:4102', 'app.example.org', 'LOCALHOST'])
    test(`it goes by the name ${host}`, async () => {
      assert.match(await service.raw(ask(host)), /^HTTP\/1.1 200 /);
    });

  for (const host of [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '8.8.8.8',
    'a@localhost',
  ])
    test(`it does not go by the name ${host}`, async () => {
      assert.match(
        await service.raw(ask(host)),
        /^HTTP\/1.1 421 (?:.|\r\n)*{"error":"Host name not served here"}$/,
      );
      const own = `Origin: http://${host}\r\n`;
      assert.match(await service.raw(ask(host, own)), /^HTTP\/1.1 421 /);
    });

  test('a request without a name is none', async () => {
    const received = await service.raw('GET /api/settings HTTP/1.1\r\nConnection: close\r\n\r\n');
    assert.match(received, /^HTTP\/1.1 400 /);
  });
});

test('pages that may not ask use up nothing', async (t) => {
  const service = await InProcessService.start({ API_RATE_LIMIT: '5', CHAT_RATE_LIMIT: '5' });
  t.onTestFinished(() => service.stop());
  const foreign = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
  for (const headers of foreign)
    for (let asked = 0; asked < 6; asked++) {
      const refused = await service.get('/api/settings', headers);
      assert.deepEqual([refused.status, refused.headers.get('x-ratelimit-remaining')], [403, '5']);
      assert.equal((await service.ask('POST', '/api/chat', { headers, body: {} })).status, 403);
      assert.match(
        await service.raw(ask('evil.example')),
        /^HTTP\/1.1 421 (?:.|\r\n)*x-ratelimit-remaining: 5\r\n/i,
      );
      const preflight = await service.ask('OPTIONS', '/api/settings', { headers });
      assert.deepEqual([preflight.status, preflight.headers.get('x-ratelimit-remaining')], [204, '5']);
    }
  const { headers } = await service.get('/api/settings');
  assert.equal(headers.get('x-ratelimit-remaining'), '4');
});

describe('what has power over the machine', () => {
  const powerful: readonly (readonly [method: string, path: string])[] = [
    ['GET', '/api/setup-token'],
    ['POST', '/api/setup-token'],
    ['POST', '/api/credentials'],
    ['POST', '/api/credentials/clear-all'],
    ['DELETE', '/api/credentials/provider-gateway'],
    ['PUT', '/api/settings'],
    ['PUT', '/api/config'],
    ['PUT', '/api/slots'],
    ['POST', '/api/slots/auto-configure'],
    ['POST', '/api/slots/reset'],
    ['POST', '/api/system/reconnect-kvstore'],
    ['POST', '/api/system/reset-onboarding'],
    ['POST', '/api/runner/start'],
    ['POST', '/api/runner/pull'],
    ['POST', '/api/webhooks'],
    ['PUT', '/api/webhooks/id'],
    ['GET', '/api/memory/export'],
    ['DELETE', '/api/memory'],
    ['DELETE', '/api/memory/episodes/id'],
    ['DELETE', '/api/memory/conclusions/id'],
    ['DELETE', '/api/entities/id'],
  ];
  const origins = ['http://localhost:5173', 'tauri://localhost'];

  test('is for our own pages alone, while there is no key', async (t) => {
    const service = await InProcessService.start({ API_RATE_LIMIT: '1000', CHAT_RATE_LIMIT: '1000' });
    t.onTestFinished(() => service.stop());
    for (const [method, path] of powerful) {
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
      for (const origin of origins) {
        const { status, text } = await service.ask(method, path, { headers: { origin }, ...body });
        assert.equal(status, 403, `${method} ${path} ${text}`);
        assert.match(text, /need SERVICE_API_KEY to be set/);
      }
      const own = await service.ask(method, path, { headers: { origin: service.url }, ...body });
      assert.notEqual(own.status, 403, `${method} ${path} ${own.text}`);
    }
    for (const path of ['/api/settings', '/api/slots', '/api/health'])
      for (const origin of origins) assert.equal((await service.get(path, { origin })).status, 200);
  });

  test('is for who shows the key, where there is one', async (t) => {
    const key = { authorization: 'Bearer a-very-secret-key' };
    const service = await InProcessService.start({ SERVICE_API_KEY: 'a-very-secret-key' });
    t.onTestFinished(() => service.stop());
    for (const origin of origins) {
      const change = { body: { memoryTokenBudget: 1_000 }, headers: { origin, ...key } };
      assert.equal((await service.ask('PUT', '/api/settings', change)).status, 200);
    }
  });
});

test('with * and a key every page may', async () => {
  const service = await InProcessService.start({ CORS_ORIGIN: '*', SERVICE_API_KEY: 'a-very-secret-key' });
  const { status, headers } = await service.get('/api/settings', {
    origin: 'https://any.example',
    authorization: 'Bearer a-very-secret-key',
  });
  assert.equal(status, 200);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  await service.stop();
});
