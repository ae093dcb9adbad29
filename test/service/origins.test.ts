import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { InProcessService } from '../support/service.ts';

const ask = (host: string, more = '') =>
  `GET /api/settings HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`;

describe('which pages may ask', () => {
  let service: InProcessService;
  before(async () => {
    service = await InProcessService.start({
      API_RATE_LIMIT: '1000',
      CORS_ORIGIN: 'https://app.example.org, http://localhost:5173',
    });
  });
  after(() => service.stop());

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

  for (const origin of [
    'https://evil.example',
    'null',
    'http://localhost:5174',
    'https://app.example.org.evil',
  ])
    test(`a page of ${origin} may not`, async () => {
      const { status, body, headers } = await service.get('/api/settings', { origin });
      assert.equal(status, 403);
      assert.deepEqual(body, { error: 'Forbidden', message: 'This origin may not ask' });
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
        /^HTTP\/1.1 421 (?:.|\r\n)*{"error":"Host not served here"}$/,
      );
      const own = `Origin: http://${host}\r\n`;
      assert.match(await service.raw(ask(host, own)), /^HTTP\/1.1 421 /);
    });

  test('a request without a name is none', async () => {
    const received = await service.raw('GET /api/settings HTTP/1.1\r\nConnection: close\r\n\r\n');
    assert.match(received, /^HTTP\/1.1 400 /);
  });
});

test('with * every page may', async () => {
  const service = await InProcessService.start({ CORS_ORIGIN: '*' });
  const { status, headers } = await service.get('/api/settings', { origin: 'https://any.example' });
  assert.equal(status, 200);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  await service.stop();
});
