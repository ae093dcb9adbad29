import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type DeviceScope, mayDevice } from '../../src/application/deviceScope.ts';
import type { AnyOperation } from '../../src/interfaces/operation.ts';
import { addDevice, establish, type ProvenDevice } from '../support/devices.ts';
import { InProcessService } from '../support/service.ts';

const KEY = 'a-very-secret-key';
const key = { authorization: `Bearer ${KEY}` };
const proxied = { SERVICE_TRUSTED_PROXIES: '127.0.0.1' };
const environment = {
  SERVICE_API_KEY: KEY,
  API_RATE_LIMIT: '1000000',
  CHAT_RATE_LIMIT: '1000000',
  ...proxied,
};

const TASKS = '/api/scheduler/tasks';
const outOfScope = {
  error: 'Forbidden',
  message: 'This device may not do that',
  errorCode: 'DEVICE_SCOPE',
};

describe('a device asks', () => {
  let service: InProcessService;
  let lamp: ProvenDevice;
  beforeAll(async () => {
    service = await InProcessService.start({ ...environment, SERVICE_USER_ID: 'owner' });
    lamp = await addDevice(service, { by: key });
  });
  afterAll(() => service.stop());
  const laterOn = () => service.ask('POST', '/api/test/clock', { body: { advanceMs: 61_000 }, headers: key });

  test('with its proof in place of the key, within its scope', async () => {
    assert.equal((await service.get(TASKS, lamp.headers)).status, 200);
    assert.equal((await service.get(`/api/devices/${lamp.id}`, lamp.headers)).status, 200);
    const { status, body } = await service.get('/api/settings', lamp.headers);
    assert.deepEqual([status, body], [403, outOfScope]);
  });

  test('within its scope also where it shows the key, or a wrong one', async () => {
    for (const authorization of [key.authorization, 'Bearer not-needed']) {
      const both = { ...lamp.headers, authorization };
      assert.equal((await service.get(TASKS, both)).status, 200);
      assert.equal((await service.get('/api/settings', both)).status, 403);
    }
  });

  test('of its own record alone', async () => {
    const other = await addDevice(service, { by: key });
    for (const id of [other.id, 'unknown'])
      assert.equal((await service.get(`/api/devices/${id}`, lamp.headers)).status, 403);
    for (const [method, path] of [
      ['GET', '/api/devices'],
      ['DELETE', `/api/devices/${lamp.id}`],
      ['POST', `/api/devices/${lamp.id}/link`],
    ] as const)
      assert.equal((await service.ask(method, path, { headers: lamp.headers })).status, 403, path);
    const widened = { capabilities: { microphone: true }, status: 'active' };
    assert.equal((await service.put(`/api/devices/${lamp.id}`, widened, lamp.headers)).status, 403);
  });

  test('for its own user alone', async () => {
    const body = { text: 'Tea', name: 'Tea', at: 'tomorrow at 9' };
    await service.ask('POST', TASKS, { body, headers: { ...key, 'x-user-id': 'ben' } });
    const named = (user: string) => service.get(TASKS, { ...lamp.headers, 'x-user-id': user });
    assert.equal((await named('owner')).status, 200);
    const { status, body: refusal } = await named('ben');
    assert.deepEqual([status, refusal.errorCode], [403, 'DEVICE_SCOPE']);
    const bens = await addDevice(service, { by: key, userId: 'ben' });
    const listed = await service.get<{ count: number }>(TASKS, bens.headers);
    assert.equal(listed.body.count, 1);
    const completion = { model: 'hark', user: 'ben', messages: [{ role: 'user', content: 'Hi' }] };
    const over = await service.ask('POST', '/v1/chat/completions', {
      body: completion,
      headers: lamp.headers,
    });
    assert.deepEqual([over.status, over.body.errorCode], [403, 'DEVICE_SCOPE']);
  });

  test('what there is not, and is told no more than of what it may not', async () => {
    assert.equal((await service.get('/api/nowhere', lamp.headers)).status, 403);
    assert.equal((await service.get('/api/openapi.json', lamp.headers)).status, 403);
    const { status, body } = await service.get('/v1/models', lamp.headers);
    assert.deepEqual([status, body.errorCode], [403, 'DEVICE_SCOPE']);
  });

  test('where no key is needed, and its scope holds there too', async () => {
    const validate = (headers: Record<string, string>) =>
      service.ask('POST', '/api/credentials/validate', { body: {}, headers });
    assert.equal((await validate({})).status, 400);
    assert.equal((await validate(lamp.headers)).status, 403);
    assert.equal((await validate({ ...lamp.headers, 'x-device-secret': 'x' })).status, 401);
    assert.equal((await service.get('/health', { ...lamp.headers, 'x-device-secret': 'x' })).status, 200);
  });

  describe('and is refused', () => {
    const refusals: readonly (readonly [string, () => Promise<Record<string, string>>])[] = [
      ['with a wrong secret', async () => ({ ...lamp.headers, 'x-device-secret': 'x' })],
      ['with half a proof', async () => ({ 'x-device-id': lamp.id })],
      ['with the other half', async () => ({ 'x-device-secret': lamp.secret })],
      ['with an id that is none', async () => ({ ...lamp.headers, 'x-device-id': '../lamp' })],
      ['by an unknown id', async () => ({ ...lamp.headers, 'x-device-id': 'unknown' })],
      [
        'with the secret of another',
        async () => {
          const { secret } = await addDevice(service, { by: key });
          return { ...lamp.headers, 'x-device-secret': secret };
        },
      ],
      ['while it waits', async () => (await addDevice(service, { by: key, status: 'pending' })).headers],
      [
        'once it is suspended',
        async () => (await addDevice(service, { by: key, status: 'suspended' })).headers,
      ],
      ['once it is revoked', async () => (await addDevice(service, { by: key, status: 'revoked' })).headers],
      [
        'once it is deleted',
        async () => {
          const { id, headers } = await addDevice(service, { by: key });
          await service.ask('DELETE', `/api/devices/${id}`, { headers: key });
          return headers;
        },
      ],
    ];
    for (const [how, shown] of refusals)
      test(`${how}, whatever else it shows`, async () => {
        const headers = await shown();
        for (const beside of [{}, key]) {
          const { status, body } = await service.get(TASKS, { ...beside, ...headers });
          assert.deepEqual([status, body.error], [401, 'Unauthorized'], JSON.stringify(body));
        }
        await laterOn();
      });
  });

  describe('as others do, who guess', () => {
    const guess = (headers: Record<string, string>) =>
      service.get<{ retryAfter: number; message: string }>(TASKS, { 'x-device-secret': 'x', ...headers });
    const from = (address: string) => ({ 'x-forwarded-for': address });

    test('ten times from one address, which then waits, and who is right there does not', async () => {
      await laterOn();
      for (let times = 0; times < 10; times++) {
        const named = { 'x-device-id': `device-${times}`, ...from('192.0.2.1') };
        assert.equal((await guess(named)).status, 401);
      }
      const { status, headers, body } = await guess({ 'x-device-id': 'device', ...from('192.0.2.1') });
      assert.equal(status, 429);
      assert.deepEqual([headers.get('retry-after'), body.retryAfter], ['60', 60]);
      assert.equal(headers.get('x-ratelimit-remaining'), '0');
      assert.equal((await service.get(TASKS, { ...lamp.headers, ...from('192.0.2.1') })).status, 200);
      assert.equal((await guess({ 'x-device-id': 'device', ...from('192.0.2.2') })).status, 401);
    });

    test('ten times of one device from many addresses, and the device itself is let in', async () => {
      await laterOn();
      for (let times = 0; times < 10; times++)
        assert.equal((await guess({ 'x-device-id': lamp.id, ...from(`198.51.100.${times}`) })).status, 401);
      assert.equal((await guess({ 'x-device-id': lamp.id, ...from('198.51.100.77') })).status, 429);
      assert.equal((await service.get(TASKS, { ...lamp.headers, ...from('198.51.100.77') })).status, 200);
      assert.equal((await guess({ 'x-device-id': 'other', ...from('198.51.100.77') })).status, 401);
    });

    test('ten times, and still the key is looked at after that', async () => {
      await laterOn();
      for (let times = 0; times < 11; times++) await guess({ 'x-device-id': lamp.id });
      assert.equal(
        (await service.get('/api/settings', { authorization: 'Bearer guess-of-a-key' })).status,
        429,
      );
      assert.equal((await service.get('/api/settings', key)).status, 200);
      await laterOn();
    });
  });

  test('comes from the right place first, and counts as nothing before', async () => {
    await laterOn();
    const elsewhere = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
    for (const from of elsewhere)
      for (let times = 0; times < 12; times++) {
        const { status, body } = await service.get(TASKS, {
          ...lamp.headers,
          'x-device-secret': 'x',
          ...from,
        });
        assert.deepEqual([status, body.errorCode], [403, undefined]);
      }
    assert.equal((await service.get(TASKS, { ...lamp.headers, ...elsewhere[0] })).status, 403);
    assert.equal((await service.get(TASKS, { ...lamp.headers, 'x-device-secret': 'x' })).status, 401);
  });

  test('under a name of the service, and one that begins like it is none', async () => {
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { ...lamp.headers, host };
        request({ port: service.port, host: '127.0.0.1', path: TASKS, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
    assert.equal(await statusFor('127.0.0.1'), 200);
    for (const host of ['127.0.0.1.evil', '127.0.0.1.evil:80', 'localhost.evil', '[::ffff:127.0.0.1].evil'])
      assert.equal(await statusFor(host), 421, host);
  });

  test('and no header makes it local', async () => {
    const body = { providerId: 'provider-cloud-a', apiKey: 'sk-ant-none' };
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-forwarded-host'])
      for (const value of ['127.0.0.1', '::ffff:127.0.0.1', '127.0.0.1.evil', 'for=127.0.0.1']) {
        const headers = { ...key, [name]: value };
        const { status } = await service.ask('POST', '/api/credentials', { body, headers });
        assert.equal(status, 403, `${name}: ${value}`);
        const device = await service.ask('POST', '/api/credentials', {
          body,
          headers: { ...headers, ...lamp.headers },
        });
        assert.equal(device.body.errorCode, 'DEVICE_SCOPE');
      }
  });
});

describe('each operation', () => {
  let service: InProcessService;
  const kinds = new Map<string, { readonly scope: DeviceScope; readonly device: ProvenDevice }>();
  beforeAll(async () => {
    service = await InProcessService.start(environment);
    for (const [kind, trustLevel, capabilities] of [
      ['a new device with nothing', 2, {}],
      ['a new device that hears', 2, { microphone: true }],
      ['an old device that speaks', 3, { speaker: true }],
    ] as const) {
      const device = await addDevice(service, { by: key, capabilities });
      if (trustLevel === 3) await establish(service, device, key);
      kinds.set(kind, {
        device,
        scope: { deviceId: device.id, userId: 'default', trustLevel, capabilities },
      });
    }
  });
  afterAll(() => service.stop());

  const isAsked = ({ device, rest }: AnyOperation) => device !== 'proof' && /^\/(api|v1)\//.test(rest.path);

  for (const kind of ['a new device with nothing', 'a new device that hears', 'an old device that speaks'])
    test(`is open to ${kind} as it says, and else out of its scope`, async () => {
      const { device, scope } = kinds.get(kind) ?? assert.fail(kind);
      const wrong: string[] = [];
      for (const operation of service.operations.filter(isAsked)) {
        const { method, path } = operation.rest;
        for (const recordId of ['unknown', device.id]) {
          // Of what may be said only to ask: whoever is let in says nothing that could be done.
          const url = path.replace(':id', recordId).replace(/:\w+/g, 'unknown');
          const body = method === 'POST' || method === 'PUT' ? { body: '[]' } : {};
          const answer = await service.ask(method, url, { headers: device.headers, ...body });
          const isRefused = answer.status === 403 && answer.body.errorCode === 'DEVICE_SCOPE';
          if (isRefused === mayDevice(scope, operation.device, { recordId }))
            wrong.push(`${operation.name}: ${answer.status}`);
        }
      }
      assert.deepEqual(wrong, []);
    });
});

describe('without a key', () => {
  test('a device has its scope, and who shows none may all', async (t) => {
    const service = await InProcessService.start();
    t.onTestFinished(() => service.stop());
    const lamp = await addDevice(service);
    assert.equal((await service.get('/api/settings')).status, 200);
    assert.equal((await service.get('/api/settings', lamp.headers)).status, 403);
    assert.equal((await service.get(TASKS, { ...lamp.headers, 'x-device-secret': 'x' })).status, 401);
  });
});

test('guesses of three kinds take the same time', async (t) => {
  const service = await InProcessService.start({ ...environment, LOG_LEVEL: 'silent' });
  t.onTestFinished(() => service.stop());
  const known = await addDevice(service, { by: key });
  const deleted = await addDevice(service, { by: key });
  await service.ask('DELETE', `/api/devices/${deleted.id}`, { headers: key });
  const idOf = { wrong: () => known.id, deleted: () => deleted.id, unknown: () => crypto.randomUUID() };
  const took = { wrong: [] as number[], deleted: [] as number[], unknown: [] as number[] };
  const order = ['wrong', 'deleted', 'unknown'] as const;
  for (let guess = 0; guess < 10_000; guess++) {
    // Some in the first minute that are told so, and in most that follow that they have to wait.
    if (guess % 100 === 0)
      await service.ask('POST', '/api/test/clock', { body: { advanceMs: 61_000 }, headers: key });
    const kind = order[randomBytes(1).readUInt8() % 3] ?? 'wrong';
    const headers = { 'x-device-id': idOf[kind](), 'x-device-secret': randomBytes(32).toString('base64url') };
    const before = performance.now();
    await service.get(TASKS, headers);
    took[kind].push(performance.now() - before);
  }
  for (const [one, other] of [
    ['wrong', 'unknown'],
    ['wrong', 'deleted'],
    ['deleted', 'unknown'],
  ] as const)
    assert.ok(Math.abs(rankDifference(took[one], took[other])) < 4.5, `${one} ${other}`);
});

/** How far two samples are apart, in standard deviations (Mann and Whitney). */
function rankDifference(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((ms) => ({ ms, isOne: true })), ...other.map((ms) => ({ ms, isOne: false }))];
  all.sort((a, b) => a.ms - b.ms);
  const ranks = all.reduce((sum, { isOne }, index) => (isOne ? sum + index + 1 : sum), 0);
  const [n, m] = [one.length, other.length];
  const expected = (n * (n + m + 1)) / 2;
  return (ranks - expected) / Math.sqrt((n * m * (n + m + 1)) / 12);
}
