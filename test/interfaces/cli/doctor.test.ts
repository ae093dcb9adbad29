import assert from 'node:assert/strict';
import { chmodSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'vitest';
import { tlsIn } from '../../support/certificate.ts';
import { InProcessService } from '../../support/service.ts';
import { hark, TemporaryFolder, writeStory } from './hark.ts';
import { WriterProcess } from './writerProcess.ts';

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly mend?: string;
}

/** Any free port, so that nothing else on the machine matters. */
const quiet = { HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0', HARK_URL: 'http://127.0.0.1:9' };

async function examine(directory: string, environment: Record<string, string> = {}, ...args: string[]) {
  const all = { ...quiet, SERVICE_DATA_DIR: directory, ...environment };
  const { code, stdout, stderr } = await hark(['doctor', '--json', ...args], all);
  assert.equal(stderr, '');
  const { ok, findings }: { ok: boolean; findings: Finding[] } = JSON.parse(stdout);
  assert.equal(code, ok ? 0 : 1);
  for (const { level, mend } of findings) if (level !== 'ok') assert.ok(mend, 'says how to mend it');
  return { ok, findings, bad: findings.filter(({ level }) => level !== 'ok') };
}

describe.concurrent('hark doctor', () => {
  test('finds nothing wrong with a healthy directory', async () => {
    using folder = new TemporaryFolder();
    await writeStory(folder.path);
    const { ok, findings, bad } = await examine(folder.path, {}, '--full');
    assert.ok(ok);
    assert.deepEqual(bad, []);
    const log = findings.filter(({ check }) => check === 'log').map(({ message }) => message);
    assert.deepEqual(log, [
      'the database is whole, indexes too',
      '5 events, with no gap in positions or in any stream; the newest reads',
    ]);
  });

  test('finds nothing wrong before the first start', async () => {
    using folder = new TemporaryFolder();
    const { bad } = await examine(join(folder.path, 'not', 'yet'));
    assert.deepEqual(bad, []);
  });

  test('names the process that uses the directory', async () => {
    using folder = new TemporaryFolder();
    const writer = new WriterProcess(folder.path);
    try {
      await writer.reach(5);
      const { bad, findings } = await examine(folder.path);
      assert.deepEqual(bad, []);
      assert.ok(findings.some(({ message }) => message === `hark is running (process ${writer.pid})`));
      await writer.reach(writer.position + 5);
    } finally {
      assert.equal(await writer.stop(), 0);
    }
  });

  test('says in lines for people what is wrong and how to mend it', async () => {
    using folder = new TemporaryFolder();
    await writeStory(folder.path);
    chmodSync(folder.path, 0o755);
    const { code, stdout } = await hark(['doctor'], { ...quiet, SERVICE_DATA_DIR: folder.path });
    assert.equal(code, 0, 'a warning is no failure');
    assert.ok(stdout.includes(`warn  data directory  open to other users: ${folder.path}\n`));
    assert.match(stdout, /^ {22}→ chmod -R u\+rwX,go= /m);
    assert.ok(!stdout.includes('\u001b'), 'no colour where no terminal is');
  });

  test('fails on a truncated file', async () => {
    using folder = new TemporaryFolder();
    await writeStory(folder.path);
    const file = join(folder.path, 'hark.db');
    truncateSync(file, 10_000);
    const before = readFileSync(file);
    const { bad } = await examine(folder.path);
    assert.deepEqual(
      bad.map(({ check, level }) => [check, level]),
      [['log', 'fail']],
    );
    assert.match(bad[0]?.message ?? '', /damaged/);
    assert.deepEqual(readFileSync(file), before);
  });

  test('fails on a file that is no hark log', async () => {
    using folder = new TemporaryFolder();
    const file = join(folder.path, 'hark.db');
    writeFileSync(file, 'what stands here belongs to somebody else\n'.repeat(100), { mode: 0o600 });
    const { bad } = await examine(folder.path);
    assert.match(bad[0]?.message ?? '', /not a hark log/);
  });

  test('fails on a gap in the log', async () => {
    using folder = new TemporaryFolder();
    await writeStory(folder.path);
    const db = new DatabaseSync(join(folder.path, 'hark.db'));
    db.exec('delete from events where position = 3');
    db.close();
    const { bad } = await examine(folder.path);
    assert.deepEqual(
      bad.map(({ message }) => message),
      ['positions 3 to 3 are missing', 'settings goes on with version 3 at 4, not 2'],
    );
  });

  test('tells bad variables one by one, and never the value of a secret', async () => {
    using folder = new TemporaryFolder();
    const key = 'k'.repeat(600);
    const environment = {
      SERVICE_API_KEY: key,
      SERVICE_NLI_MODEL_SIZE: 'huge',
      SERVICE_DATA_DIR: folder.path,
    };
    const { code, stdout } = await hark(['doctor', '--json'], { ...quiet, ...environment });
    assert.equal(code, 1);
    const { findings }: { findings: Finding[] } = JSON.parse(stdout);
    const bad = findings.filter(({ check }) => check === 'configuration').map(({ message }) => message);
    assert.equal(bad.length, 2);
    assert.ok(bad.some((line) => line.startsWith('SERVICE_API_KEY:')));
    assert.ok(bad.some((line) => line.startsWith('SERVICE_NLI_MODEL_SIZE:')));
    assert.ok(!stdout.includes(key));
    assert.ok(
      findings.some(({ message }) => message.startsWith(folder.path)),
      'goes on with the rest',
    );
  });

  test('tells a port that another program uses', async () => {
    using folder = new TemporaryFolder();
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    try {
      const { bad } = await examine(folder.path, { AUDIO_PORT: port });
      assert.deepEqual(
        bad.map(({ level, message }) => [level, message]),
        [['fail', `AUDIO_PORT ${port} is used by another program`]],
      );
    } finally {
      server.close();
    }
  });
});

describe('hark doctor goes the ways of others', () => {
  const walks = async (service: InProcessService, environment: Record<string, string> = {}) => {
    using folder = new TemporaryFolder();
    const { findings, bad } = await examine(folder.path, { HARK_URL: service.url, ...environment });
    const told = (check: string) =>
      findings.filter((one) => one.check === check).map(({ message }) => message);
    return { browser: told('browser'), device: told('device'), voice: told('voice'), bad };
  };

  test('of a browser that sets hark up, of a device, and of who talks: nothing is changed', async () => {
    const service = await InProcessService.start({ SERVICE_VOICE_STT_MODEL: 'off' });
    const head = async () =>
      (await service.get<{ events: unknown[] }>('/api/events?limit=1000')).body.events.length;
    const before = await head();
    const { browser, device, voice, bad } = await walks(service);
    assert.deepEqual(bad, []);
    assert.deepEqual(browser, [
      `the page at ${service.url}/ is there`,
      'other host names than its own are refused',
      'pages of its own may ask',
      'pages of other sites may not',
      'with a setup token, and not without, it can be set up',
    ]);
    assert.deepEqual(device, [
      'it listens on this machine alone; hark setup opens it to devices elsewhere',
      'the REST API refuses a device that it does not know',
      'the tool server refuses a device that it does not know',
      'a pairing code that nobody made lets no device in',
    ]);
    assert.deepEqual(voice, [
      'nothing here understands speech; what could: hark models list --type stt',
      'it speaks (flite)',
    ]);
    assert.equal(await head(), before);
    await service.stop();
  });

  test('with a key, and with one that is not that of the service', async () => {
    const key = 'the-key-of-the-service';
    const service = await InProcessService.start({ SERVICE_API_KEY: key });
    const { browser, bad } = await walks(service, { SERVICE_API_KEY: key });
    assert.deepEqual(bad, []);
    assert.equal(browser.at(-1), 'the setup asks for the key');
    const two = await walks(service, { SERVICE_API_KEY: key, HARK_API_KEY: 'another-key' });
    assert.match(two.bad[0]?.message ?? '', /HARK_API_KEY.*SERVICE_API_KEY/);
    assert.ok(two.browser.includes('it wants a key'));
    await service.stop();
  });

  test('from each address of this machine, over TLS', async () => {
    using folder = new TemporaryFolder();
    const environment = {
      ...tlsIn(folder.path),
      SERVICE_HOST: '0.0.0.0',
      SERVICE_API_KEY: 'the-key-of-the-service',
    };
    const service = await InProcessService.start(environment);
    const url = service.url.replace('http:', 'https:');
    const { browser, device, bad } = await walks(service, { ...environment, HARK_URL: url });
    assert.ok(browser.includes(`the page at ${url}/ is there`), String(browser));
    // Its certificate is for this machine alone, and that is said.
    for (const { message } of bad)
      assert.match(message, /is not in its certificate|is used by another program/);
    assert.ok(device.includes('the REST API refuses a device that it does not know'));
    await service.stop();
  });
});
