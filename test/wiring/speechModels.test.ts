import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { namedModels, SpeechModels } from '../../src/wiring/speechModels.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { FileHost } from '../support/fileHost.ts';

const home = temporaryFolder('speech-models');

test('engines learn which models are here, when one comes, and let it go before it goes', async (t) => {
  const host = await FileHost.start(new Map([['/m.onnx', Buffer.from('weights')]]));
  t.onTestFinished(() => host.stop());
  const model = {
    ...{ id: 'mine', name: 'Mine', type: 'stt', family: 'nemo-ctc', languages: ['en'], host: host.url },
    files: [{ name: 'm.onnx', path: 'm.onnx', bytes: 7, sha256: null }],
    parts: { model: 'm.onnx' },
  };
  const manifest = join(home, 'models.json');
  writeFileSync(manifest, JSON.stringify([model]));
  const config = readConfig({ SERVICE_DATA_DIR: home, SERVICE_MODELS_MANIFEST: manifest });
  const models = new SpeechModels({
    config,
    namedModels: await namedModels(config),
    nliModel: undefined,
    onNews: () => undefined,
    measure: async () => undefined,
    kvstore: { current: undefined, reachable: () => assert.fail('there is no store') },
    onFailure: (what) => assert.fail(what),
  });
  const told: string[] = [];
  models.onChange(() => told.push('changed'));
  models.onLetGo(async ({ id, type }) => {
    await new Promise((resolve) => setImmediate(resolve));
    told.push(`let go of ${type} ${id}`);
  });
  assert.deepEqual(await models.installed(), []);

  const operation = (name: string) => {
    const found = models.operations().find((one) => one.name === name);
    assert.ok(found);
    return found;
  };
  const caller = {
    ...{ userId: 'ann', correlationId: 'c', address: '127.0.0.1', isLoopback: true },
    signal: new AbortController().signal,
  };
  const download = operation('models.download');
  assert(download.kind === 'stream');
  for await (const _ of await download.run({ modelId: 'mine', confirm: true }, caller));
  const folder = join(home, 'models/stt/mine');
  assert.deepEqual(await models.installed(), [
    {
      ...{ id: 'mine', type: 'stt', family: 'nemo-ctc', languages: ['en'], folder },
      files: { model: join(folder, 'm.onnx') },
    },
  ]);
  await operation('models.remove').run({ modelId: 'mine' }, caller);
  assert.deepEqual(told, ['changed', 'let go of stt mine', 'changed']);
  assert.deepEqual(await models.installed(), []);
  await models.stop();
});
