import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { sends } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { backUp } from '../../src/store/backup.ts';
import { openReadOnly } from '../../src/store/open.ts';
import { shownToken, startWith, storeKey } from '../support/credentials.ts';
import { bytesOf } from '../support/dataDirectory.ts';
import { InProcessService } from '../support/service.ts';

const A = 'provider-cloud-a';

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'hark-keys-'));
  t.onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('a stored key outlives the process, in a file for its owner', async (t) => {
  const directory = folder(t);
  const before = await startWith({ SERVICE_DATA_DIR: directory });
  await storeKey(before, 'sk-first', await shownToken(before));
  await before.stop();
  assert.equal(statSync(join(directory, 'credentials.json')).mode & 0o777, 0o600);
  const afterwards = await startWith({ SERVICE_DATA_DIR: directory });
  t.onTestFinished(() => afterwards.stop());
  assert.deepEqual((await afterwards.ask('POST', '/api/credentials/clear-all')).body.removed, [A]);
});

test('a file that cannot be used stops no start, is reported, and is left alone', async (t) => {
  const directory = folder(t);
  const file = join(directory, 'credentials.json');
  writeFileSync(file, '{"format":"hark-cred');
  const service = await startWith({ SERVICE_DATA_DIR: directory, ANTHROPIC_API_KEY: 'sk-env' });
  t.onTestFinished(() => service.stop());
  const health = await service.get<{ status: string; services: Record<string, { error?: string }> }>(
    '/api/health',
  );
  assert.equal(health.body.status, 'degraded');
  assert.match(health.body.services.credentials?.error ?? '', /credentials\.json is damaged.*move it aside/);
  const headers = await shownToken(service);
  for (const answer of [
    await storeKey(service, 'sk-first', headers),
    await service.ask('DELETE', `/api/credentials/${A}`),
    await service.ask('POST', '/api/credentials/clear-all'),
  ]) {
    assert.equal(answer.status, 503);
    assert.equal(answer.body.error, 'Stored provider keys are not available');
    assert.match(String(answer.body.message), /move it aside/);
    assert(!answer.text.includes(directory));
  }
  assert.equal(readFileSync(file, 'utf8'), '{"format":"hark-cred');
  assert.match(service.logged, /stored provider keys are not used/);
  rmSync(file);
  assert.equal((await service.get('/health/credentials')).status, 200);
  assert.equal((await storeKey(service, 'sk-first', headers)).status, 200);
});

test('without the log a key is kept all the same, and the answer says that no event was written', async (t) => {
  const service = await startWith({ SERVICE_KVSTORE_URL: 'none' });
  t.onTestFinished(() => service.stop());
  const { status, body } = await storeKey(service, 'sk-first', await shownToken(service));
  assert.deepEqual([status, body], [200, { success: true, providerId: A, recorded: false }]);
  const cleared = await service.ask('POST', '/api/credentials/clear-all');
  assert.deepEqual(cleared.body, { success: true, removed: [A], recorded: false });
  assert.match(service.logged, /a provider key changed without an event/);
});

test('no byte that leaves the service or lies on its disk has a key in it', async (t) => {
  const directory = folder(t);
  const outside = folder(t);
  await using models = await ScriptedModels.start();
  models.acceptKeys('cloud-a', 'canary-accepted');
  const service = await InProcessService.start({
    SERVICE_DATA_DIR: directory,
    SERVICE_KVSTORE_URL: 'embedded',
    CHAT_RATE_LIMIT: '1000',
    ANTHROPIC_BASE_URL: models.url('cloud-a'),
  });
  t.onTestFinished(() => service.stop());
  const headers = await shownToken(service);
  const answers: string[] = [];
  const ask = async (...request: Parameters<InProcessService['ask']>) => {
    const { text, headers: shown } = await service.ask(...request);
    answers.push(text, JSON.stringify([...shown]));
  };
  const bodyOf = (apiKey: string) => ({ body: { providerId: A, apiKey }, headers });
  await ask('POST', '/api/credentials', bodyOf('canary-stored'));
  await ask('POST', '/api/credentials', bodyOf('canary-rotated'));
  await ask('POST', '/api/credentials', bodyOf('canary-refused \u00e9'));
  await ask('POST', '/api/credentials', { body: { 'canary-field': 1 }, headers });
  await ask('POST', '/api/credentials', { body: '{"apiKey":"canary-cut', headers });
  await ask('POST', '/api/credentials', { body: { providerId: A, apiKey: ['canary-array'] }, headers });
  await ask('POST', '/api/credentials', { body: { providerId: 'canary-provider', apiKey: 'x' }, headers });
  await ask('POST', '/api/credentials/validate', bodyOf('canary-accepted'));
  await ask('POST', '/api/credentials/validate', bodyOf('canary-wrong'));
  models.script(sends(500, { error: { message: 'the key canary-accepted broke it' } }), {
    endpoint: 'models',
  });
  await ask('POST', '/api/credentials/validate', bodyOf('canary-accepted'));
  assert.match(answers.join(), /The provider (failed|is overloaded)/);
  await models.refuse();
  await ask('POST', '/api/credentials/validate', bodyOf('canary-accepted'));
  const asked = models.requests.map(({ apiKey }) => apiKey);
  assert(asked.includes('canary-accepted') && asked.includes('canary-wrong'));
  await ask('GET', '/api/setup-token?key=canary-query');
  await ask('GET', '/api/health');
  await ask('GET', '/api/events');
  const metrics = await service.get('/metrics');
  const beside = await openReadOnly('embedded', directory);
  await backUp(beside, join(outside, 'backup.db'));
  await beside.close();
  const lying = [directory, outside].flatMap(filesIn);
  await ask('DELETE', `/api/credentials/${A}`);
  await ask('POST', '/api/credentials', bodyOf('canary-cleared'));
  await ask('POST', '/api/credentials/clear-all');
  // The file fails, with the key in hand.
  writeFileSync(join(directory, 'credentials.json'), 'no JSON');
  await ask('POST', '/api/credentials', bodyOf('canary-failed'));
  await service.stop();
  lying.push(...[directory, outside].flatMap(filesIn));
  assert(lying.some(([name]) => name === 'hark.db') && lying.some(([name]) => name === 'backup.db'));
  for (const [name, bytes] of lying) assert(!bytes.includes('canary'), name);
  for (const seen of [...answers, metrics.text, service.logged]) {
    assert.doesNotMatch(seen, /canary/);
    assert(!seen.includes(headers['x-setup-token'] ?? '') || seen.includes('expiresAt'));
  }
});

function filesIn(directory: string): [string, Buffer][] {
  return Array.from(bytesOf(directory));
}
