import assert from 'node:assert/strict';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { failingKey } from '../gateways/credentials/scriptedGateway.ts';
import { shownToken, startWith, storeKey } from '../support/credentials.ts';
import {
  EventReader,
  type InProcessService,
  limitIn,
  type ServiceUnderTest,
  TEST_NOW,
} from '../support/service.ts';

const A = 'provider-cloud-a';
const HALF_AN_HOUR = 30 * 60_000;

interface Updated {
  type: string;
  data: { providerId: string; action: string };
}

async function updates(service: ServiceUnderTest) {
  const { body } = await service.get<{ events: Updated[] }>('/api/events?type=provider.credentials.updated');
  return body.events.map(({ data }) => data);
}

describe('without an API key', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await startWith();
  });
  afterAll(() => service.stop());

  test('a setup token is shown, and lets keys be stored for half an hour', async () => {
    const { status, body } = await service.get<{ token: string; expiresAt: number }>('/api/setup-token');
    assert.equal(status, 200);
    assert.equal(body.expiresAt, TEST_NOW + HALF_AN_HOUR);
    assert.match(body.token, /^[\w-]{43}$/);
    const headers = { 'x-setup-token': body.token };
    const stored = await storeKey(service, 'sk-first', headers);
    assert.equal(stored.status, 200, stored.text);
    assert.deepEqual(stored.body, { success: true, providerId: A });
    // Another page that sets the service up does not end the token of the first.
    await service.get('/api/setup-token');
    await service.advance(HALF_AN_HOUR - 1);
    assert.equal((await storeKey(service, 'sk-second', headers)).status, 200);
    await service.advance(1);
    const late = await storeKey(service, 'sk-third', headers);
    assert.equal(late.status, 401);
    assert.equal(late.body.error, 'Unauthorized');
    assert.match(String(late.body.message), /setup-token/);
  });

  test('without a token, or with a made-up one, nothing is stored, whatever the body is', async () => {
    for (const headers of [
      {},
      { 'x-setup-token': 'x' },
      { 'x-setup-token': '' },
      { authorization: 'Bearer x' },
    ])
      for (const body of [{ providerId: A, apiKey: 'sk-first' }, {}, { providerId: 'nobody', apiKey: '' }]) {
        const { status } = await service.ask('POST', '/api/credentials', { headers, body });
        assert.equal(status, 401);
      }
  });

  test('what a proxy on this machine passes on does not come from this machine', async () => {
    const token = await shownToken(service);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host']) {
      const headers = { ...token, [header]: '127.0.0.1' };
      const shown = await service.get('/api/setup-token', headers);
      assert.equal(shown.status, 403, header);
      assert.equal(shown.body.error, 'Forbidden');
      assert.equal(typeof shown.body.message, 'string');
      assert.equal((await storeKey(service, 'sk-first', headers)).status, 403, header);
    }
  });

  test('the token can be asked for by POST too', async () => {
    const { status, body } = await service.ask('POST', '/api/setup-token');
    assert.equal(status, 200);
    const stored = await storeKey(service, 'sk-by-post', { 'x-setup-token': String(body.token) });
    assert.equal(stored.status, 200, stored.text);
  });

  test('pages of other origins get no token, and end none', async () => {
    const mine = await shownToken(service);
    for (const method of ['GET', 'POST'])
      for (const headers of [
        { origin: 'https://elsewhere.example' },
        { origin: 'http://localhost:5173' },
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      ])
        for (let asked = 0; asked < 20; asked++) {
          const { status, text } = await service.ask(method, '/api/setup-token', { headers });
          assert.equal(status, 403);
          assert.doesNotMatch(text, /token"/);
        }
    assert.equal((await storeKey(service, 'sk-mine', mine)).status, 200);
  });

  const refusedKeys = {
    'an empty key': '',
    'a key of white space': ' \n\t ',
    'a key that is too long': 'k'.repeat(257),
    'a key with a space inside': 'sk secret',
    'a key with a line end inside': 'sk-secret\nX-Header: 1',
    'a key with a control character': 'sk-secret\u0000',
    'a key with an accent': 'sk-s\u00e9cret',
    'a number': 12345,
    nothing: undefined,
  };
  for (const [what, key] of Object.entries(refusedKeys))
    test(`${what} is refused, and not repeated`, async () => {
      const headers = await shownToken(service);
      for (const path of ['/api/credentials', '/api/credentials/validate']) {
        const { status, text } = await service.ask('POST', path, {
          body: { providerId: A, apiKey: key },
          headers,
        });
        assert.equal(status, 400, text);
        assert.match(text, /"path":\["apiKey"\]/);
        assert.doesNotMatch(text, /secret|cret|12345|kkk/);
      }
    });

  test('white space at the ends of a key is taken off', async () => {
    const headers = await shownToken(service);
    await storeKey(service, 'sk-same', headers, 'provider-cloud-b');
    const before = await updates(service);
    const long = await storeKey(service, ` ${'k'.repeat(256)}\r\n`, headers, 'provider-gateway');
    assert.equal(long.status, 200);
    assert.equal((await storeKey(service, '\t sk-same\r\n', headers, 'provider-cloud-b')).status, 200);
    // The same key again is no change.
    assert.equal((await updates(service)).length, before.length + 1);
  });

  test('only providers that have keys can be given one', async () => {
    const headers = await shownToken(service);
    for (const providerId of ['provider-local-runner', 'cloud-a', 'provider-', '__proto__', 7])
      assert.equal(
        (await service.ask('POST', '/api/credentials', { body: { providerId, apiKey: 'k' }, headers }))
          .status,
        400,
      );
  });
});

test('created, rotated, deleted: each change is an event without the key', async (t) => {
  const service = await startWith();
  t.onTestFinished(() => service.stop());
  const reader = await EventReader.open(
    `${service.url}/api/events/stream?topics=provider.credentials.*&after=0`,
  );
  const headers = await shownToken(service);
  await storeKey(service, 'sk-first', headers);
  await storeKey(service, 'sk-second', headers);
  await storeKey(service, 'sk-second', headers);
  await storeKey(service, 'sk-b', headers, 'provider-cloud-b');
  const removed = await service.ask('DELETE', `/api/credentials/${A}`);
  assert.deepEqual([removed.status, removed.body], [200, { success: true, providerId: A }]);
  const again = await service.ask('DELETE', `/api/credentials/${A}`);
  assert.deepEqual([again.status, again.body], [200, { success: true, providerId: A }]);
  await storeKey(service, 'sk-third', headers);
  const cleared = await service.ask('POST', '/api/credentials/clear-all');
  assert.equal(cleared.status, 200);
  assert.deepEqual(cleared.body, { success: true, removed: ['provider-cloud-b', A] });
  assert.deepEqual((await service.ask('POST', '/api/credentials/clear-all')).body, {
    success: true,
    removed: [],
  });
  const seen = await updates(service);
  assert.deepEqual(
    seen.map(({ providerId, action }) => `${action} ${providerId}`),
    [
      `created ${A}`,
      `rotated ${A}`,
      'created provider-cloud-b',
      `deleted ${A}`,
      `created ${A}`,
      'deleted provider-cloud-b',
      `deleted ${A}`,
    ],
  );
  const first = await reader.next();
  assert.equal(first?.event, 'provider.credentials.updated');
  reader.close();
});

test('only ids of credential scopes are removed', async (t) => {
  const service = await startWith();
  t.onTestFinished(() => service.stop());
  for (const id of [
    'cloud-a',
    'Provider-cloud-a',
    'provider.cloud',
    'a%2Fb',
    `provider-${'x'.repeat(128)}`,
  ]) {
    const { status, body } = await service.ask('DELETE', `/api/credentials/${id}`);
    assert.equal(status, 400, id);
    assert.equal(typeof body.error, 'string');
  }
  assert.equal((await service.ask('DELETE', '/api/credentials/provider-nobody')).status, 200);
});

test('a repeated request with the same idempotency key changes nothing the second time', async (t) => {
  const service = await startWith();
  t.onTestFinished(() => service.stop());
  const headers = { ...(await shownToken(service)), 'idempotency-key': 'once' };
  await storeKey(service, 'sk-first', headers);
  await service.ask('DELETE', `/api/credentials/${A}`);
  assert.equal((await storeKey(service, 'sk-first', headers)).status, 200);
  assert.deepEqual((await service.ask('POST', '/api/credentials/clear-all')).body.removed, []);
});

test('with an API key, that is what has to be shown, and there is no setup token', async (t) => {
  const service = await startWith({ SERVICE_API_KEY: 'the-api-key' });
  t.onTestFinished(() => service.stop());
  const withKey = { authorization: 'Bearer the-api-key' };
  for (const headers of [{}, withKey]) {
    const { status, body } = await service.get('/api/setup-token', headers);
    assert.equal(status, 403);
    assert.deepEqual(Object.keys(body), ['error', 'message']);
    assert.equal(body.error, 'Forbidden');
  }
  assert.equal((await storeKey(service, 'sk-first', {})).status, 401);
  assert.equal((await storeKey(service, 'sk-first', { 'x-setup-token': 'anything' })).status, 401);
  assert.equal((await storeKey(service, 'sk-first', { authorization: 'Bearer wrong' })).status, 401);
  assert.equal((await storeKey(service, 'sk-first', withKey)).status, 200);
  assert.equal((await service.ask('DELETE', `/api/credentials/${A}`)).status, 401);
  assert.equal((await service.ask('POST', '/api/credentials/clear-all')).status, 401);
  const { status, body } = await service.ask('POST', '/api/credentials/validate', {
    body: { providerId: A, apiKey: 'good' },
  });
  assert.deepEqual([status, body], [200, { valid: true, providerId: A }]);
});

test('from another address nothing is stored and no token is shown', async (t) => {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((found) => found?.family === 'IPv4' && !found.internal)?.address;
  if (!address) return t.skip('this machine has no address but its own');
  const open = { SERVICE_HOST: '0.0.0.0', SERVICE_ALLOW_OPEN: 'true' };
  for (const environment of [open, { ...open, SERVICE_API_KEY: 'the-api-key' }]) {
    const service = await startWith(environment);
    const here = await shownToken(service);
    const headers = { ...here, authorization: 'Bearer the-api-key', 'x-forwarded-for': '127.0.0.1' };
    const url = `http://${address}:${service.port}`;
    const token = await fetch(`${url}/api/setup-token`, { headers });
    assert.equal(token.status, 403);
    const stored = await fetch(`${url}/api/credentials`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ providerId: A, apiKey: 'sk-first' }),
    });
    assert.equal(stored.status, 403);
    const { error, message } = Object(await stored.json());
    assert.equal(error, 'Forbidden');
    // What to do instead.
    assert.match(message, /`hark setup`.*docker exec -it <container> hark setup.*ANTHROPIC_API_KEY_FILE/);
    await service.stop();
  }
});

describe('trying a key', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await startWith();
  });
  afterAll(() => service.stop());
  const validate = (apiKey: string, providerId = A) =>
    service.ask('POST', '/api/credentials/validate', { body: { providerId, apiKey } });

  test('says whether the provider takes it, in words of ours, and keeps nothing', async () => {
    assert.deepEqual((await validate('good')).body, { valid: true, providerId: A });
    assert.deepEqual((await validate(failingKey('key'))).body, {
      valid: false,
      providerId: A,
      error: 'The provider refused the key',
    });
    const { status, text } = await validate('throws');
    assert.equal(status, 200);
    assert.doesNotMatch(text, /wrong key|throws/);
    assert.deepEqual((await service.ask('POST', '/api/credentials/clear-all')).body.removed, []);
  });

  test('the local runner needs no key, the others do', async () => {
    const ask = (providerId: string) =>
      service.ask('POST', '/api/credentials/validate', { body: { providerId } });
    assert.deepEqual((await ask('provider-local-runner')).body, {
      valid: true,
      providerId: 'provider-local-runner',
    });
    const { status, body } = await ask(A);
    assert.equal(status, 400);
    assert.deepEqual(body.issues, [{ path: ['apiKey'], message: 'The key is missing' }]);
    assert.equal((await ask('provider-nobody')).status, 400);
  });

  test('one at a time for an address, and who goes away makes room', async () => {
    const hanging = hang(service, '127.0.0.1');
    let refused = await validate('good');
    while (refused.status === 200) refused = await validate('good');
    assert.equal(refused.status, 429);
    assert.deepEqual(refused.body, { error: 'Too many requests', retryAfter: 5 });
    assert.deepEqual(limitIn(refused.headers), ['1', '0', '5']);
    hanging.destroy();
    let answer = await validate('good');
    while (answer.status === 429) answer = await validate('good');
    assert.equal(answer.status, 200);
  });
});

test('the last that is free is for who shows the key', async (t) => {
  const key = { authorization: 'Bearer a-very-secret-key' };
  const service = await startWith({ SERVICE_API_KEY: 'a-very-secret-key' });
  t.onTestFinished(() => service.stop());
  const hanging = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'].map((from) => hang(service, from));
  const validate = (headers = {}) =>
    service.ask('POST', '/api/credentials/validate', { body: { providerId: A, apiKey: 'good' }, headers });
  let stranger = await validate();
  while (stranger.status === 200) stranger = await validate();
  assert.equal(stranger.status, 429);
  assert.equal((await validate(key)).status, 200);
  for (const asked of hanging) asked.destroy();
});

/** A trial that does not end by itself, from an address of this machine. */
function hang({ url }: ServiceUnderTest, localAddress: string) {
  const headers = { 'content-type': 'application/json' };
  const options = { method: 'POST', headers, agent: false, localAddress };
  return request(`${url}/api/credentials/validate`, options)
    .on('error', () => undefined)
    .end(JSON.stringify({ providerId: A, apiKey: 'hangs' }));
}

test('trying and storing keys is limited by address', async (t) => {
  const service = await startWith({ CHAT_RATE_LIMIT: '3' });
  t.onTestFinished(() => service.stop());
  const statuses: number[] = [];
  for (let tries = 0; tries < 5; tries++)
    statuses.push((await service.ask('POST', '/api/credentials/validate', { body: {} })).status);
  assert.deepEqual(statuses, [400, 400, 400, 429, 429]);
});
