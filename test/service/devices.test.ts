import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'vitest';
import type { DeviceView } from '../../src/interfaces/operations/deviceShapes.ts';
import { InProcessService, limitIn, TEST_NOW } from '../support/service.ts';

interface Answered {
  readonly device: DeviceView;
  readonly secret: string | null;
}
interface Listed {
  readonly devices: readonly DeviceView[];
  readonly count: number;
  readonly next?: string;
}

const MINUTE_MS = 60_000;

describe('devices', () => {
  let service: InProcessService;
  beforeEach(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
  });
  afterEach(() => service.stop());

  const register = (body: object = {}, headers: Record<string, string> = {}) =>
    service.ask<Answered>('POST', '/api/devices/register', {
      headers,
      body: { type: 'esp32', capabilities: { audio: true }, ...body },
    });
  const change = (id: string, body: object, headers = {}) =>
    service.ask<Answered>('PUT', `/api/devices/${id}`, { body, headers });
  const show = (id: string, headers = {}) => service.get<Answered>(`/api/devices/${id}`, headers);
  const list = (query = '', headers = {}) => service.get<Listed>(`/api/devices${query}`, headers);
  /** One that is in use. */
  const add = async (body: object = {}, headers: Record<string, string> = {}) => {
    const { device, secret } = (await register(body, headers)).body;
    await change(device.id, { status: 'active' }, headers);
    return { id: device.id, secret: secret ?? '' };
  };

  test('a device registers, is approved and speaks for who approved it', async () => {
    const { status, body } = await register({ name: 'Kitchen' });
    assert.equal(status, 201);
    const { secret, device } = body;
    assert.match(secret ?? '', /^[\w-]{43}$/);
    assert.deepEqual(device, {
      id: device.id,
      name: 'Kitchen',
      type: 'esp32',
      status: 'pending',
      capabilities: {
        audio: true,
        microphone: false,
        speaker: false,
        display: false,
        buttons: false,
        sensors: false,
      },
      userId: null,
      trustLevel: 0,
      keyed: false,
      createdAt: TEST_NOW,
      lastSeenAt: null,
      authentications: 0,
    });
    const approved = await change(device.id, { status: 'active' });
    assert.deepEqual(approved.body.device, { ...device, status: 'active', userId: 'default' });
    assert.deepEqual((await show(device.id)).body, approved.body);
    const events = await service.get('/api/events?type=device.registered');
    assert.doesNotMatch(events.text + service.logged, new RegExp(secret ?? ''));
  });

  test('the fourth that waits at an address has to come later', async () => {
    const [{ id: first = '' } = {}] = await Promise.all(
      [1, 2, 3].map(async () => (await register()).body.device),
    );
    const refused = await register();
    assert.equal(refused.status, 429);
    assert.deepEqual([refused.headers.get('retry-after'), Object(refused.body).retryAfter], ['300', 300]);
    assert.deepEqual(limitIn(refused.headers), ['3', '0', '300']);
    await change(first, { status: 'active' });
    assert.equal((await register()).status, 201);
    assert.equal((await register()).status, 429);
    await service.advance(5 * MINUTE_MS);
    assert.equal((await list()).body.count, 1);
    assert.equal((await register()).status, 201);
  });

  test('a list is whole, or told in pages, newest first', async () => {
    const ids: string[] = [];
    for (const type of ['cli', 'esp32', 'cli', 'browser', 'cli'])
      ids.unshift((await add({ type, name: type })).id);
    const whole = (await list()).body;
    assert.deepEqual([whole.devices.map(({ id }) => id), whole.count], [ids, 5]);
    const first = (await list('?limit=2')).body;
    assert.deepEqual([first.devices.map(({ id }) => id), first.next], [ids.slice(0, 2), ids[1]]);
    const last = (await list(`?limit=3&after=${first.next}`)).body;
    assert.deepEqual([last.devices.map(({ id }) => id), last.next], [ids.slice(2), undefined]);
    const { body } = await list('?type=cli&status=active');
    assert.deepEqual([body.count, body.devices.map(({ name }) => name)], [3, ['cli', 'cli', 'cli']]);
    assert.equal((await list('?status=revoked')).body.count, 0);
    assert.equal((await list('?type=toaster')).status, 400);
    assert.equal((await list('?after=nobody')).status, 404);
  });

  test('a device belongs to its users, and nobody else hears of it', async () => {
    const ann = { 'X-User-Id': 'ann' };
    const bob = { 'X-User-Id': 'bob' };
    const { id } = await add({ name: 'Of Ann' }, ann);
    assert.equal((await show(id, ann)).body.device.userId, 'ann');
    for (const refused of [
      await show(id, bob),
      await change(id, { status: 'revoked' }, bob),
      await list(`?after=${id}`, bob),
    ])
      assert.deepEqual([refused.status, Object(refused.body).deviceId], [404, id]);
    assert.equal((await list('', bob)).body.count, 0);
    assert.equal((await service.get(`/api/events?stream=device-${id}`, bob)).text.includes('device.'), false);
    const { body } = await service.ask<Answered>('POST', `/api/devices/${id}/link`, {
      headers: ann,
      body: { userId: 'bob' },
    });
    assert.equal(body.device.userId, 'bob');
    assert.equal((await show(id, bob)).body.device.name, 'Of Ann');
    assert.equal((await change(id, { name: 'Of Bob' }, bob)).body.device.name, 'Of Bob');
  });

  test('what is deleted is gone, and its name with it', async () => {
    const { id } = await add({ name: 'Lamp of Ann' });
    assert.equal((await service.ask('DELETE', `/api/devices/${id}`)).status, 200);
    assert.equal((await show(id)).status, 404);
    assert.equal((await service.ask('DELETE', `/api/devices/${id}`)).status, 404);
    assert.equal((await change(id, { status: 'active' })).status, 404);
    const { text } = await service.get(`/api/events?stream=device-${id}`);
    assert.match(text, /device\.deleted/);
    assert.doesNotMatch(text, /Lamp/);
  });

  test('a name is forgotten with its user', async () => {
    const { id } = await add({ name: 'Lamp of Ann' });
    await service.ask('DELETE', '/api/memory');
    const { device } = (await show(id)).body;
    assert.deepEqual([device.name, device.status], [null, 'active']);
  });

  test('what makes no sense is refused', async () => {
    for (const body of [
      { type: 'toaster' },
      { capabilities: undefined },
      { capabilities: { audio: 'yes' } },
      { name: '' },
      { name: 'n'.repeat(101) },
    ])
      assert.equal((await register(body)).status, 400, JSON.stringify(body));
    const { id } = await add();
    assert.equal((await change(id, { status: 'gone' })).status, 400);
    assert.equal((await change('no', { status: 'active' })).status, 404);
    assert.equal((await show('a.b')).status, 400);
  });

  test('a registration that is repeated under its key is one', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const [first, second] = [await register({}, headers), await register({}, headers)];
    assert.equal(second.body.device.id, first.body.device.id);
    assert.equal(second.body.secret, null);
  });
});
