import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService, TEST_NOW } from '../support/service.ts';

describe('the system', () => {
  const localRunner = createServer((request, response) => {
    response
      .writeHead(/^(\/runner)?\/api\/version$/.test(request.url ?? '') ? 200 : 404)
      .end('{"version":"0.9.0"}');
  });
  let service: InProcessService;
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      localRunner.listen(0, '127.0.0.1', resolve);
    });
    const address = localRunner.address();
    assert(typeof address === 'object' && address);
    service = await InProcessService.start({ OLLAMA_HOST: `http://127.0.0.1:${address.port}` });
  });
  afterAll(async () => {
    await service.stop();
    localRunner.close();
  });

  test('tells of its process', async () => {
    const { body } = await service.get('/api/system/info');
    const { mcp, ...ports } = Object(body.ports);
    assert.deepEqual(ports, { voice: service.voicePort, health: service.port });
    assert.ok(Number.isInteger(mcp) && mcp > 0);
    assert.equal(body.nodeVersion, process.version);
    assert.equal(body.timestamp, TEST_NOW);
    assert.deepEqual(Object.keys(Object(body.memoryUsage)).sort(), [
      'arrayBuffers',
      'external',
      'heapTotal',
      'heapUsed',
      'rss',
    ]);
  });

  test('tells of its store', async () => {
    const { body } = await service.get('/api/system/kvstore-status');
    assert.deepEqual(body, { connected: true, url: 'memory', version: '' });
  });

  test('connects to its store again', async () => {
    const { status, body } = await service.ask('POST', '/api/system/reconnect-kvstore');
    assert.equal(status, 200);
    assert.deepEqual(body, {
      reconnected: true,
      services: [
        ...['event-log', 'commands', 'projections', 'sagas'],
        ...['memory', 'entities', 'maintenance', 'scheduler', 'workflows', 'webhooks', 'notifications'],
        ...['preferences', 'devices', 'capture'],
      ],
    });
  });

  test('finds what the machine has', async () => {
    const { body } = await service.get('/api/system/capabilities');
    assert.deepEqual(body['local-runner'], { available: true });
    assert.deepEqual(Object.keys(body).sort(), ['container-runtime', 'cpu', 'gpu', 'local-runner', 'memory']);
  });

  test('finds a local runner that lies below a path', async (t) => {
    const address = localRunner.address();
    assert(typeof address === 'object' && address);
    const beside = await InProcessService.start({ OLLAMA_HOST: `http://127.0.0.1:${address.port}/runner/` });
    t.onTestFinished(() => beside.stop());
    const { body } = await beside.get('/api/system/capabilities');
    assert.deepEqual(body['local-runner'], { available: true });
  });

  test('resets the onboarding, and says so in the log', async () => {
    const { status, body } = await service.ask('POST', '/api/system/reset-onboarding', {
      headers: { 'x-correlation-id': 'reset-1' },
    });
    assert.equal(status, 200);
    assert.equal(body.success, true);
    const { events } = (
      await service.get<{ events: { at: number; correlationId: string }[] }>('/api/events?stream=onboarding')
    ).body;
    assert.equal(events.length, 1);
    assert.equal(events[0]?.correlationId, 'reset-1');
    assert.equal(events[0]?.at, TEST_NOW);
  });
});

test('there is no test route where the clock is not set', async () => {
  const service = await InProcessService.start({ SERVICE_TEST_NOW: '' });
  assert.equal((await service.advance(1)).status, 404);
  await service.stop();
});
