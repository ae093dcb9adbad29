import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { sends } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { EventReader, InProcessService, TEST_NOW } from '../support/service.ts';
import { VoiceClient } from '../support/voiceClient.ts';

/** As an Ollama says it of a model that it was told to keep. */
const FOR_GOOD = '2318-03-04T05:06:07.123456789+01:00';
const SLOT = { provider: 'local-runner', model: 'llama3.2' };

/** A service whose models work on this machine, one of them for good. */
async function started(
  test: TestContext,
  policy: string,
  more: Record<string, string> = {},
): Promise<InProcessService> {
  const models = await ScriptedModels.start();
  models.script(sends(200, { models: [{ name: 'llama3.2', expires_at: FOR_GOOD }] }), {
    endpoint: 'running',
  });
  const service = await InProcessService.start({
    OLLAMA_HOST: models.url('local-runner'),
    SERVICE_BACKGROUND_WORK_POLICY: policy,
    ...more,
  });
  test.onTestFinished(async () => {
    await service.stop();
    await models.stop();
  });
  await service.put('/api/slots', { slots: { chat: SLOT } });
  return service;
}

const gauge = async (service: InProcessService) =>
  /^service_background_work_safe (\d)$/m.exec((await service.get('/metrics')).text)?.[1];

/** When an event of this type has come. */
async function nextOf(service: InProcessService, topic: string): Promise<void> {
  const reader = await EventReader.open(`${service.url}/api/events/stream?topics=${topic}&after=0`);
  while (!(await reader.next())?.data);
  reader.close();
}

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

  it('maintenance that nobody waits for is left to the next time', async (test) => {
    const service = await started(test, 'auto', { SERVICE_MAINTENANCE_CRON: '* * * * *' });
    const task = {
      name: 'Tidy up',
      scheduleType: 'once',
      atTimestamp: TEST_NOW + 1_000,
      eventTopic: 'memory.maintenance.requested',
    };
    assert.equal((await service.ask('POST', '/api/scheduler/tasks', { body: task })).status, 201);
    await service.advance(120_000);
    await nextOf(service, 'schedule.run.succeeded');
    await service.put('/api/settings', { backgroundWorkPolicy: 'always' });
    const { body: moved } = await service.advance(60_000);
    await nextOf(service, 'memory.maintenance.completed');
    const { body } = await service.get<{ reports: readonly { timestamp: number }[] }>(
      '/api/memory/maintain/history',
    );
    assert.deepEqual(
      body.reports.map(({ timestamp }) => timestamp),
      [moved.now],
    );
  });

  it('it is made all the same where the policy says so, which can change at any time', async (test) => {
    const service = await started(test, 'auto');
    await service.put('/api/settings', { backgroundWorkPolicy: 'always' });
    assert.equal((await service.ask('POST', '/api/memory/maintain', { body: {} })).status, 200);
    assert.equal(await gauge(service), '1');
  });
});

describe('while somebody speaks with it', () => {
  it('maintenance is put off, and for a while after the last session has ended', async (test) => {
    const service = await started(test, 'auto');
    const reason = async () => {
      const { status, body } = await service.ask('POST', '/api/memory/maintain', { body: {} });
      assert.deepEqual([status, body.errorCode], [503, 'RESOURCES_BUSY']);
      return String(body.reason);
    };
    const [one, other] = [
      await VoiceClient.open(service.port, '/ws/audio'),
      await VoiceClient.open(service.port, '/v1/realtime'),
    ];
    assert.equal(await reason(), 'voice_active (rule 4): 2 voice sessions');
    one.close();
    await one.closed;
    assert.match(await reason(), /^voice_active \(rule 4\): /);
    other.close();
    await other.closed;
    let after = await reason();
    while (after.startsWith('voice_active')) after = await reason();
    assert.match(after, /^cooldown \(rule 5\): a voice session ended \d+ ms ago$/);
    await service.advance(3_600_000);
    assert.match(await reason(), /\(rule [67]\): /);
  });
});
