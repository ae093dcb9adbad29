import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { temporaryFolder } from '../../support/dataDirectory.ts';
import { FileHost } from '../../support/fileHost.ts';
import { InProcessService } from '../../support/service.ts';
import { hark } from './hark.ts';

const folder = temporaryFolder('models-cli');

describe('hark models', () => {
  const weights = Buffer.alloc(1_000, 7);
  let host: FileHost;
  let service: InProcessService;

  beforeAll(async () => {
    host = await FileHost.start(new Map([['/m.onnx', weights]]));
    const described = (id: string, sha256: string | null) => ({
      ...{ id, name: `Model ${id}`, type: 'stt', family: 'nemo-ctc', licence: 'MIT', languages: ['en'] },
      host: host.url,
      files: [{ name: 'm.onnx', path: 'm.onnx', bytes: weights.byteLength, sha256 }],
      parts: { model: 'm.onnx' },
    });
    const manifest = join(folder, 'models.json');
    writeFileSync(
      manifest,
      JSON.stringify([described('pinned', hash('sha256', weights)), described('unpinned', null)]),
    );
    service = await InProcessService.start({ SERVICE_MODELS_MANIFEST: manifest, API_RATE_LIMIT: '1000' });
  });
  afterAll(async () => {
    await service.stop();
    await host.stop();
  });
  const models = (...args: readonly string[]) => hark(['models', ...args], { HARK_URL: service.url });

  test('are listed in rows, and as JSON', async () => {
    const { stdout, code } = await models('list', '--type', 'stt');
    assert.equal(code, 0);
    assert.match(stdout, /^– +stt +pinned +0 MB +en +Model pinned \(MIT\)$/m);
    assert.match(stdout, /^– +stt +unpinned .*\(MIT, without a checksum\)$/m);
    assert.match(stdout, /^– +stt +whisper-tiny +116.2 MB +any +Whisper tiny \(MIT\)$/m);
    assert.ok(!stdout.includes('flite'));
    const here = JSON.parse((await models('list', '--here', '--json')).stdout);
    assert.deepEqual(
      here.models.map(({ id }: { id: string }) => id),
      ['silero-vad', 'flite'],
    );
    assert.equal((await models('list', '--type', 'embedding')).stdout, 'nothing\n');
  });

  test('come and go, and say why they do not', async () => {
    host.prepare('be missing');
    const failed = await models('download', 'pinned');
    assert.deepEqual([failed.code, failed.stdout], [1, '']);
    assert.match(
      failed.stderr,
      /pinned did not come\. The host answered 404: the same command goes on with it/,
    );
    assert.deepEqual(await models('download', 'pinned'), { code: 0, stdout: 'pinned is here\n', stderr: '' });
    const again = await models('download', 'pinned', '--json');
    assert.equal(JSON.parse(again.stdout).type, 'complete');
    assert.equal((await models('remove', 'pinned')).stdout, 'pinned is deleted\n');
    const gone = await models('remove', 'pinned');
    assert.deepEqual([gone.code, gone.stderr], [1, 'hark: 404 The model is not downloaded\n']);
    assert.match((await models('remove', 'flite')).stderr, /409 The model comes with hark, and stays/);
    assert.match((await models('download', 'nobody')).stderr, /400 Bad request: Unknown model id/);
    assert.equal((await models('download')).code, 64);
  });

  test('without a checksum come only to who says so', async () => {
    const refused = await models('download', 'unpinned');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /409 No checksum of this model is publicly known/);
    assert.equal((await models('download', 'unpinned', '--confirm')).code, 0);
  });
});
