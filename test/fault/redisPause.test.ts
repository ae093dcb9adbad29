import assert from 'node:assert/strict';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { test } from 'vitest';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { EventReader, InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

/** Longer than every time-out and lease of hark: what was held has lapsed when Redis goes on. */
const PAUSE_MS = 30_000;
const PROMPT_MS = 2_500;
const ASK_EVERY_MS = 500;

test('a Redis that is paused for half a minute holds nobody up, and loses nothing', {
  ...skippedFor(redisIsMissing),
}, async (t) => {
  const redis = await RedisServer.start({ appendonly: 'yes' });
  t.onTestFinished(() => redis.stop());
  const environment = { SERVICE_KVSTORE_URL: redis.url, API_RATE_LIMIT: '1000000' };
  const services = [await InProcessService.start(environment), await InProcessService.start(environment)];
  t.onTestFinished(async () => {
    await Promise.all(services.map((service) => service.stop()));
  });
  const [one, other] = services;
  assert(one && other);
  const reader = await EventReader.open(`${other.url}/api/events/stream?topics=config:changed`);
  t.onTestFinished(() => reader.close());

  let budget = 2_000;
  const acknowledged: number[] = [];
  const change = async (service: InProcessService): Promise<number> => {
    const memoryTokenBudget = budget++;
    const { status } = await service.put('/api/settings', { memoryTokenBudget });
    if (status === 200) acknowledged.push(memoryTokenBudget);
    return status;
  };
  for (const service of [one, other, one]) assert.equal(await change(service), 200);

  redis.pause();
  const pausedAt = performance.now();
  const paused = () => performance.now() - pausedAt;
  while (paused() < PAUSE_MS) {
    for (const service of services) {
      const askedAt = performance.now();
      assert.equal(await change(service), 503);
      assert.equal((await service.get('/health')).status, 200);
      assert.equal((await service.get('/health/kvstore')).status, 503);
      assert.equal((await service.get('/api/settings')).status, 200);
      assert.ok(performance.now() - askedAt < PROMPT_MS, `after ${paused()} ms`);
    }
    // The pause is the fault itself: nothing happens meanwhile that could be waited for.
    await pause(ASK_EVERY_MS);
  }
  redis.resume();

  for (const service of services) {
    while ((await change(service)) !== 200) await nextTurn();
    assert.equal((await service.get('/health/kvstore')).status, 200);
  }
  const { events } = (
    await one.get<{ events: { position: number; type: string; data: unknown }[] }>('/api/events?limit=1000')
  ).body;
  assert.deepEqual(
    events.map(({ position }) => position),
    events.map((_, index) => index + 1),
  );
  assert.deepEqual(
    events.filter(({ type }) => type.startsWith('system.')).map(({ type }) => type),
    ['system.instance.started', 'system.instance.started'],
    'no process that lives is taken for lost',
  );
  const changed = events.filter(({ type }) => type === 'config:changed');
  const values = JSON.stringify(changed.map(({ data }) => data));
  for (const value of acknowledged) assert.ok(values.includes(`:${value}`), `${value} in ${values}`);
  for (const { position } of changed) {
    let message = await reader.next();
    while (message && !('id' in message)) message = await reader.next();
    assert.equal(message?.id, String(position));
  }
  const plain = redis.client();
  assert.equal(await plain.xlen('{hark}:log'), events.length);
  plain.disconnect();
  for (const service of services) {
    assert.equal(service.logged.match(/failed; trying again/g)?.length, 1);
    await service.logs(/the key-value store is back/);
  }
});
