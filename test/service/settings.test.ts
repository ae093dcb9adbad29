import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../support/service.ts';

interface View {
  settings: Record<string, { value: unknown; source: string; restart: boolean }>;
}

describe('settings', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '1000', SERVICE_MEMORY_STALE_DAYS: '45' });
  });
  afterAll(() => service.stop());

  const shown = async (key: string) => (await service.get<View>('/api/settings')).body.settings[key];

  test('each says its value and where that comes from', async () => {
    assert.deepEqual(await shown('agentMaxSteps'), { value: 20, source: 'default', restart: false });
    assert.deepEqual(await shown('staleThresholdDays'), { value: 45, source: 'env', restart: false });
    assert.deepEqual(await shown('nliModelSize'), { value: 'base', source: 'default', restart: true });
  });

  test('a change counts at once, is an event, and can be taken back', async () => {
    const { status, body } = await service.put('/api/settings', {
      agentMaxSteps: 7,
      memorySearchMode: 'keyword',
    });
    assert.equal(status, 200);
    assert.deepEqual(body, (await service.get('/api/settings')).body);
    assert.deepEqual(await shown('agentMaxSteps'), { value: 7, source: 'runtime', restart: false });
    const { events } = (
      await service.get<{ events: { data: unknown; type: string }[] }>('/api/events?type=config:changed')
    ).body;
    assert.deepEqual(events.at(-1)?.data, { changes: { agentMaxSteps: 7, memorySearchMode: 'keyword' } });
    await service.put('/api/settings', { agentMaxSteps: null });
    assert.deepEqual(await shown('agentMaxSteps'), { value: 20, source: 'default', restart: false });
  });

  const refused = {
    'an unknown key': { memoryTokenBudget: 99, nope: 1 },
    'a value of the wrong type': { memoryTokenBudget: 99, agentMaxSteps: '7' },
    'a value out of range': { memoryTokenBudget: 99, agentMaxSteps: 0 },
    'a value that is not one of them': { memoryTokenBudget: 99, memorySearchMode: 'psychic' },
  };
  for (const [what, changes] of Object.entries(refused))
    test(`${what} refuses the whole change`, async () => {
      assert.equal((await service.put('/api/settings', changes)).status, 400);
      assert.equal((await shown('memoryTokenBudget'))?.value, 1500);
      assert.equal((await service.put('/api/config', changes)).status, 400);
    });

  test('a refusal says which field', async () => {
    const { body } = await service.put('/api/settings', { agentMaxSteps: 'x' });
    assert.equal(body.error, 'Validation failed');
    assert.deepEqual(body.issues, [{ path: ['agentMaxSteps'], message: 'must be a number' }]);
  });

  test('the schema describes every setting and nothing else', async () => {
    const { body } = await service.get<{
      properties: Record<string, unknown>;
      additionalProperties: boolean;
    }>('/api/settings/schema');
    const { settings } = (await service.get<View>('/api/settings')).body;
    assert.deepEqual(Object.keys(body.properties), Object.keys(settings));
    assert.equal(body.additionalProperties, false);
    assert.deepEqual(body.properties.memorySearchMode, {
      description: 'How memory is searched',
      anyOf: [{ type: 'string', enum: ['keyword', 'semantic', 'hybrid'] }, { type: 'null' }],
      'x-variable': 'SERVICE_MEMORY_SEARCH_MODE',
      'x-restart': false,
    });
  });

  test('limits go by the names of their variables too', async () => {
    const limits = async () => [await shown('apiRateLimit'), await shown('SERVICE_API_RATE_LIMIT')];
    assert.deepEqual(await limits(), Array(2).fill({ value: 1_000, source: 'env', restart: false }));
    const { status } = await service.put('/api/settings', {
      SERVICE_API_RATE_LIMIT: 2_000,
      SERVICE_CHAT_RATE_LIMIT: 70,
    });
    assert.equal(status, 200);
    assert.deepEqual(await limits(), Array(2).fill({ value: 2_000, source: 'runtime', restart: false }));
    await service.put('/api/config', { SERVICE_CHAT_RATE_LIMIT: null });
    assert.equal((await shown('chatRateLimit'))?.value, 20);
    for (const wrong of [
      { SERVICE_API_RATE_LIMIT: 0 },
      { SERVICE_API_RATE_LIMIT: '50' },
      { apiRateLimit: 60, SERVICE_API_RATE_LIMIT: 50 },
      { API_RATE_LIMIT: 50 },
    ]) {
      const refused = await service.put('/api/settings', wrong);
      assert.deepEqual(
        [refused.status, Object(refused.body.issues)[0].path],
        [400, [Object.keys(wrong).at(-1)]],
      );
    }
    assert.equal(
      (await service.put('/api/settings', { SERVICE_API_RATE_LIMIT: 3_000, apiRateLimit: 3_000 })).status,
      200,
    );
  });

  test('the older form shows and changes the same', async () => {
    const { status, body } = await service.put('/api/config', { sessionIdleMinutes: 5 });
    assert.equal(status, 200);
    assert.equal(body.success, true);
    assert.equal((await shown('sessionIdleMinutes'))?.value, 5);
    const older = await service.get<{ writable: string[]; config: Record<string, unknown> }>(
      '/api/config/writable',
    );
    assert.equal(older.body.config.sessionIdleMinutes, 5);
    assert(older.body.writable.includes('sessionIdleMinutes'));
  });
});

test('changed settings outlive the process', async () => {
  const { mkdtempSync, rmSync } = await import('node:fs');
  const directory = mkdtempSync('/tmp/hark-settings-');
  const environment = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
  const before = await InProcessService.start(environment);
  await before.put('/api/settings', { agentMaxSteps: 9 });
  await before.stop();
  const afterwards = await InProcessService.start(environment);
  const { settings } = (await afterwards.get<View>('/api/settings')).body;
  assert.equal(settings.agentMaxSteps?.value, 9);
  await afterwards.stop();
  rmSync(directory, { recursive: true });
});
