import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { sends } from '../support/models/script.ts';
import { ScriptedModels } from '../support/models/scriptedModels.ts';
import { InProcessService } from '../support/service.ts';

/** As an Ollama says it of a model that it was told to keep. */
const FOR_GOOD = '2318-03-04T05:06:07.123456789+01:00';
const SLOT = { provider: 'local-runner', model: 'llama3.2' };

/** A service whose models work on this machine, one of them for good. */
async function started(test: TestContext, policy: string): Promise<InProcessService> {
  const models = await ScriptedModels.start();
  models.script(sends(200, { models: [{ name: 'llama3.2', expires_at: FOR_GOOD }] }), {
    endpoint: 'running',
  });
  const service = await InProcessService.start({
    OLLAMA_HOST: models.url('local-runner'),
    SERVICE_BACKGROUND_WORK_POLICY: policy,
  });
  test.after(async () => {
    await service.stop();
    await models.stop();
  });
  await service.put('/api/slots', { slots: { chat: SLOT } });
  return service;
}

const gauge = async (service: InProcessService) =>
  /^service_background_work_safe (\d)$/m.exec((await service.get('/metrics')).text)?.[1];

describe('while a model of this machine is in use', () => {
  it('maintenance is put off, with what was seen', async (test) => {
    const service = await started(test, 'auto');
    const { status, body } = await service.ask('POST', '/api/memory/maintain', { body: {} });
    assert.deepEqual(
      [status, body.error, body.errorCode],
      [503, 'Memory maintenance deferred', 'RESOURCES_BUSY'],
    );
    // On a machine that is busy with tests, that comes first.
    assert.match(String(body.reason), /^(load \(rule 6\)|model_busy \(rule 7\)): /);
    assert.equal(await gauge(service), '0');
    const { text } = await service.get('/metrics');
    assert.match(text, /^service_resource_guard_defer_count_total\{reason="(load|model_busy)"\} 1$/m);
    const health = await service.get('/health/resource-guard');
    assert.deepEqual([health.status, health.body.status], [200, 'healthy']);
    assert.match(String(health.body.note), /rule [67]/);
  });

  it('it is made all the same where the policy says so, which can change at any time', async (test) => {
    const service = await started(test, 'auto');
    await service.put('/api/settings', { backgroundWorkPolicy: 'always' });
    assert.equal((await service.ask('POST', '/api/memory/maintain', { body: {} })).status, 200);
    assert.equal(await gauge(service), '1');
  });
});
