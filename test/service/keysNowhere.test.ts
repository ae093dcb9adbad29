import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { fails } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { hark } from '../interfaces/cli/hark.ts';
import { storeKey } from '../support/credentials.ts';
import { ServiceProcess } from '../support/service.ts';

const CANARY = 'canary7';
const secret = (name: string) => `sk-${CANARY}-${name}-0123456789abcdef`;

interface Described {
  paths: Record<string, Record<string, unknown>>;
}

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'hark-nowhere-'));
  t.onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A part of a key is too much as well: providers quote its ends. */
function assertNoKey(what: string, bytes: string | Buffer): void {
  assert.ok(!bytes.includes(CANARY), what);
}

test('no key is in anything that a process says, answers, writes or leaves behind', async (t) => {
  const [data, reports, backups] = [folder(t), folder(t), folder(t)];
  await using models = await ScriptedModels.start();
  const environment = {
    SERVICE_KVSTORE_URL: 'embedded',
    SERVICE_DATA_DIR: data,
    LOG_LEVEL: 'trace',
    SERVICE_API_KEY: secret('service'),
    SERVICE_CREDENTIAL_SECRET: secret('secret'),
    SERVICE_CREDENTIAL_SALT: secret('salt'),
    ANTHROPIC_API_KEY: secret('a'),
    ANTHROPIC_BASE_URL: models.url('cloud-a'),
    OPENAI_API_KEY: secret('b'),
    OPENAI_BASE_URL: models.url('cloud-b'),
    OPENROUTER_API_KEY: secret('gateway'),
    OPENROUTER_BASE_URL: models.url('gateway'),
    OLLAMA_HOST: models.url('local-runner'),
    API_RATE_LIMIT: '10000',
    CHAT_RATE_LIMIT: '10000',
  };
  // Refused in the provider's words, which quote the key.
  models.acceptKeys('cloud-b', 'another');
  models.script(fails('revoked-key'), { endpoint: 'models', provider: 'cloud-a' });
  const process = new ServiceProcess({
    ...environment,
    NODE_OPTIONS: `--report-on-signal --report-signal=SIGUSR2 --report-uncaught-exception --report-directory=${reports}`,
  });
  t.onTestFinished(async () => {
    await process.stop();
  });
  const service = await process.ready();
  const headers = { authorization: `Bearer ${environment.SERVICE_API_KEY}` };

  assert.equal((await storeKey(service, secret('stored'), headers)).status, 200);
  for (const providerId of ['provider-cloud-a', 'provider-cloud-b', 'provider-gateway'])
    await service.ask('POST', '/api/credentials/validate', { body: { providerId, apiKey: secret('tried') } });
  assert.ok(models.requests.some(({ apiKey }) => apiKey === secret('tried')));
  assert.ok(models.requests.some(({ apiKey }) => apiKey === secret('stored')));

  const { body, text } = await service.get<Described>('/api/openapi.json', headers);
  assertNoKey('openapi', text);
  const plain = Object.entries(body.paths).filter(
    ([path, { get }]) => get && !path.includes('{') && !path.endsWith('/stream'),
  );
  assert.ok(plain.length > 10);
  for (const [path] of plain) {
    const answer = await service.get(path, headers);
    assertNoKey(path, answer.text);
    assertNoKey(path, JSON.stringify([...answer.headers]));
  }
  for (const path of ['/health', '/metrics', '/health/provider-cloud-a', '/health/provider-cloud-b'])
    assertNoKey(path, (await service.get(path, headers)).text);

  for (const command of [
    ['doctor', '--json'],
    ['status', '--json'],
    ['backup', join(backups, 'backup.db')],
  ]) {
    const said = await hark(command, {
      ...environment,
      HARK_URL: service.url,
      HARK_API_KEY: secret('service'),
    });
    assertNoKey(command.join(' '), said.stdout + said.stderr);
  }
  assert.ok(readdirSync(backups).includes('backup.db'));

  process.child.kill('SIGUSR2');
  while (!process.stderr.includes('report completed')) {
    assert.ok(process.child.stderr);
    await once(process.child.stderr, 'data');
  }
  assert.equal(readdirSync(reports).length, 1);

  await process.stop();
  assertNoKey('standard output', process.lines.join('\n'));
  assertNoKey('standard error', process.stderr);
  assert.ok(process.lines.length > 1);
  const left = [data, reports, backups].flatMap(filesIn);
  assert.ok(left.some((file) => file.endsWith('hark.db')));
  for (const file of left) assertNoKey(file, readFileSync(file));
});

test('a bad start names what is wrong, and no secret', async (t) => {
  const process = new ServiceProcess({
    ANTHROPIC_API_KEY: `${secret('a')} ${secret('b')}`,
    SERVICE_API_KEY: `${CANARY} with spaces`,
    HEALTH_PORT: 'none',
  });
  t.onTestFinished(async () => {
    await process.stop();
  });
  assert.equal(await process.exitCode(), 78);
  assert.match(process.stderr, /ANTHROPIC_API_KEY/);
  assertNoKey('standard error', process.stderr);
});

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((file) => statSync(file).isFile());
}
