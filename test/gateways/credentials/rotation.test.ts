import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { says, waits } from '../../../src/demo/model/script.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { ProviderClients } from '../../../src/gateways/models/clients.ts';
import { createGateway } from '../../../src/gateways/models/createGateway.ts';
import { tryKey } from '../../../src/gateways/models/keyTrial.ts';
import { type ProviderId, providerIds } from '../../../src/vocabulary.ts';
import { DataDirectory } from './directory.ts';

/* The same as in clients.test.ts, with the real gateways and over a socket. */

const signal = new AbortController().signal;

function configFor(models: ScriptedModels) {
  return readConfig({
    NODE_ENV: 'test',
    ANTHROPIC_BASE_URL: models.url('cloud-a'),
    OPENAI_BASE_URL: models.url('cloud-b'),
    OPENROUTER_BASE_URL: models.url('gateway'),
    OLLAMA_HOST: models.url('local-runner'),
  });
}

const withKeys = providerIds.filter((providerId) => providerId !== 'local-runner');

for (const providerId of withKeys)
  test(`${providerId}: a stream goes on while its key is rotated, and the next has the new key`, async (t) => {
    await using models = await ScriptedModels.start();
    const credentials = new DataDirectory(t).open();
    const scope = `provider-${providerId}`;
    await credentials.store(scope, 'old-key');
    const clients = new ProviderClients({
      config: configFor(models),
      storedKeys: () => credentials.keys(),
      gateways: async () => createGateway,
    });
    const rotated = Promise.withResolvers<void>();
    models.script([says('before ', waits(rotated.promise), 'after'), says('new')]);
    const complete = async (): Promise<string> => {
      const client = await clients.clientFor(providerId);
      assert(client);
      let text = '';
      const request = {
        model: 'any',
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      } as const;
      for await (const part of client.gateway.complete(request, signal)) {
        if (part.type !== 'text') continue;
        if (text === '' && part.text.startsWith('before')) {
          await credentials.store(scope, 'new-key');
          models.acceptKeys(providerId, 'new-key');
          rotated.resolve();
        }
        text += part.text;
      }
      return text;
    };
    assert.equal(await complete(), 'before after');
    assert.equal(await complete(), 'new');
    const keys = models.requests.filter(({ endpoint }) => endpoint === 'chat').map(({ apiKey }) => apiKey);
    assert.deepEqual(keys, ['old-key', 'new-key']);
  });

test('each provider tells a good key from a wrong one, by a call that changes nothing', async () => {
  await using models = await ScriptedModels.start();
  const clients = new ProviderClients({
    config: configFor(models),
    storedKeys: async () => new Map(),
    gateways: async () => createGateway,
  });
  const tried = (providerId: ProviderId, apiKey: string) =>
    tryKey(clients, `provider-${providerId}`, apiKey, signal);
  for (const providerId of withKeys) {
    models.acceptKeys(providerId, 'good-key');
    assert.deepEqual(await tried(providerId, 'good-key'), { valid: true }, providerId);
    assert.deepEqual(
      await tried(providerId, 'wrong-key'),
      { valid: false, error: 'The provider refused the key' },
      providerId,
    );
  }
  assert.deepEqual(await tried('local-runner', 'none'), { valid: true });
  assert(models.requests.every(({ endpoint }) => endpoint !== 'chat'));
  await models.refuse();
  for (const providerId of providerIds)
    assert.deepEqual(
      await tried(providerId, 'good-key'),
      { valid: false, error: 'The provider could not be reached' },
      providerId,
    );
});
