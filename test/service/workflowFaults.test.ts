import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { breaks, says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { providersAt } from '../support/models/environment.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { InProcessService, ServiceProcess, type ServiceUnderTest } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { LIMITS } from './chatClient.ts';

interface Found {
  readonly execution: {
    readonly id: string;
    readonly state: string;
    readonly output: unknown;
    readonly error: string | null;
  };
}

const folder = temporaryFolder('workflow-faults');

const story = `
result: { title: '{{ steps.title }}', end: '{{ steps.end }}' }
steps:
  - { id: title, type: PROMPT, prompt: A title }
  - { id: end, type: PROMPT, prompt: 'The end of {{ steps.title }}' }
`;

/** With `begun`, the second step is under way for as long as nobody answers. */
async function untilAsked(models: ScriptedModels, times: number): Promise<void> {
  while (asked(models).length < times) await new Promise(setImmediate);
}

const asked = ({ requests }: ScriptedModels) =>
  requests.filter(({ endpoint }) => endpoint === 'chat').map(({ lastText }) => lastText);

async function ended(service: ServiceUnderTest, id: string): Promise<Found['execution']> {
  for (;;) {
    const { body } = await service.get<Found>(`/api/workflows/executions/${id}`);
    if (!['running', 'waiting'].includes(body.execution.state)) return body.execution;
    await new Promise(setImmediate);
  }
}

/** Asked for by a key, so that whoever asks need not be told which it was. */
function begin(service: ServiceUnderTest): Promise<unknown> {
  const headers = { 'idempotency-key': 'story' };
  return service.ask('POST', '/api/workflows/story/execute', { body: {}, headers }).catch(() => undefined);
}

async function idOf(service: ServiceUnderTest): Promise<string> {
  for (;;) {
    const { body } = await service.get<{ events: { data: { executionId: string } }[] }>(
      '/api/events?type=workflow.execution.started',
    );
    const id = body.events[0]?.data.executionId;
    if (id) return id;
  }
}

describe('workflows, when something fails', () => {
  let models: ScriptedModels;
  beforeAll(async () => {
    models = await ScriptedModels.start();
  });
  afterEach(() => models.reset());
  afterAll(() => models.stop());

  const environment = (name: string, more: Record<string, string>) => {
    const directory = join(folder, name);
    mkdirSync(join(directory, 'workflows'), { recursive: true });
    writeFileSync(join(directory, 'workflows/story.yaml'), story);
    return { ...LIMITS, ...providersAt(models), SERVICE_DATA_DIR: directory, ...more };
  };

  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    test(`${signal} in a step: the execution goes on at the next start, after what was done`, async () => {
      const data = environment(signal, { SERVICE_KVSTORE_URL: 'embedded' });
      const killed = new ServiceProcess(data);
      const first = await killed.ready();
      models.script([says('Snow'), says('Once upon', breaks('hang'))]);
      const answered = begin(first);
      await untilAsked(models, 2);
      const id = await idOf(first);
      await killed.stop(signal);
      await answered;
      models.script(says('They melted'));
      const next = await InProcessService.start(data);
      const { state, output } = await ended(next, id);
      assert.deepEqual([state, output], ['completed', { title: 'Snow', end: 'They melted' }]);
      assert.deepEqual(asked(models), ['A title', 'The end of Snow', 'The end of Snow']);
      await next.stop();
    });

  test('of two services on one Redis one runs an execution, and the other goes on when that is killed', {
    ...skippedFor(redisIsMissing),
  }, async (t) => {
    const redis = await RedisServer.start();
    t.onTestFinished(() => redis.stop());
    const killed = new ServiceProcess(environment('one', { SERVICE_KVSTORE_URL: redis.url }));
    const first = await killed.ready();
    const other = await InProcessService.start(environment('two', { SERVICE_KVSTORE_URL: redis.url }));
    t.onTestFinished(() => other.stop());
    models.script([says('Snow'), says('Once upon', breaks('hang'))]);
    const answered = begin(first);
    await untilAsked(models, 2);
    const id = await idOf(other);
    assert.equal((await other.get<Found>(`/api/workflows/executions/${id}`)).body.execution.state, 'running');
    models.script(says('They melted'));
    // Its leases lapse, and whoever starts next says that it is lost.
    await killed.stop('SIGKILL');
    await answered;
    const third = await InProcessService.start(environment('three', { SERVICE_KVSTORE_URL: redis.url }));
    t.onTestFinished(() => third.stop());
    const { state, output } = await ended(other, id);
    assert.deepEqual([state, output], ['completed', { title: 'Snow', end: 'They melted' }]);
    assert.deepEqual(asked(models), ['A title', 'The end of Snow', 'The end of Snow']);
  });

  test('a model that does not answer: the step says so, and the execution fails', async () => {
    const service = await InProcessService.start(environment('silent', {}));
    models.script(says(breaks('hang')));
    writeFileSync(
      join(folder, 'silent/workflows/short.yaml'),
      'steps: [{ id: ask, type: PROMPT, prompt: Hello, timeout: 200ms }]',
    );
    await service.logs(/"file":"short.yaml".*workflow read/);
    const { status, body } = await service.ask('POST', '/api/workflows/short/execute', { body: {} });
    assert.deepEqual([status, body.message], [400, 'ask: Took longer than 0.2 s']);
    await service.stop();
  });
});

describe('workflows, without a key-value store', () => {
  test('are not available', async () => {
    const service = await InProcessService.start({ SERVICE_KVSTORE_URL: 'none' });
    for (const [method, path] of [
      ['GET', '/api/workflows'],
      ['POST', '/api/workflows/about-me/execute'],
      ['GET', '/api/workflows/executions/e'],
      ['GET', '/api/workflows/executions'],
    ] as const) {
      const { status, body } = await service.ask(method, path);
      assert.deepEqual([status, body], [503, { error: 'Workflow engine not available' }]);
    }
    await service.stop();
  });

  test('that goes away, are not executed, and say so in the same words', {
    ...skippedFor(redisIsMissing),
  }, async (t) => {
    const redis = await RedisServer.start();
    t.onTestFinished(() => redis.stop());
    const service = await InProcessService.start({ SERVICE_KVSTORE_URL: redis.url, ...LIMITS });
    t.onTestFinished(() => service.stop());
    await redis.kill();
    for (const [method, path] of [
      ['POST', '/api/workflows/about-me/execute'],
      ['GET', '/api/workflows/executions/e'],
    ] as const) {
      const { status, body } = await service.ask(method, path);
      assert.deepEqual([status, body], [503, { error: 'Workflow engine not available' }]);
    }
  });
});
