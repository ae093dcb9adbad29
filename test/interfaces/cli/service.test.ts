import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { describe, test } from 'vitest';
import { heldPort } from '../../support/heldPort.ts';
import { hark, startHark, TemporaryFolder } from './hark.ts';

const key = 'secret-of-mine';

interface Running {
  readonly process: ChildProcess;
  readonly port: number;
}

/** `hark start`, once it is ready. */
async function startService(dataDirectory: string, port: number): Promise<Running> {
  const child = startHark(['start'], {
    SERVICE_DATA_DIR: dataDirectory,
    SERVICE_API_KEY: key,
    HEALTH_PORT: String(port),
    MCP_PORT: '0',
    AUDIO_PORT: '0',
  });
  for await (const line of linesOf(child)) {
    const said = JSON.parse(line);
    if (said.msg === 'ready') return { process: child, port: said.ports.health };
  }
  throw new Error('The service did not start');
}

async function stop({ process }: Running): Promise<void> {
  if (process.exitCode !== null) return;
  process.kill('SIGTERM');
  await once(process, 'exit');
}

function linesOf({ stdout }: ChildProcess): Interface {
  if (!stdout) throw new Error('No pipe');
  return createInterface(stdout);
}

describe('the command line and a service that it started', () => {
  test('status, events list, replay and doctor agree', async () => {
    using folder = new TemporaryFolder();
    const service = await startService(folder.path, 0);
    try {
      const ports = { HEALTH_PORT: String(service.port), MCP_PORT: '0', AUDIO_PORT: '0' };
      const client = { HARK_URL: `http://127.0.0.1:${service.port}`, HARK_API_KEY: key };
      const environment = { ...client, ...ports, SERVICE_DATA_DIR: folder.path };

      const status = await hark(['status', '--json'], environment);
      assert.equal(status.code, 0, status.stderr);
      const { health, kvstore, info } = JSON.parse(status.stdout);
      assert.equal(health.status, 'healthy');
      assert.equal(kvstore.connected, true);
      assert.equal(info.ports.health, service.port);
      const people = await hark(['status'], environment);
      assert.match(people.stdout, /^kvstore {2}connected, embedded, version \d+\.\d+\.\d+$/m);
      assert.match(people.stdout, /^ {2}provider-cloud-a +off +[\d.]+ ms +Not configured$/m);
      assert.ok(!people.stdout.includes(key));

      const list = await hark(['events', 'list', '--json'], environment);
      const [started] = list.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.equal(started.type, 'system.instance.started');
      const replay = await hark(['replay', '--show', 'instances', '--json'], environment);
      assert.deepEqual(
        JSON.parse(replay.stdout).entries.map((entry: { key: string }) => entry.key),
        [started.data.instanceId],
      );

      const doctor = await hark(['doctor', '--json'], {
        ...environment,
        HARK_URL: '',
        HARK_API_KEY: '',
        SERVICE_API_KEY: key,
      });
      const { ok, findings } = JSON.parse(doctor.stdout);
      assert.ok(ok, doctor.stdout);
      const messages = findings.map(({ message }: { message: string }) => message);
      assert.ok(messages.includes(`hark is running (process ${service.process.pid})`));
      assert.ok(messages.includes(`HEALTH_PORT ${service.port} is served by the running hark`));
      assert.ok(!doctor.stdout.includes(key));

      using other = new TemporaryFolder();
      const astray = await hark(['doctor'], { ...environment, SERVICE_DATA_DIR: other.path });
      assert.equal(astray.code, 1);
      assert.match(astray.stdout, /^fail {2}ports .+ a hark that uses another data directory$/m);
    } finally {
      await stop(service);
    }
  });

  test('tail misses nothing and repeats nothing while the service restarts', async () => {
    using folder = new TemporaryFolder();
    // The same for both: nobody else may come by it in between.
    const first = await startService(folder.path, await heldPort());
    const tail = startHark(['events', 'tail', '--after', '0', '--topics', 'system.*', '--json'], {
      HARK_URL: `http://127.0.0.1:${first.port}`,
      HARK_API_KEY: key,
    });
    const seen: string[] = [];
    let second: Running | undefined;
    try {
      for await (const line of linesOf(tail)) {
        const { position, type } = JSON.parse(line);
        seen.push(`${position} ${type}`);
        if (seen.length === 3) break;
        if (seen.length > 1) continue;
        await stop(first);
        second = await startService(folder.path, first.port);
      }
      assert.deepEqual(seen, [
        '1 system.instance.started',
        '2 system.instance.stopped',
        '3 system.instance.started',
      ]);
    } finally {
      tail.kill();
      await stop(first);
      if (second) await stop(second);
    }
  });

  test('start ends with 78 when its environment is wrong', async () => {
    const { code, stderr } = await hark(['start'], { HEALTH_PORT: 'many', SERVICE_NLI_ENABLED: 'perhaps' });
    assert.equal(code, 78);
    assert.equal(stderr.trimEnd().split('\n').length, 2);
  });
});
