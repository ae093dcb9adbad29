import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { silent } from '../../../src/demo/model/script.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { type ProviderClient, ProviderClients } from '../../../src/gateways/models/clients.ts';
import { createGateway } from '../../../src/gateways/models/createGateway.ts';
import type { FailureKind } from '../../../src/gateways/models/failure.ts';
import { tryGateway, tryKey } from '../../../src/gateways/models/keyTrial.ts';
import { DataDirectory } from './directory.ts';
import { failingKey, ScriptedGateways } from './scriptedGateway.ts';

const signal = new AbortController().signal;

function clientsOf(stored: Map<string, string>, environment: Record<string, string> = {}) {
  const gateways = new ScriptedGateways();
  const config = readConfig({ NODE_ENV: 'test', ...environment });
  const clients = new ProviderClients({
    config,
    storedKeys: async () => stored,
    gateways: async () => gateways.create,
  });
  return { clients, gateways };
}

async function said({ gateway }: ProviderClient): Promise<string> {
  let text = '';
  for await (const part of gateway.complete({ model: 'any', messages: [] }, signal))
    if (part.type === 'text') text += part.text;
  return text;
}

test('a stored key wins over the environment, and the base URL stays', async () => {
  const stored = new Map<string, string>();
  const { clients, gateways } = clientsOf(stored, {
    ANTHROPIC_API_KEY: ' from-environment\n',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  });
  assert.deepEqual(await clients.configured(), ['cloud-a', 'local-runner']);
  stored.set('provider-cloud-a', 'stored').set('provider-gateway', 'also-stored');
  assert.deepEqual(await clients.configured(), ['cloud-a', 'gateway', 'local-runner']);
  assert.deepEqual(
    gateways.made.filter(({ providerId }) => providerId === 'cloud-a').map(({ options }) => options),
    [
      { apiKey: 'from-environment', baseUrl: 'http://127.0.0.1:9' },
      { apiKey: 'stored', baseUrl: 'http://127.0.0.1:9' },
    ],
  );
  stored.clear();
  assert.deepEqual(await clients.configured(), ['cloud-a', 'local-runner']);
});

test('a client is kept while its key stays, and told from that of another key', async () => {
  const stored = new Map([['provider-cloud-b', 'first']]);
  const { clients, gateways } = clientsOf(stored);
  const first = await clients.clientFor('cloud-b');
  assert.equal(await clients.clientFor('cloud-b'), first);
  assert.equal(gateways.made.length, 1);
  stored.set('provider-cloud-b', 'second');
  const second = await clients.clientFor('cloud-b');
  assert(first && second);
  assert.notEqual(second.credential, first.credential);
  assert.match(second.credential, /^[0-9a-f]{16}$/);
  stored.set('provider-cloud-b', 'first');
  assert.equal((await clients.clientFor('cloud-b'))?.credential, first.credential);
});

test('what is on its way when the key changes ends on the client it began with', async (t) => {
  const directory = new DataDirectory(t);
  const credentials = directory.open();
  await credentials.store('provider-cloud-a', 'old-key');
  const clients = new ProviderClients({
    config: readConfig({ NODE_ENV: 'test' }),
    storedKeys: () => credentials.keys(),
    gateways: async () => new ScriptedGateways().create,
  });
  const client = await clients.clientFor('cloud-a');
  assert(client);
  let text = '';
  for await (const part of client.gateway.complete({ model: 'any', messages: [] }, signal)) {
    if (part.type !== 'text') continue;
    if (text === '') await credentials.store('provider-cloud-a', 'new-key');
    if (text === 'old') await credentials.remove('provider-cloud-a');
    text += part.text;
  }
  assert.equal(text, 'old-key');
  assert.equal(await clients.clientFor('cloud-a'), undefined);
  await credentials.store('provider-cloud-a', 'new-key');
  const next = await clients.clientFor('cloud-a');
  assert(next);
  assert.equal(await said(next), 'new-key');
});

test('a key from the environment may have line ends around it, and nothing strange inside', () => {
  assert.equal(readConfig({ OPENAI_API_KEY: '\tsk-key\r\n' }).OPENAI_API_KEY, 'sk-key');
  for (const key of ['sk key', 'sk\nkey', 'sk-\u00e9', 'k'.repeat(257)])
    assert.throws(
      () => readConfig({ OPENAI_API_KEY: key }),
      (error) =>
        error instanceof Error &&
        error.message.startsWith('OPENAI_API_KEY: ') &&
        !error.message.includes(key),
    );
});

test('in production a salt that is given has 32 bytes, and belongs to a secret that is given', () => {
  const production = { NODE_ENV: 'production' };
  const hex = 'ab'.repeat(32);
  readConfig(production);
  readConfig({ ...production, SERVICE_CREDENTIAL_SALT: hex, SERVICE_CREDENTIAL_SECRET: hex });
  readConfig({ ...production, SERVICE_CREDENTIAL_SALT: Buffer.from(hex, 'hex').toString('base64') });
  for (const bad of [{ SERVICE_CREDENTIAL_SALT: 'pepper' }, { SERVICE_CREDENTIAL_SECRET: hex }])
    assert.throws(() => readConfig({ ...production, ...bad }), /^ConfigError: SERVICE_CREDENTIAL_SALT: /);
});

test('a key is tried with a client that is not kept, and the answer is in words of ours', async () => {
  const { clients, gateways } = clientsOf(new Map());
  const tried = (key: string) => tryKey(clients, 'provider-gateway', key, signal);
  assert.deepEqual(await tried('good'), { valid: true });
  const kinds: FailureKind[] = [
    'key',
    'network',
    'timeout',
    'rate-limit',
    'overload',
    'malformed',
    'unknown',
  ];
  for (const kind of kinds) {
    const { valid, error = '' } = await tried(failingKey(kind));
    assert.equal(valid, false);
    assert.doesNotMatch(error, /fails-/);
    assert(error.length > 10 && error.length < 80, error);
  }
  const { valid, error = '' } = await tried(failingKey('billing'));
  assert.equal(valid, true);
  assert.match(error, /no credit/);
  assert.deepEqual(await tried('throws'), { valid: false, error: 'The provider failed' });
  assert.equal(await clients.clientFor('gateway'), undefined);
  assert.equal(gateways.made.length, 10);
});

test('a provider that says nothing is given up after a while', async (t) => {
  const models = await ScriptedModels.start();
  t.onTestFinished(() => models.stop());
  models.script(silent(), { endpoint: 'models' });
  const gateway = createGateway('cloud-b', { apiKey: 'sk', baseUrl: models.url('cloud-b') });
  await gateway.prepare();
  const { valid, error } = await tryGateway(gateway, signal, 1_000);
  assert.deepEqual([valid, error], [false, 'The provider did not answer in time']);
  const request = await models.request(1);
  assert.equal(await request.ended, true);
});

test('a trial ends with the one who asked for it', async () => {
  const { clients } = clientsOf(new Map());
  const gone = new AbortController();
  const trial = tryKey(clients, 'provider-cloud-a', 'hangs', gone.signal);
  gone.abort();
  assert.equal((await trial).valid, false);
});
