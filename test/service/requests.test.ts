import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService, TEST_NOW } from '../support/service.ts';

describe('what a request may look like', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '10000' });
  });
  afterAll(() => service.stop());

  const putSettings = (body: string, type = 'application/json') =>
    service.ask('PUT', '/api/settings', { body, headers: { 'content-type': type } });

  test('an answer is dated by the clock of the service', async () => {
    const { headers } = await service.ask('GET', '/api/settings');
    assert.equal(headers.get('date'), new Date(TEST_NOW).toUTCString());
  });

  test('invalid JSON is refused without being quoted', async () => {
    const { status, body } = await putSettings('{"apiRateLimit": secret-text');
    assert.equal(status, 400);
    assert.equal(body.error, 'Invalid JSON');
    assert.doesNotMatch(JSON.stringify(body), /secret-text/);
  });

  test('validation failures name the field', async () => {
    const { status, body } = await service.ask('POST', '/api/test/clock', { body: { advanceMs: 'soon' } });
    assert.equal(status, 400);
    assert.deepEqual(body, {
      error: 'Validation failed',
      issues: [{ path: ['advanceMs'], message: 'must be a number' }],
    });
  });

  test('what changes something by PUT has a body', async () => {
    for (const path of ['/api/settings', '/api/config', '/api/slots']) {
      for (const sent of [
        {},
        { body: 'null' },
        { body: '', headers: { 'content-type': 'application/json' } },
      ]) {
        const { status, body } = await service.ask('PUT', path, sent);
        assert.equal(status, 400, path);
        assert.deepEqual(body.issues, [{ path: [], message: 'A request body is required' }]);
      }
      assert.notEqual((await service.ask('PUT', path, { body: '{}' })).text, '');
    }
    assert.equal((await putSettings('{}')).status, 200);
  });

  test('the clock does not go beyond the last date', async () => {
    for (const advanceMs of [8_640_000_000_000_000, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await service.advance(advanceMs);
      assert.equal(status, 400);
      assert.deepEqual(body.issues, [{ path: ['advanceMs'], message: 'Later than any date' }]);
    }
    const { body } = await service.advance(0);
    assert.equal(body.now, TEST_NOW);
  });

  test('unknown fields are refused where an operation says so', async () => {
    const { status } = await service.ask('POST', '/api/test/clock', { body: { advanceMs: 0, more: 1 } });
    assert.equal(status, 400);
  });

  for (const body of ['[1]', '"text"', '7', 'true'])
    test(`a body that is ${body} and no object is refused`, async () => {
      assert.equal((await putSettings(body)).status, 400);
    });

  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense'])
    test(`a body of type ${type} is refused`, async () => {
      const { status, body } = await putSettings('{"apiRateLimit": 1}', type);
      assert.equal(status, 415);
      assert.match(String(body.error), /^Unsupported media type/);
    });

  test('a body without a type is refused', async () => {
    const received = await service.raw(
      'PUT /api/settings HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
    );
    assert.match(received, /^HTTP\/1.1 415 /);
  });

  for (const body of [
    '{"__proto__": {"polluted": 1}}',
    '{"\\u005f_proto__": {"polluted": 1}}',
    '{"a": [{"__proto__": null}]}',
    '{"constructor": {"prototype": {"polluted": 1}}}',
  ])
    test(`a key that reaches for prototypes is refused: ${body}`, async () => {
      assert.equal((await putSettings(body)).status, 400);
      assert.equal(Reflect.get({}, 'polluted'), undefined);
    });

  test('deep nesting is refused', async () => {
    for (const depth of [65, 100_000]) {
      const { status, body } = await putSettings(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
      assert.equal(status, 400, `depth ${depth}`);
      assert.equal(body.error, 'Validation failed');
    }
  });

  test('a body above 1 MB is met with a closed connection and no answer', async () => {
    const head = 'PUT /api/settings HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    const large = `{"a":"${'x'.repeat(1_048_576)}"}`;
    assert.equal(await service.raw(`${head}Content-Length: ${large.length}\r\n\r\n${large}`), '');
    const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    assert.equal(await service.raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`), '');
    const { text } = await service.get('/metrics');
    assert.match(text, /requests_total{method="PUT",path="\/api\/settings",status="closed"} 2\n/);
  });

  test('a body of just 1 MB is looked at', async () => {
    const filler = 'x'.repeat(1_048_576 - '{"nope":""}'.length);
    assert.equal((await putSettings(`{"nope":"${filler}"}`)).body.error, 'Validation failed');
  });

  for (const id of ['a b', 'a.b', 'ä', '%2e%2e', 'x'.repeat(129)])
    test(`the path id ${id.slice(0, 10)} is refused`, async () => {
      const { status, body } = await service.get(`/health/${encodeURI(id)}`);
      assert.equal(status, 400);
      assert.equal(body.error, 'Invalid ID format');
    });

  test('an id of 128 characters is one', async () => {
    assert.equal((await service.get(`/health/${'x'.repeat(128)}`)).status, 404);
  });

  test('a path that cannot be decoded is refused, and counted', async () => {
    const { status, body } = await service.get('/api/%zz');
    assert.equal(status, 400);
    assert.doesNotMatch(JSON.stringify(body), /zz/);
    assert.match((await service.get('/metrics')).text, /path="unmatched",status="400"} 1\n/);
  });

  for (const header of ['X-User-Id: a\rSet-Cookie: b', 'X-User-Id: a\nb: c', 'X User: a', 'X-User-Id: a\0b'])
    test(`a header that smuggles is refused: ${JSON.stringify(header)}`, async () => {
      const received = await service.raw(
        `GET /api/settings HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`,
      );
      assert.match(received, /^HTTP\/1.1 400 /);
      assert.doesNotMatch(received, /set-cookie/i);
    });

  test('two lengths in one request are refused', async () => {
    const received = await service.raw(
      'PUT /api/settings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    );
    assert.match(received, /^HTTP\/1.1 400 /);
  });

  test('headers without end are refused', async () => {
    const received = await service.raw(
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    assert.match(received, /^HTTP\/1.1 431 /);
  });

  test('a correlation id is kept when it is one, and else made', async () => {
    const kept = await service.get('/health', { 'x-correlation-id': 'my-request_1' });
    assert.equal(kept.headers.get('x-correlation-id'), 'my-request_1');
    const made = await service.get('/health', { 'x-correlation-id': 'a, b' });
    assert.match(made.headers.get('x-correlation-id') ?? '', /^[0-9a-f-]{36}$/);
  });

  test('an unknown route is 404, and its path is in no metric', async () => {
    const { status, body } = await service.get('/api/some-secret-path?token=abc');
    assert.equal(status, 404);
    assert.deepEqual(body, { error: 'Not found' });
    const { text } = await service.get('/metrics');
    assert.match(text, /service_http_requests_total{method="GET",path="unmatched",status="404"} 1\n/);
    assert.doesNotMatch(text, /some-secret-path/);
  });

  test('HEAD answers as GET does, without the body', async () => {
    const { status, headers, text } = await service.ask('HEAD', '/api/settings');
    assert.equal(status, 200);
    assert.equal(text, '');
    assert.equal(headers.get('content-length'), String((await service.get('/api/settings')).text.length));
  });

  test('a command that is repeated under one Idempotency-Key changes something once', async () => {
    const once = { 'idempotency-key': 'change-1' };
    await service.put('/api/settings', { memoryTokenBudget: 700 }, once);
    await service.put('/api/settings', { memoryTokenBudget: 800 });
    await service.put('/api/settings', { memoryTokenBudget: 700 }, once);
    const { body } = await service.get<{ settings: Record<string, { value: unknown }> }>('/api/settings');
    assert.equal(body.settings.memoryTokenBudget?.value, 800);
    await service.put('/api/settings', { memoryTokenBudget: 700 }, { ...once, 'x-user-id': 'another' });
    const later = await service.get<{ settings: Record<string, { value: unknown }> }>('/api/settings');
    assert.equal(later.body.settings.memoryTokenBudget?.value, 700);
  });

  test('an Idempotency-Key counts whatever other headers say, and is refused when it is none', async () => {
    const others = { 'last-event-id': '1', 'x-setup-token': 'x' };
    const once = { 'idempotency-key': 'change-2', ...others };
    await service.put('/api/settings', { memoryTokenBudget: 710 }, once);
    await service.put('/api/settings', { memoryTokenBudget: 810 });
    await service.put('/api/settings', { memoryTokenBudget: 710 }, once);
    const { body } = await service.get<{ settings: Record<string, { value: unknown }> }>('/api/settings');
    assert.equal(body.settings.memoryTokenBudget?.value, 810);
    const invalid = { 'idempotency-key': 'a b', ...others };
    assert.equal((await service.put('/api/settings', { memoryTokenBudget: 1 }, invalid)).status, 400);
  });
});
