import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { shownToken, storeKey } from '../support/credentials.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { EventReader, ServiceProcess, type ServiceUnderTest } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

interface Catalog {
  providerIds: string[];
}

test('a key that one process is given is used by the other', { ...skippedFor(redisIsMissing) }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-shared-'));
  t.onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const redis = await RedisServer.start();
  t.onTestFinished(() => redis.stop());
  await using models = await ScriptedModels.start();
  const environment = {
    SERVICE_KVSTORE_URL: redis.url,
    SERVICE_DATA_DIR: directory,
    ANTHROPIC_BASE_URL: models.url('cloud-a'),
    OLLAMA_HOST: 'http://127.0.0.1:9',
    API_RATE_LIMIT: '10000',
    CHAT_RATE_LIMIT: '10000',
  };
  const processes = [new ServiceProcess(environment), new ServiceProcess(environment)];
  t.onTestFinished(async () => {
    await Promise.all(processes.map((one) => one.stop()));
  });
  const [one, other] = await Promise.all(processes.map((process) => process.ready()));
  assert(one && other);
  const told = await EventReader.open(
    `${other.url}/api/events/stream?topics=provider.credentials.updated&after=0`,
  );
  t.onTestFinished(() => told.close());

  const asked = () => models.requests.map(({ apiKey }) => apiKey);
  assert.deepEqual(await shown(other), []);
  for (const key of ['sk-first', 'sk-second']) {
    models.acceptKeys('cloud-a', key);
    assert.equal((await storeKey(one, key, await shownToken(one))).status, 200);
    assert.equal((await told.next())?.event, 'provider.credentials.updated');
    // It was told; what it was told of is in use a moment later.
    while (asked().at(-1) !== key || !(await shown(other)).includes('cloud-a'))
      assert.ok((await shown(other)).length <= 1);
  }

  await one.ask('DELETE', '/api/credentials/provider-cloud-a');
  await told.next();
  const account = () => other.get('/health/provider-cloud-a');
  for (let text = ''; !text.includes('Not configured'); ) text = (await account()).text;
});

async function shown(service: ServiceUnderTest): Promise<string[]> {
  const { body } = await service.get<Catalog>('/api/providers/catalog?refresh=1');
  return body.providerIds.filter((id) => id !== 'local-runner');
}
