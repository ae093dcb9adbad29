import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'vitest';
import { EventReader, InProcessService, ServiceProcess } from '../support/service.ts';

test('the first line says that it is ready, and where', async () => {
  const started = new ServiceProcess();
  const service = await started.ready();
  const { msg, ports } = JSON.parse(started.lines[0] ?? '');
  assert.equal(msg, 'ready');
  assert.deepEqual(Object.keys(ports), ['health', 'mcp', 'voice']);
  assert.equal((await service.get('/health')).status, 200);
  assert.equal(await started.stop(), 0);
  for (const line of started.lines) assert.doesNotThrow(() => JSON.parse(line));
});

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`${signal} ends it cleanly, with streams open, and loses nothing`, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hark-stop-'));
    const environment = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
    const started = new ServiceProcess(environment);
    const service = await started.ready();
    const reader = await EventReader.open(`${service.url}/api/events/stream?topics=none`);
    assert.equal((await service.put('/api/settings', { agentMaxSteps: 4 })).status, 200);
    assert.equal(await started.stop(signal), 0);
    assert.equal(await reader.next(), undefined);
    const again = await InProcessService.start(environment);
    const { events } = (await again.get<{ events: { type: string }[] }>('/api/events')).body;
    assert.deepEqual(
      events.map(({ type }) => type),
      ['system.instance.started', 'config:changed', 'system.instance.stopped', 'system.instance.started'],
    );
    await again.stop();
    rmSync(directory, { recursive: true });
  });

async function failedStart(environment: Record<string, string>) {
  const started = new ServiceProcess(environment);
  const code = await started.exitCode();
  return { code, stderr: started.stderr, stdout: started.lines.join('\n') };
}

test('a bad configuration ends the start with 78 and one line a variable', async () => {
  const { code, stderr } = await failedStart({
    HEALTH_PORT: 'many',
    SERVICE_KVSTORE_URL: 'redis-secret-url',
    LOG_LEVEL: 'loud',
  });
  assert.equal(code, 78);
  const lines = stderr.trim().split('\n');
  assert.deepEqual(lines.map((line) => line.split(':')[0]).sort(), [
    'HEALTH_PORT',
    'LOG_LEVEL',
    'SERVICE_KVSTORE_URL',
  ]);
  assert.doesNotMatch(stderr, /redis-secret-url/);
});

for (const [what, place] of Object.entries({
  'below a folder that takes none': () => '/proc/hark',
  'far below a folder that takes none': () => '/proc/hark/data/here',
  'that is a file': (file: string) => file,
  'below a file': (file: string) => join(file, 'data'),
}))
  test(`a data directory ${what} ends the start with 78 and one line`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hark-no-folder-'));
    const file = join(folder, 'file');
    writeFileSync(file, 'kept');
    const { code, stderr } = await failedStart({
      SERVICE_KVSTORE_URL: 'embedded',
      SERVICE_DATA_DIR: place(file),
    });
    assert.equal(code, 78);
    assert.match(stderr, /^SERVICE_DATA_DIR: .* \(E[A-Z]+\)\. .*\n$/);
    assert.equal(readFileSync(file, 'utf8'), 'kept');
    rmSync(folder, { recursive: true });
  });

test('an open address without a key is a bad configuration', async () => {
  const { code, stderr } = await failedStart({ SERVICE_HOST: '0.0.0.0' });
  assert.equal(code, 78);
  assert.match(stderr, /^SERVICE_API_KEY: /);
});

test('a busy port ends the start with 1 and one line', async () => {
  const service = await InProcessService.start();
  const mcp = Number(new URL(service.mcpUrl).port);
  for (const [variable, port] of [
    ['HEALTH_PORT', service.port],
    ['MCP_PORT', mcp],
    ['AUDIO_PORT', service.voicePort],
  ] as const) {
    const { code, stderr } = await failedStart({ [variable]: String(port) });
    assert.equal(code, 1);
    assert.equal(stderr, `hark cannot start: ${variable} ${port} is in use on 127.0.0.1\n`);
  }
  await service.stop();
});

test('a data directory that is in use ends the start with 1 and one line', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-busy-'));
  const environment = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
  const started = new ServiceProcess(environment);
  await started.ready();
  const { code, stderr } = await failedStart(environment);
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`^hark cannot start: .*${started.child.pid}.*\n$`));
  await started.stop();
  rmSync(directory, { recursive: true });
});

test('a file that is no log ends the start with 1 and is left alone', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-foreign-'));
  const { databaseFile } = await import('../../src/store/sqlite/database.ts');
  writeFileSync(databaseFile(directory), 'a diary, and no database at all'.repeat(100));
  const { code, stderr } = await failedStart({
    SERVICE_KVSTORE_URL: 'embedded',
    SERVICE_DATA_DIR: directory,
  });
  assert.equal(code, 1);
  assert.equal(stderr.trim().split('\n').length, 1);
  assert.match(stderr, /^hark cannot start: /);
  rmSync(directory, { recursive: true });
});

test('a log that is damaged in the middle ends the start with 1 and is left alone', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-damaged-'));
  const environment = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
  const started = new ServiceProcess(environment);
  await started.ready();
  assert.equal(await started.stop(), 0);
  const file = join(directory, 'hark.db');
  const db = new DatabaseSync(file, { readOnly: true });
  const page = Number(db.prepare("select rootpage from sqlite_schema where name = 'events'").get()?.rootpage);
  db.close();
  const bytes = readFileSync(file);
  bytes.fill('Dear diary, ', (page - 1) * 4_096, page * 4_096);
  writeFileSync(file, bytes);
  const { code, stderr } = await failedStart(environment);
  assert.equal(code, 1);
  assert.match(stderr, /^hark cannot start: hark\.db in the data directory is damaged\..*\n$/);
  assert.ok(readFileSync(file).equals(bytes));
  rmSync(directory, { recursive: true });
});
