import assert from 'node:assert/strict';
import { test } from 'vitest';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { McpByHand } from './mcpClient.ts';

const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'));

test('an address has so many requests a minute, and more as time goes by', async () => {
  const service = await InProcessService.start({ API_RATE_LIMIT: '6', CHAT_RATE_LIMIT: '2' });
  for (let left = 5; left >= 0; left--) assert.equal(remaining(await service.get('/api/settings')), left);
  const { status, headers, body } = await service.get('/api/settings');
  assert.equal(status, 429);
  assert.deepEqual(body, { error: 'Too many requests', retryAfter: 10 });
  assert.equal(headers.get('retry-after'), '10');
  assert.equal(headers.get('x-ratelimit-limit'), '6');
  assert.equal(headers.get('x-ratelimit-remaining'), '0');
  assert.equal(headers.get('x-ratelimit-reset'), '60');
  assert.equal((await service.get('/api/nowhere')).status, 429);
  assert.equal((await service.get('/health')).status, 200);
  // Chat has a bucket of its own.
  assert.equal((await service.ask('POST', '/api/chat', { body: {} })).status, 400);
  assert.equal((await service.ask('POST', '/api/credentials/validate', { body: {} })).status, 400);
  assert.equal((await service.ask('POST', '/api/tasks', { body: {} })).status, 429);
  await service.stop();
});

test('time fills the bucket', async () => {
  const service = await InProcessService.start({ API_RATE_LIMIT: '6' });
  for (let left = 4; left >= 0; left--) await service.get('/api/settings');
  assert.equal(remaining(await service.advance(20_000)), 0);
  assert.equal(remaining(await service.get('/api/settings')), 1);
  await service.stop();
});

test('a changed limit counts at once', async () => {
  const service = await InProcessService.start({ API_RATE_LIMIT: '10' });
  await service.put('/api/settings', { apiRateLimit: 3 });
  assert.equal(remaining(await service.get('/api/settings')), 2);
  await service.stop();
});

test('calls over MCP and executions of workflows count as chat does', async (t) => {
  const service = await InProcessService.start({ CHAT_RATE_LIMIT: '4', API_RATE_LIMIT: '5' });
  t.onTestFinished(() => service.stop());
  const mcp = new McpByHand(service.mcpUrl);
  await mcp.list();
  assert.equal((await mcp.call('session.status')).isError, undefined);
  const executed = await service.ask('POST', '/api/workflows/unknown/execute', { body: {} });
  assert.deepEqual([executed.status, remaining(executed)], [404, 2]);
  assert.equal(remaining(await service.ask('POST', '/api/chat', { body: {} })), 1);
  assert.equal((await mcp.call('session.status')).isError, undefined);
  const { text, isError } = await mcp.call('session.status');
  assert.deepEqual([text, isError], ['Error: Too many requests; try again in 15 s', true]);
  assert.equal((await service.ask('POST', '/api/workflows/unknown/execute', { body: {} })).status, 429);
  assert.equal((await service.ask('POST', '/api/chat', { body: {} })).status, 429);
  // What only reads does not.
  assert.ok((await mcp.list()).length > 0);
  assert.equal((await service.get('/api/workflows')).status, 200);
  await service.advance(15_000);
  assert.equal((await mcp.call('session.status')).isError, undefined);
});

test('each call of a batch counts, whichever way it comes', async (t) => {
  const service = await InProcessService.start({ CHAT_RATE_LIMIT: '2' });
  t.onTestFinished(() => service.stop());
  const mcp = new McpByHand(service.mcpUrl);
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'session.status', arguments: {} },
  });
  const texts = [
    await mcp.post([call(1), call(2), call(3)]),
    await mcp.post(call(4)),
    await mcp.call('session.status'),
  ].map(({ text }) => text);
  assert.equal(texts.join().match(/Too many requests/g)?.length, 3);
});

test('processes on one Redis share what an address has left', {
  ...skippedFor(redisIsMissing),
}, async (t) => {
  const redis = await RedisServer.start();
  t.onTestFinished(() => redis.stop());
  const environment = { SERVICE_KVSTORE_URL: redis.url, API_RATE_LIMIT: '50' };
  const [one, other] = [await InProcessService.start(environment), await InProcessService.start(environment)];
  const first = remaining(await one.get('/api/settings'));
  assert.equal(remaining(await other.get('/api/settings')), first - 1);
  assert.equal(remaining(await one.get('/api/settings')), first - 2);
  await redis.kill();
  // Each counts by itself until it is back.
  assert.equal(remaining(await one.get('/api/settings')), 49);
  assert.equal(remaining(await other.get('/api/settings')), 49);
  await Promise.all([one.stop(), other.stop()]);
});
