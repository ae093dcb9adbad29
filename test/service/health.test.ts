import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { HarkError } from '../../src/errors.ts';
import { HealthRegistry } from '../../src/interfaces/healthRegistry.ts';
import { EventReader, InProcessService, TEST_NOW } from '../support/service.ts';

test('the service says that it lives', async () => {
  const service = await InProcessService.start();
  const { status, body } = await service.get('/health');
  assert.equal(status, 200);
  assert.equal(body.status, 'healthy');
  assert.equal(typeof body.version, 'string');
  assert.equal(typeof body.uptime, 'number');
  await service.stop();
});

test('the service says how each of its services is', async () => {
  const service = await InProcessService.start();
  const { body } = await service.get<{ status: string; services: object; timestamp: number }>('/api/health');
  assert.equal(body.status, 'healthy');
  assert.equal(body.timestamp, TEST_NOW);
  assert.deepEqual(Object.keys(body.services).sort(), [
    'credentials',
    'event-log',
    'intents',
    'kvstore',
    'local-runner',
    'mcp-server',
    'memory-maintenance',
    'memory-semantic',
    'nli-pipeline',
    'projections',
    'provider-cloud-a',
    'provider-cloud-b',
    'provider-gateway',
    'provider-local-runner',
    'resource-guard',
    'stt-local',
    'tts-local',
  ]);
  const one = await service.get('/health/kvstore');
  assert.deepEqual(Object.keys(one.body), ['status', 'responseTime']);
  const unknown = await service.get('/health/nothing-like-it');
  assert.equal(unknown.status, 404);
  assert.deepEqual(unknown.body, { error: 'Unknown service' });
  await service.stop();
});

test('figures are told over time, and as they come, to who has the key', async () => {
  const service = await InProcessService.start({ SERVICE_API_KEY: 'a-key-of-some-length' });
  const path = '/api/health/figures';
  assert.equal((await service.get(path)).status, 401);
  const headers = { authorization: 'Bearer a-key-of-some-length' };
  type Told = { readonly samples: readonly { readonly at: number; readonly requestsPerMinute: number }[] };
  const reader = await EventReader.open(`${service.url}${path}?follow=true`, headers);
  const next = async (): Promise<Told> => JSON.parse((await reader.next())?.data ?? '');
  assert.deepEqual(
    (await next()).samples.map(({ at }) => at),
    [TEST_NOW],
  );
  await service.ask('POST', '/api/test/clock', { body: { advanceMs: 10_000 }, headers });
  const [told] = (await next()).samples;
  assert.deepEqual([told?.at, told?.requestsPerMinute], [TEST_NOW + 10_000, 2]);
  reader.close();
  const { samples } = (await service.get<Told>(path, headers)).body;
  assert.deepEqual(
    samples.map(({ at }) => at),
    [TEST_NOW, TEST_NOW + 10_000],
  );
  await service.stop();
});

test('requests and errors are counted over the last minute', async () => {
  const service = await InProcessService.start();
  for (let asked = 0; asked < 3; asked++) await service.get('/health');
  const figures = async () =>
    (await service.get<{ requests: object; errors: object; latency: object }>('/health/metrics')).body;
  assert.deepEqual((await figures()).requests, { total: 3, perMinute: 3 });
  await service.advance(61_000);
  const { requests, errors, latency } = await figures();
  assert.deepEqual(requests, { total: 5, perMinute: 1 });
  assert.deepEqual(errors, { total: 0, perMinute: 0 });
  for (const ms of Object.values(latency)) assert(ms > 0);
  await service.stop();
});

test('a check that fails says only what may be said', async () => {
  const health = new HealthRegistry();
  health.register('well', () => undefined);
  health.register('known', () => {
    throw new HarkError('KVSTORE_UNAVAILABLE');
  });
  health.register('unknown', () => {
    throw new Error('/home/me/secret is not readable');
  });
  const { status, services } = await health.report();
  assert.equal(status, 'degraded');
  assert.equal(services.well?.status, 'healthy');
  assert.equal(services.known?.error, 'Key-value store not available');
  assert.equal(services.unknown?.error, 'The check failed');
});

test('without a vital service the whole is unhealthy, in whatever order they answer', async () => {
  const health = new HealthRegistry();
  const fail = () => {
    throw new HarkError('KVSTORE_UNAVAILABLE');
  };
  health.register('vital', fail, { isVital: true });
  health.register('other', async () => fail());
  assert.equal((await health.report()).status, 'unhealthy');
});

test('a check that hangs is given up, and asked once for all who wait', async (t) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  t.onTestFinished(() => void vi.useRealTimers());
  const health = new HealthRegistry();
  let asked = 0;
  health.register('hangs', () => {
    asked++;
    return new Promise(() => undefined);
  });
  const both = Promise.all([health.check('hangs'), health.check('hangs')]);
  vi.advanceTimersByTime(2_000);
  for (const entry of await both) assert.equal(entry?.error, 'No answer within 2000 ms');
  assert.equal(asked, 1);
});
