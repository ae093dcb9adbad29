import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { shownToken, startWith, storeKey } from '../support/credentials.ts';
import type { InProcessService } from '../support/service.ts';

interface Slots {
  slots: Record<
    string,
    { provider: string; label: string; model: string; fallbacks: { label: string }[] } | null
  >;
}

describe('the names that people know providers by', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await startWith();
  });
  afterAll(() => service.stop());

  test('are taken for slots, and the ids are kept', async () => {
    const chat = {
      provider: 'anthropic',
      model: 'claude-x',
      fallbacks: [{ provider: 'ollama', model: 'llama3.2' }],
    };
    const { status, body } = await service.put('/api/slots', { slots: { chat } });
    assert.equal(status, 200, JSON.stringify(body));
    const { slots } = (await service.get<Slots>('/api/slots')).body;
    assert.equal(slots.chat?.provider, 'cloud-a');
    assert.equal(slots.chat?.label, 'Anthropic');
    assert.deepEqual(slots.chat?.fallbacks, [
      { provider: 'local-runner', label: 'Ollama', model: 'llama3.2' },
    ]);
    // What is shown can be sent back as it is.
    assert.equal((await service.put('/api/slots', { slots })).status, 200);
  });

  test('are taken to choose models by rule', async () => {
    const body = { mode: 'cloud', provider: 'openrouter', fallbackStrategy: 'none' };
    const { status, text } = await service.ask('POST', '/api/slots/auto-configure', { body });
    assert.equal(status, 200, text);
    const unknown = { ...body, provider: 'nobody' };
    assert.equal((await service.ask('POST', '/api/slots/auto-configure', { body: unknown })).status, 400);
  });

  test('are taken for keys, with and without the prefix, and in health', async () => {
    const token = await shownToken(service);
    const stored = await service.ask('POST', '/api/credentials', {
      headers: token,
      body: { providerId: 'openai', apiKey: 'sk-by-name' },
    });
    assert.deepEqual(stored.body, { success: true, providerId: 'provider-cloud-b' });
    await storeKey(service, 'sk-by-scope', token);
    const { body } = await service.get<{ keys: object[]; count: number }>('/api/credentials');
    const source = 'stored';
    assert.deepEqual(body.keys, [
      { providerId: 'provider-cloud-a', label: 'Anthropic', source, variable: 'ANTHROPIC_API_KEY' },
      { providerId: 'provider-cloud-b', label: 'OpenAI', source, variable: 'OPENAI_API_KEY' },
      { providerId: 'provider-gateway', label: 'OpenRouter', source: 'none', variable: 'OPENROUTER_API_KEY' },
    ]);
    assert.equal(body.count, 2);
    for (const name of ['provider-openai', 'anthropic']) {
      const removed = await service.ask('DELETE', `/api/credentials/${name}`);
      assert.equal(removed.status, 200, removed.text);
    }
    assert.equal((await service.get<{ count: number }>('/api/credentials')).body.count, 0);
    assert.equal((await service.ask('DELETE', '/api/credentials/nobody')).status, 400);
    const { status, body: health } = await service.get('/health/provider-openrouter');
    assert.equal(status, 200);
    assert.deepEqual([health.status, health.note], ['off', 'Not configured']);
    assert.equal((await service.get('/api/billing/status')).status, 200);
  });
});
