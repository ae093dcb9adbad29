import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { test } from 'vitest';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../support/models/environment.ts';
import { ServiceProcess } from '../support/service.ts';

/** Says on standard error which modules of an SDK are loaded. */
const telling = `import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    const sdk = /node_modules.(@anthropic-ai.sdk|openai).(?:client|index)\\.mjs/.exec(url)?.[1];
    if (sdk) console.error('SDK ' + sdk);
    return next(url, context);
  },
});`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(telling)}`;

test('without a provider no SDK is ever loaded', async (t) => {
  const process = new ServiceProcess({ NODE_OPTIONS, OLLAMA_HOST: 'http://127.0.0.1:9' });
  t.onTestFinished(async () => {
    await process.stop();
  });
  const service = await process.ready();
  assert.equal((await service.get('/api/slots')).status, 200);
  assert.equal((await service.get('/api/providers/catalog?refresh=1')).status, 200);
  assert.equal((await service.get('/api/health')).status, 200);
  await process.stop();
  assert.doesNotMatch(process.stderr, /SDK/);
});

test('who may answer in a chat is ready after a start, although nobody asked, and who may not is not', async (t) => {
  const directory = mkdtempSync('/tmp/hark-prepared-');
  t.onTestFinished(() => rmSync(directory, { recursive: true }));
  const models = await ScriptedModels.start();
  t.onTestFinished(() => models.stop());
  const environment = {
    ...providersAt(models),
    SERVICE_KVSTORE_URL: 'embedded',
    SERVICE_DATA_DIR: directory,
    NODE_OPTIONS,
  };
  const before = new ServiceProcess(environment);
  const service = await before.ready();
  const chat = { provider: 'cloud-b', model: 'gpt-4o-mini' };
  const { status, text } = await service.put('/api/slots', { slots: { chat, creative: null, coding: null } });
  assert.equal(status, 200, text);
  await service.get('/api/providers/catalog');
  await before.stop();

  // Catalogs are new enough: nobody is asked for one.
  const asked = models.requests.length;
  const again = new ServiceProcess(environment);
  t.onTestFinished(async () => {
    await again.stop();
  });
  await again.ready();
  while (!again.stderr.includes('SDK openai')) {
    assert.ok(again.child.stderr);
    await once(again.child.stderr, 'data');
  }
  await again.stop();
  assert.doesNotMatch(again.stderr, /SDK @anthropic/);
  assert.equal(models.requests.slice(asked).filter(({ provider }) => provider !== 'local-runner').length, 0);
});
