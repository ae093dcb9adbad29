import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { hark, TemporaryFolder } from '../interfaces/cli/hark.ts';
import { ContainerRuntime } from '../support/containerRuntime.ts';
import { providersAt } from '../support/models/environment.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { InProcessService, ServiceProcess } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

interface Listed {
  dependencies: { name: string; kind: string; status: string; version?: string; hint?: string }[];
}

const LIMITS = { API_RATE_LIMIT: '1000', CHAT_RATE_LIMIT: '1000' };
const NOWHERE = 'http://127.0.0.1:9';
const INSTALL =
  'run --detach --name service-redis --restart unless-stopped --publish 127.0.0.1:6379:6379 ' +
  '--volume service-redis:/data docker.io/library/redis:8 redis-server --appendonly yes --maxmemory-policy noeviction';

async function found(service: InProcessService): Promise<Record<string, Listed['dependencies'][number]>> {
  const { status, body } = await service.get<Listed>('/api/dependencies');
  assert.equal(status, 200);
  return Object.fromEntries(body.dependencies.map((one) => [one.name, one]));
}

const path = process.env.PATH;
afterEach(() => {
  process.env.PATH = path;
});

/** Nothing is found but what lies there. */
function only(...runtimes: readonly ContainerRuntime[]): void {
  process.env.PATH = runtimes.map(({ folder }) => folder).join(':') || '/nowhere';
}

describe('what hark can do without', () => {
  test('is named with what to do, where there is nothing', async () => {
    only();
    const service = await InProcessService.start({
      ...LIMITS,
      SERVICE_KVSTORE_URL: 'embedded',
      SERVICE_NLI_ENABLED: 'false',
    });
    const all = await found(service);
    assert.deepEqual(Object.keys(all), [
      ...['kvstore', 'local-runner', 'container-runtime', 'nli-model'],
      ...['speech-stt', 'speech-tts', 'embedder'],
    ]);
    assert.equal(all.kvstore?.status, 'ready');
    assert.match(all.kvstore?.version ?? '', /^3\./);
    assert.deepEqual(
      [all['speech-tts']?.status, all['speech-tts']?.version],
      ['ready', 'flite'],
      'it comes with hark',
    );
    for (const [name, { status, hint }] of Object.entries(all))
      if (name !== 'kvstore' && name !== 'speech-tts') {
        assert.match(status, /^(optional|missing)$/, name);
        assert.ok(hint, name);
      }
    await service.stop();
  });

  test('is missed where something is set up to use it, and ready where it is there', async () => {
    only();
    await using models = await ScriptedModels.start();
    const missing = await InProcessService.start({
      ...LIMITS,
      OLLAMA_HOST: NOWHERE,
      SERVICE_NLI_ENABLED: 'true',
    });
    const without = await found(missing);
    assert.equal(without['local-runner']?.status, 'missing');
    assert.equal(without['nli-model']?.status, 'missing');
    await missing.stop();
    const service = await InProcessService.start({ ...LIMITS, ...providersAt(models) });
    // Slots are chosen by then.
    await service.get('/api/slots');
    const all = await found(service);
    assert.equal(all['local-runner']?.status, 'ready');
    assert.equal(all.embedder?.status, 'ready');
    assert.ok(all.embedder?.version);
    await service.stop();
  });

  test('a runtime is found by its command, and asked whether it runs', async () => {
    using docker = new ContainerRuntime('docker', { isRunning: false });
    using podman = new ContainerRuntime('podman');
    const stateOf = async (...runtimes: readonly ContainerRuntime[]) => {
      only(...runtimes);
      const service = await InProcessService.start(LIMITS);
      const { 'container-runtime': runtime } = await found(service);
      await service.stop();
      return runtime;
    };
    const stopped = await stateOf(docker);
    assert.equal(stopped?.status, 'stopped');
    assert.match(stopped?.hint ?? '', /Start docker: Cannot connect/);
    // Podman needs nobody to run.
    const { status, version, hint } = (await stateOf(docker, podman)) ?? {};
    assert.deepEqual([status, version, hint], ['ready', '28.5.1', 'podman']);
  });
});

describe('install-redis', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ ...LIMITS, ANTHROPIC_API_KEY: 'not-for-containers' });
    // Were it handed on, the program would refuse.
    process.env.SERVICE_TEST_SECRET = 'not-for-containers';
  });
  afterAll(() => {
    delete process.env.SERVICE_TEST_SECRET;
    return service.stop();
  });

  const install = () => service.ask('POST', '/api/dependencies/install-redis');
  const recorded = async () => {
    const { body } = await service.get<{ events: { data: unknown }[] }>('/api/events?stream=dependencies');
    return body.events.map(({ data }) => data);
  };

  for (const name of ['docker', 'podman'] as const)
    test(`by ${name}: installed, already running, stopped and started again`, async () => {
      using runtime = new ContainerRuntime(name);
      only(runtime);
      const before = await recorded();
      const { status, body } = await install();
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.status, 'installed');
      assert.equal(body.command, `${name} ${INSTALL}`);
      assert.match(String(body.hint), /hark backup .*hark restore .* --kvstore-url redis:\/\/127.0.0.1:6379/);
      assert.ok(runtime.calls.includes(INSTALL));

      const again = await install();
      assert.equal(again.body.status, 'already_running');
      assert.equal(runtime.calls.filter((call) => call === INSTALL).length, 1);

      for (const [found, command] of [
        ['exited', 'start'],
        ['paused', 'unpause'],
      ] as const) {
        runtime.state = { ...runtime.state, containers: { 'service-redis': found } };
        const started = await install();
        assert.equal(started.body.status, 'started');
        assert.equal(started.body.command, `${name} ${command} service-redis`);
        assert.equal(runtime.state.containers['service-redis'], 'running');
      }
      const facts = (await recorded()).slice(before.length);
      const fact = { name: 'kvstore', runtime: name };
      assert.deepEqual(facts, [
        { ...fact, status: 'installed' },
        { ...fact, status: 'started' },
        { ...fact, status: 'started' },
      ]);
    });

  test('is 400 where no runtime runs, and says what to do', async () => {
    only();
    const none = await install();
    assert.equal(none.status, 400);
    assert.equal(none.body.error, 'Container runtime is not running');
    assert.match(String(none.body.message), /Install Docker/);
    using runtime = new ContainerRuntime('docker', { isRunning: false });
    only(runtime);
    const { status, body } = await install();
    assert.equal(status, 400);
    assert.match(String(body.message), /docker is installed and does not answer.*Cannot connect/);
  });

  test('is 500 with the command for a port that is taken, and leaves nothing behind', async () => {
    using runtime = new ContainerRuntime('docker', { isPortTaken: true });
    only(runtime);
    const { status, body } = await install();
    assert.equal(status, 500);
    assert.deepEqual(Object.keys(body).sort(), ['command', 'error', 'message']);
    assert.equal(body.command, `docker ${INSTALL}`);
    assert.match(String(body.message), /Port 6379 is taken/);
    assert.deepEqual(runtime.state.containers, {});
    runtime.state = { ...runtime.state, isPortTaken: false };
    assert.equal((await install()).body.status, 'installed');
    runtime.state = { ...runtime.state, isPortTaken: true, containers: { 'service-redis': 'exited' } };
    const stopped = await install();
    assert.equal(stopped.status, 500);
    assert.equal(stopped.body.command, 'docker start service-redis');
    assert.deepEqual(runtime.state.containers, { 'service-redis': 'exited' }, 'it is not ours to remove');
  });

  test('is 500 with the command for an image that cannot be pulled', async () => {
    using runtime = new ContainerRuntime('docker', { isPullRefused: true });
    only(runtime);
    const { status, body } = await install();
    assert.equal(status, 500);
    assert.equal(body.command, `docker ${INSTALL}`);
    assert.match(String(body.message), /failed to resolve reference/);
  });

  test('is done once for all who ask at once', async () => {
    using runtime = new ContainerRuntime('docker');
    only(runtime);
    const answers = await Promise.all(Array.from({ length: 5 }, install));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(runtime.calls.filter((call) => call === INSTALL).length, 1);
  });

  test('no page of another origin may ask for it', async () => {
    const headers = { origin: 'http://localhost:5173' };
    const { status } = await service.ask('POST', '/api/dependencies/install-redis', { headers });
    assert.equal(status, 403);
  });
});

test('what the hint says takes the log from SQLite to Redis', {
  ...skippedFor(redisIsMissing),
}, async (t) => {
  const redis = await RedisServer.start();
  t.onTestFinished(() => redis.stop());
  using runtime = new ContainerRuntime('docker', { containers: { 'service-redis': 'running' } });
  using folder = new TemporaryFolder();
  const environment = {
    SERVICE_DATA_DIR: folder.path,
    SERVICE_KVSTORE_URL: 'embedded',
    PATH: runtime.folder,
  };
  const before = new ServiceProcess(environment);
  const service = await before.ready();
  const text = 'I live in Lisbon';
  assert.equal((await service.ask('POST', '/api/memory/conclusions', { body: { text } })).status, 201);
  const { body } = await service.ask('POST', '/api/dependencies/install-redis');
  await before.stop();

  const said = String(body.hint);
  const [, backup = ''] = /hark (backup \S+);/.exec(said) ?? [];
  const [, restore = ''] = /hark (restore \S+ --kvstore-url \S+);/.exec(said) ?? [];
  const own = (command: string) =>
    command
      .replace('hark-backup.db', join(folder.path, 'hark-backup.db'))
      .replace('redis://127.0.0.1:6379', redis.url)
      .split(' ');
  const where = { SERVICE_DATA_DIR: folder.path };
  for (const command of [backup, restore]) {
    const { code, stderr } = await hark(own(command), where);
    assert.equal(code, 0, stderr);
  }
  const after = new ServiceProcess({ SERVICE_DATA_DIR: folder.path, SERVICE_KVSTORE_URL: redis.url });
  const moved = await after.ready();
  const { conclusions } = (await moved.get<{ conclusions: { text: string }[] }>('/api/memory/conclusions'))
    .body;
  assert.deepEqual(
    conclusions.map((one) => one.text),
    [text],
  );
  await after.stop();
});
