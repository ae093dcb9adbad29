import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

interface Settings {
  settings: Record<string, { value: unknown; source: string }>;
}

async function assertDegraded(service: InProcessService): Promise<void> {
  for (const [method, path, sent] of [
    ['GET', '/api/events'],
    ['GET', '/api/events/stream'],
    ['POST', '/api/system/reset-onboarding'],
    ['POST', '/api/system/reconnect-kvstore'],
    ['GET', '/api/memory/episodes'],
    ['GET', '/api/memory/search?q=anything'],
    ['POST', '/api/memory/context', { query: 'anything' }],
    ['POST', '/api/memory/ask', { question: 'Where do I live?' }],
    ['GET', '/api/memory/profile'],
    ['GET', '/api/memory/conclusions'],
    ['GET', '/api/entities'],
    ['GET', '/api/users/default/preferences'],
    ['GET', '/api/scheduler/tasks'],
    ['GET', '/api/capture/streams'],
    ['GET', '/api/capture/consent?deviceId=kitchen'],
    ['PUT', '/api/capture/consent', { deviceId: 'kitchen', enabled: true }],
    ['POST', '/api/capture/start', { deviceId: 'kitchen', modalities: ['audio'] }],
    ['POST', '/api/capture/stop', { streamId: 'any' }],
    ['POST', '/api/capture/pause', {}],
    ['POST', '/api/capture/forget', { minutes: 5 }],
    [
      'POST',
      '/api/capture/streams/any/segments',
      { modality: 'audio', startedAt: 1, durationMs: 1, text: 'nothing' },
    ],
  ] as const) {
    const { status, body } = await service.ask(method, path, sent === undefined ? {} : { body: sent });
    assert.equal(status, 503, path);
    assert.equal(typeof body.error, 'string');
  }
  assert.equal((await service.get('/api/settings')).status, 200);
  assert.equal((await service.get('/api/settings/schema')).status, 200);
  assert.equal((await service.get('/health')).status, 200);
  const health = await service.get<{ status: string; services: Record<string, { status: string }> }>(
    '/api/health',
  );
  assert.equal(health.status, 200);
  assert.equal(health.body.status, 'degraded');
  assert.equal(health.body.services.kvstore?.status, 'unhealthy');
  const one = await service.get('/health/kvstore');
  assert.equal(one.status, 503);
  assert.equal(one.body.status, 'unhealthy');
  assert.equal(typeof one.body.error, 'string');
  const { body } = await service.get('/api/system/kvstore-status');
  assert.equal(body.connected, false);
}

describe('without a key-value store', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ SERVICE_KVSTORE_URL: 'none' });
  });
  afterAll(() => service.stop());

  test('what needs it answers 503, the rest works', () => assertDegraded(service));

  test('settings change in the process', async () => {
    const put = await service.put('/api/settings', { agentMaxSteps: 3 });
    assert.equal(put.status, 200, put.text);
    const { body } = await service.get<Settings>('/api/settings');
    assert.partialDeepStrictEqual(body.settings.agentMaxSteps, { value: 3, source: 'runtime' });
    assert.equal((await service.put('/api/settings', { agentMaxSteps: 0 })).status, 400);
    assert.match(service.logged, /settings changed/);
  });
});

test('a Redis that goes away and comes back', { ...skippedFor(redisIsMissing) }, async (t) => {
  const redis = await RedisServer.start({
    appendonly: 'yes',
    appendfsync: 'always',
    password: 'redis-secret',
  });
  t.onTestFinished(() => redis.stop());
  t.onTestFinished(() => redis.stop());
  const service = await InProcessService.start({ SERVICE_KVSTORE_URL: redis.url, API_RATE_LIMIT: '1000' });
  t.onTestFinished(() => service.stop());
  assert.equal((await service.put('/api/settings', { agentMaxSteps: 5 })).status, 200);
  // What is loaded by then may be forgotten by another process while Redis is out of reach.
  for (const path of ['memory/search?q=anything', 'memory/conclusions', 'entities', 'scheduler/tasks'])
    assert.equal((await service.get(`/api/${path}`)).status, 200, path);
  await redis.kill();
  await assertDegraded(service);
  assert.equal((await service.put('/api/settings', { agentMaxSteps: 3 })).status, 503);
  const { body } = await service.get<{ settings: Record<string, { value: number }> }>('/api/settings');
  assert.equal(body.settings.agentMaxSteps?.value, 5);
  await redis.start();
  const reconnected = await service.ask('POST', '/api/system/reconnect-kvstore');
  assert.equal(reconnected.status, 200, reconnected.text);
  assert.equal((await service.put('/api/settings', { agentMaxSteps: 6 })).status, 200);
  assert.equal((await service.get('/health/kvstore')).status, 200);
  const status = await service.get('/api/system/kvstore-status');
  assert.doesNotMatch(status.text + service.logged, /redis-secret/);
});

test('a Redis whose log was taken away is refused, and the health check says why', {
  ...skippedFor(redisIsMissing),
}, async (t) => {
  const redis = await RedisServer.start();
  t.onTestFinished(() => redis.stop());
  const service = await InProcessService.start({ SERVICE_KVSTORE_URL: redis.url });
  t.onTestFinished(() => service.stop());
  const plain = redis.client();
  await plain.del('{hark}:log');
  plain.disconnect();
  for (let asked = 0; asked < 3; asked++) {
    const { status, body } = await service.put('/api/settings', { agentMaxSteps: 3 });
    assert.equal(status, 503);
    assert.match(String(body.error), /damaged/);
  }
  for (const name of ['event-log', 'kvstore']) {
    const { status, body } = await service.get(`/health/${name}`);
    assert.equal(status, 503, name);
    assert.match(String(body.error), /damaged/);
  }
});
