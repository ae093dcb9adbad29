import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { addDevice } from '../support/devices.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

const WISH = { type: 'esp32', capabilities: {} };

describe('devices while their Redis is away', { ...skippedFor(redisIsMissing) }, () => {
  test('are told so, nothing is half written, and they are known again when it is back', async (t) => {
    const redis = await RedisServer.start({ appendonly: 'yes', appendfsync: 'always' });
    const service = await InProcessService.start({
      SERVICE_KVSTORE_URL: redis.url,
      API_RATE_LIMIT: '100000',
    });
    t.onTestFinished(async () => {
      await service.stop();
      await redis.stop();
    });
    const post = (path: string, body: object, headers = {}) => service.ask('POST', path, { body, headers });
    const list = async () => (await service.get<{ count: number }>('/api/devices')).body.count;
    const lamp = await addDevice(service);
    const { code: pairingCode } = (await post('/api/devices/pairing-codes', {})).body;
    const before = await list();
    assert.equal((await service.get('/api/notifications', lamp.headers)).status, 200);
    await redis.kill();
    while ((await service.get('/api/devices')).status !== 503) await nextTurn();
    for (const { status, text } of [
      await post('/api/devices/register', { ...WISH, pairingCode }),
      await post('/api/devices/register', WISH),
      await post('/api/devices/pairing-codes', {}),
      await post(`/api/devices/${lamp.id}/authenticate`, { secret: lamp.secret }),
      await service.get('/api/notifications', lamp.headers),
      await service.get(`/api/devices/${lamp.id}`, lamp.headers),
      await service.put(`/api/devices/${lamp.id}`, { status: 'revoked' }),
    ])
      assert.equal(status, 503, text);
    // Nobody is taken for a device, or refused as none, whose secret cannot be looked up.
    const wrong = { ...lamp.headers, 'x-device-secret': 'wrong' };
    assert.equal((await service.get('/api/notifications', wrong)).status, 503);
    await redis.start();
    while ((await service.get('/api/devices')).status !== 200) await nextTurn();
    assert.equal(await list(), before);
    assert.equal((await service.get('/api/notifications', lamp.headers)).status, 200);
    assert.equal((await service.get('/api/notifications', wrong)).status, 401);
    const entered = [
      await post('/api/devices/register', { ...WISH, pairingCode }),
      await post('/api/devices/register', { ...WISH, pairingCode }),
    ];
    assert.deepEqual(
      entered.map(({ status }) => status),
      [201, 403],
    );
  });
});
