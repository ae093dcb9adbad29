import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import { noBzip2, noise, tarBz2Of } from '../support/archives.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { FileHost } from '../support/fileHost.ts';
import { EventReader, InProcessService, limitIn, ServiceProcess } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

interface Entry extends Record<string, unknown> {
  readonly id: string;
  readonly type: string;
  readonly sizeBytes: number;
  readonly sha256: string | null;
  readonly builtIn: boolean;
  readonly downloaded: boolean;
  readonly downloading: boolean;
}
interface Listed {
  readonly models: readonly Entry[];
  readonly downloadedCount: number;
  readonly totalCount: number;
}
type Told = Record<string, unknown> & { readonly type: string };

interface Hearing {
  readonly stt: { readonly model: string | null } | null;
}

const noSherpa = isInstalled('sherpa-onnx-node') ? false : 'sherpa-onnx-node is not installed';

const home = temporaryFolder('models-service');

describe('models', { ...skippedFor(noBzip2) }, () => {
  const weights = noise(2_000_000, 7);
  const archive = tarBz2Of([
    { name: 'tiny-1/model.onnx', content: weights },
    { name: 'tiny-1/tokens.txt', content: 'a b c' },
    { name: 'tiny-1/LICENSE', content: 'free' },
  ]);
  const heavy = noise(16_000_000, 8);
  const large = tarBz2Of([{ name: 'large-1/model.onnx', content: heavy }]);
  let host: FileHost;
  let service: InProcessService;
  let manifest: string;
  let data: string;
  let made = 0;

  beforeAll(async () => {
    host = await FileHost.start(
      new Map([
        ['/r/tiny-1.tar.bz2', archive],
        ['/r/large-1.tar.bz2', large],
      ]),
    );
    const described = (id: string, sha256: string | null) => ({
      id,
      name: `Tiny ${id}`,
      type: 'stt',
      family: 'nemo-ctc',
      licence: 'MIT',
      languages: ['en'],
      host: host.url,
      files: [{ name: 'tiny-1', path: 'r/tiny-1.tar.bz2', bytes: archive.byteLength, sha256 }],
      parts: { model: 'tiny-1/model.onnx', tokens: 'tiny-1/tokens.txt' },
    });
    manifest = join(home, 'models.json');
    const ofLarge = {
      ...described('large', null),
      files: [
        {
          name: 'large-1',
          path: 'r/large-1.tar.bz2',
          bytes: large.byteLength,
          sha256: hash('sha256', large),
        },
      ],
      parts: { model: 'large-1/model.onnx' },
    };
    const all = [described('tiny', hash('sha256', archive)), described('unknown', null), ofLarge];
    writeFileSync(manifest, JSON.stringify(all));
  });
  afterAll(() => host.stop());
  beforeEach(async () => {
    data = join(home, String(++made));
    service = await InProcessService.start(environment());
    host.asked.length = 0;
  });
  afterEach(() => service.stop());

  const environment = () => ({
    SERVICE_DATA_DIR: data,
    SERVICE_MODELS_MANIFEST: manifest,
    API_RATE_LIMIT: '1000',
  });

  const download = async (body: object, at = service.url): Promise<Told[]> => {
    const reader = await EventReader.open(`${at}/api/models/download`, {}, body);
    const told: Told[] = [];
    for (let message = await reader.next(); message; message = await reader.next()) {
      const data = JSON.parse(message.data ?? '');
      assert.equal(message.event, data.type);
      told.push(data);
    }
    return told;
  };
  const status = async (id: string) => (await service.get(`/api/models/${id}/status`)).body;
  const post = (body: object) => service.ask('POST', '/api/models/download', { body });
  const remove = (id: string) => service.ask('DELETE', `/api/models/${id}`);

  test('are listed with all that is known of them', async () => {
    const { status: code, body } = await service.get<Listed>('/api/models');
    assert.equal(code, 200);
    const { models, downloadedCount, totalCount } = body;
    assert.equal(totalCount, models.length);
    assert.ok(totalCount > 30);
    assert.deepEqual(
      models.filter(({ downloaded }) => downloaded).map(({ id }) => id),
      ['silero-vad', 'flite'],
    );
    assert.equal(downloadedCount, 2);
    assert.equal(new Set(models.map(({ id }) => id)).size, totalCount);
    for (const type of ['stt', 'tts', 'vad', 'wake', 'nli'])
      assert.ok(models.some((model) => model.type === type));
    for (const model of models) {
      assert.match(model.id, /^[\w-]{1,128}$/);
      assert.match(model.sha256 ?? '0'.repeat(64), /^[0-9a-f]{64}$/);
      assert.ok(model.sizeBytes > 0 && model.name && model.licence && model.family && model.format, model.id);
    }
    assert.deepEqual(
      models.filter(({ sha256 }) => sha256 === null).map(({ id }) => id),
      ['unknown'],
    );
  });

  test('come with progress, are here, and go', async () => {
    assert.deepEqual(await status('tiny'), {
      modelId: 'tiny',
      name: 'Tiny tiny',
      type: 'stt',
      downloaded: false,
      downloading: false,
      sizeBytes: archive.byteLength,
      sizeMb: Math.round(archive.byteLength / 100_000) / 10,
      path: 'models/stt/tiny',
    });
    const startedAt = performance.now();
    const told = await download({ modelId: 'tiny' });
    assert.ok(told.length <= 3 + (performance.now() - startedAt) / 100, 'at most ten times a second');
    assert.deepEqual(Object.keys(told.at(-1) ?? {}), ['type', 'modelId', 'durationMs']);
    assert.equal(told.at(-1)?.type, 'complete');
    assert.ok(told.length >= 2);
    for (const { type, modelId, downloaded, total, percent } of told.slice(0, -1)) {
      assert.deepEqual([type, modelId, total], ['progress', 'tiny', archive.byteLength]);
      assert.ok(Number(downloaded) <= archive.byteLength && Number(percent) <= 100);
    }
    const here = await status('tiny');
    assert.deepEqual([here.downloaded, here.downloading], [true, false]);
    const folder = join(data, String(here.path), 'tiny-1');
    assert.deepEqual(readdirSync(folder).sort(), ['LICENSE', 'model.onnx', 'tokens.txt']);
    assert.ok(readFileSync(join(folder, 'model.onnx')).equals(weights));

    host.asked.length = 0;
    assert.deepEqual(
      (await download({ modelId: 'tiny' })).map(({ type }) => type),
      ['complete'],
    );
    assert.deepEqual(host.asked, []);

    const { status: code, body } = await remove('tiny');
    assert.deepEqual([code, body], [200, { success: true, modelId: 'tiny' }]);
    assert.equal(existsSync(join(data, 'models/stt/tiny')), false);
    const again = await remove('tiny');
    assert.deepEqual([again.status, again.body.errorCode], [404, 'MODEL_NOT_DOWNLOADED']);
  });

  test('are seen as they were, also those that came while nothing ran', async () => {
    const settle = async (type: string) => {
      const reader = await EventReader.open(`${service.url}/api/events/stream?topics=${type}&after=0`);
      const event = await reader.next();
      reader.close();
      return JSON.parse(event?.data ?? '');
    };
    const tinyAt = async (at?: number) => {
      const { body } = await service.get<Listed>(`/api/models${at === undefined ? '' : `?at=${at}`}`);
      return body.models.find(({ id }) => id === 'tiny');
    };
    await download({ modelId: 'tiny' });
    const came = await settle('models.model.downloaded');
    assert.deepEqual(came.data, { modelId: 'tiny' });
    const removedAt = Number((await service.advance(60_000)).body.now);
    await remove('tiny');
    assert.equal((await settle('models.model.removed')).at, removedAt);
    for (const [at, isHere] of [
      [came.at - 1, false],
      [came.at, true],
      [removedAt - 1, true],
      [removedAt, false],
      [undefined, false],
    ] as const)
      assert.equal((await tinyAt(at))?.downloaded, isHere, `${at}`);
    const { body } = await service.get<Listed>(`/api/models?at=${came.at}`);
    assert.equal(body.downloadedCount, 3);

    await service.stop();
    mkdirSync(join(data, 'models/stt/tiny/tiny-1'), { recursive: true });
    service = await InProcessService.start(environment());
    const foundAt = Number((await service.advance(200_000)).body.now);
    assert.equal((await tinyAt())?.downloaded, true);
    assert.equal((await settle('models.model.found')).at, foundAt);
    assert.equal((await tinyAt(foundAt))?.downloaded, true);
  });

  test('that nobody knows are 400 where they are to come, and 404 elsewhere', async () => {
    for (const modelId of ['nobody', '../../etc', ''])
      assert.equal((await post({ modelId })).status, 400, modelId);
    assert.equal((await post({})).status, 400);
    assert.equal((await service.get('/api/models/nobody/status')).status, 404);
    assert.equal((await remove('nobody')).status, 404);
  });

  test('without a publicly known checksum come only to who says so', async () => {
    const { status: code, body } = await post({ modelId: 'unknown' });
    assert.deepEqual([code, body.errorCode], [409, 'CHECKSUM_UNKNOWN']);
    assert.equal((await download({ modelId: 'unknown', confirm: true })).at(-1)?.type, 'complete');
    assert.equal((await download({ modelId: 'unknown' })).at(-1)?.type, 'complete');
  });

  test('that come with hark stay', async () => {
    assert.deepEqual(
      (await download({ modelId: 'flite' })).map(({ type }) => type),
      ['complete'],
    );
    const { status: code, body } = await remove('flite');
    assert.deepEqual([code, body.errorCode], [409, 'BUILT_IN']);
    await download({ modelId: 'tiny' });
    const cleared = await service.ask('POST', '/api/models/clear-all', { body: {} });
    assert.deepEqual(cleared.body, { success: true, removed: ['tiny'], count: 1 });
    assert.equal((await status('flite')).downloaded, true);
    assert.equal((await status('tiny')).downloaded, false);
  });

  test('come once for all who ask at a time, also when they leave', async () => {
    const leaving = await EventReader.open(`${service.url}/api/models/download`, {}, { modelId: 'tiny' });
    leaving.close();
    const [one, other] = await Promise.all([download({ modelId: 'tiny' }), download({ modelId: 'tiny' })]);
    assert.deepEqual([one?.at(-1)?.type, other?.at(-1)?.type], ['complete', 'complete']);
    assert.equal(host.asked.length, 1);
  });

  test('come no more when they are deleted, and those who wait hear of it', async () => {
    host.prepare('stop halfway');
    const reader = await EventReader.open(`${service.url}/api/models/download`, {}, { modelId: 'tiny' });
    const first = JSON.parse((await reader.next())?.data ?? '');
    assert.equal(first.type, 'progress');
    const coming = await status('tiny');
    assert.deepEqual([coming.downloaded, coming.downloading], [false, true]);
    assert.equal((await remove('tiny')).status, 200);
    let last = first;
    for (let message = await reader.next(); message; message = await reader.next())
      last = JSON.parse(message.data ?? '');
    assert.deepEqual(last, {
      type: 'error',
      modelId: 'tiny',
      error: 'The download was cancelled',
      retryable: true,
    });
    assert.equal(existsSync(join(data, 'models/stt/tiny')), false);
  });

  test('that do not come tell why', async () => {
    host.prepare('be missing');
    assert.deepEqual((await download({ modelId: 'tiny' })).at(-1), {
      type: 'error',
      modelId: 'tiny',
      error: 'The host answered 404',
      retryable: true,
    });
    const said = service.logged
      .split('\n')
      .filter((line) => line.includes('a model could not be downloaded'));
    assert.equal(said.length, 1);
  });

  test('are measured where they speak or tell voices from silence, one at a time', async () => {
    const measure = (id: string) => service.ask('POST', `/api/models/${id}/benchmark`, { body: {} });
    const [{ status: code, body }, other] = await Promise.all([measure('flite'), measure('silero-vad')]);
    assert.equal(code, 200);
    const { realTimeFactor, firstAudioMs, peakMb, wordErrorRate } = body;
    assert.ok(Number(realTimeFactor) > 0 && Number(realTimeFactor) < 2, `${realTimeFactor}`);
    assert.ok(Number(firstAudioMs) > 0 && Number(peakMb) > 10);
    assert.equal(wordErrorRate, undefined);
    assert.deepEqual([other.status, ...limitIn(other.headers)], [429, '1', '0', '30']);
    const detector = await measure('silero-vad');
    assert.deepEqual(Object.keys(detector.body), ['realTimeFactor', 'peakMb']);
    const { models } = (await service.get<Listed>('/api/models')).body;
    const { at, ...known } = Object(models.find(({ id }) => id === 'silero-vad')?.benchmark);
    assert.deepEqual(known, detector.body);
    const earlier = (await service.get<Listed>(`/api/models?at=${at - 1}`)).body.models;
    assert.equal(earlier.find(({ id }) => id === 'silero-vad')?.benchmark, undefined);
    const refusals = [(await measure('nobody')).status, (await measure('tiny')).body.errorCode];
    assert.deepEqual(refusals, [404, 'MODEL_NOT_DOWNLOADED']);
  });

  test('do not keep the service from stopping', async () => {
    host.prepare('stop halfway');
    const reader = await EventReader.open(`${service.url}/api/models/download`, {}, { modelId: 'tiny' });
    await reader.next();
    await service.stop();
  });

  test('go on after a kill with what came', async () => {
    mkdirSync(data, { recursive: true });
    const killed = new ServiceProcess(environment());
    const { url } = await killed.ready();
    host.prepare('stop halfway');
    const reader = await EventReader.open(`${url}/api/models/download`, {}, { modelId: 'tiny' });
    await reader.next();
    await killed.stop('SIGKILL');
    const had = readFileSync(join(data, 'models/stt/tiny/tiny-1.part')).byteLength;
    assert.ok(had > 0);

    assert.equal((await status('tiny')).downloaded, false);
    host.asked.length = 0;
    assert.equal((await download({ modelId: 'tiny' })).at(-1)?.type, 'complete');
    assert.deepEqual(
      host.asked.map(({ range }) => range),
      [`bytes=${had}-`],
    );
    assert.deepEqual(readdirSync(join(data, 'models/stt/tiny')), ['tiny-1']);
  });

  test('are never there by halves after a kill while they are unpacked', async () => {
    mkdirSync(data, { recursive: true });
    const killed = new ServiceProcess(environment());
    const { url } = await killed.ready();
    const reader = await EventReader.open(`${url}/api/models/download`, {}, { modelId: 'large' });
    const place = join(data, 'models/stt/large');
    // Told of ten times a second, while it is unpacked as well.
    while (!existsSync(join(place, 'large-1.unpacking'))) assert.ok(await reader.next());
    await killed.stop('SIGKILL');
    assert.deepEqual(readdirSync(place).sort(), ['large-1.part', 'large-1.unpacking']);

    // Whoever first asks afterwards finds it tidied up, and all that came is kept.
    assert.equal((await status('large')).downloaded, false);
    host.asked.length = 0;
    assert.equal((await download({ modelId: 'large' })).at(-1)?.type, 'complete');
    assert.deepEqual(host.asked, []);
    assert.deepEqual(readdirSync(place), ['large-1']);
    assert.ok(readFileSync(join(place, 'large-1/model.onnx')).equals(heavy));
  });
});

test('a model that hears comes packed, is measured, and is let go while it is in use', {
  ...skippedFor(noBzip2 || noSherpa),
}, async (t) => {
  const recogniser = join(import.meta.dirname, '../support/voice/recogniser');
  const archive = tarBz2Of(
    ['model.onnx', 'tokens.txt'].map((name) => ({
      name: `few-words/${name}`,
      content: readFileSync(join(recogniser, name)),
    })),
  );
  const host = await FileHost.start(new Map([['/few-words.tar.bz2', archive]]));
  t.onTestFinished(() => host.stop());
  const manifest = join(home, 'few.json');
  const sha256 = hash('sha256', archive);
  const model = {
    ...{ id: 'few-words', name: 'Few words', type: 'stt', family: 'zipformer-ctc', languages: ['en'] },
    host: host.url,
    files: [{ name: 'few-words', path: 'few-words.tar.bz2', bytes: archive.byteLength, sha256 }],
    parts: { model: 'few-words/model.onnx', tokens: 'few-words/tokens.txt' },
  };
  writeFileSync(manifest, JSON.stringify([model]));
  const service = await InProcessService.start({
    SERVICE_DATA_DIR: join(home, 'few-words'),
    SERVICE_MODELS_MANIFEST: manifest,
    SERVICE_VOICE_STT_MODEL: 'few-words',
  });
  t.onTestFinished(() => service.stop());
  const reader = await EventReader.open(`${service.url}/api/models/download`, {}, { modelId: 'few-words' });
  let last = await reader.next();
  for (let next = last; next; next = await reader.next()) last = next;
  assert.equal(last?.event, 'complete');

  const hearing = async () =>
    (await service.get<{ pipeline: Hearing }>('/api/voice/status')).body.pipeline.stt;
  assert.deepEqual((await hearing())?.model, 'few-words');
  const {
    status: code,
    body,
    text,
  } = await service.ask('POST', '/api/models/few-words/benchmark', { body: {} });
  assert.equal(code, 200, text);
  const { realTimeFactor, peakMb, wordErrorRate } = body;
  assert.ok(Number(realTimeFactor) > 0 && Number(realTimeFactor) < 1, text);
  assert.ok(Number(peakMb) > 20 && Number(wordErrorRate) > 0, text);

  assert.equal((await service.ask('DELETE', '/api/models/few-words')).status, 200);
  assert.notEqual((await hearing())?.model, 'few-words');
  assert.equal(existsSync(join(home, 'few-words/models/stt/few-words')), false);
});

test('a file of models that cannot be read keeps the service from starting', async () => {
  const named = { SERVICE_MODELS_MANIFEST: join(home, 'nothing.json') };
  await assert.rejects(
    InProcessService.start(named),
    /SERVICE_MODELS_MANIFEST: must be a readable JSON file/,
  );
});

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
