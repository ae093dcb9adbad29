import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../support/models/environment.ts';
import { InProcessService } from '../support/service.ts';

describe('POST /api/slots/route', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    service = await InProcessService.start(providersAt(models));
    const chat = { provider: 'cloud-a', model: 'claude-haiku-4-5' };
    const coding = { provider: 'cloud-b', model: 'gpt-5-mini' };
    await service.put('/api/slots', { slots: { chat, coding, classification: null } });
    models.reset();
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });
  const route = (text: unknown) => service.ask('POST', '/api/slots/route', { body: { text } });

  test('says where a text would go, and asks no model', async () => {
    const { status, body } = await route('My python function throws a KeyError, why?');
    assert.equal(status, 200);
    const { confidence, ms, ...rest } = body;
    assert.deepEqual(rest, { intent: 'code', slot: 'coding', provider: 'cloud-b', model: 'gpt-5-mini' });
    assert(typeof confidence === 'number' && confidence > 0.5 && confidence <= 1);
    assert(typeof ms === 'number' && ms >= 0);
    assert.equal(models.requests.length, 0);
  });

  test('sends what nobody can tell to chat', async () => {
    const { body } = await route('qwlkj zxmnv');
    assert.deepEqual([body.intent, body.slot, body.provider], ['none', 'chat', 'cloud-a']);
  });

  test('takes what chat takes, and nothing else', async () => {
    for (const text of ['', ' \n', 'x'.repeat(10_001), 7, undefined, '\0']) {
      assert.equal((await route(text)).status, 400);
    }
    assert.equal((await route('x'.repeat(10_000))).status, 200);
    assert.equal((await route('\ud800 lights off\0')).status, 200);
  });

  test('keeps the text out of the log', async () => {
    await route('my secret is heliotrope');
    assert.doesNotMatch(service.logged, /heliotrope/);
  });
});

test('a service without any model tells the intent all the same', async () => {
  const service = await InProcessService.start({ OLLAMA_HOST: 'http://127.0.0.1:9' });
  const { status, body } = await service.ask('POST', '/api/slots/route', { body: { text: 'lights off' } });
  assert.equal(status, 200);
  assert.deepEqual([body.intent, body.slot, body.provider, body.model], ['smart_home', 'chat', null, null]);
  await service.stop();
});
