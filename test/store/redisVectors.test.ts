import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fc, it } from '@fast-check/vitest';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { Log } from '../../src/store/log.ts';
import type { Store, Vectors } from '../../src/store/port.ts';
import { RedisAdapter } from '../../src/store/redis/adapter.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { SearchModule } from '../support/searchModule.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { forget, note, sampleCatalog } from './sampleEvents.ts';

const MODEL = 'local-runner nomic-embed-text';
const EAST = Float32Array.of(1, 0);
const NORTH = Float32Array.of(0, 1);

describe('vectors in Redis', { ...skippedFor(redisIsMissing) }, () => {
  let server: RedisServer;
  let module: SearchModule;
  let plain: Redis;
  let log: Store;
  let vectors: Vectors;
  beforeAll(async () => {
    server = await RedisServer.start();
    module = await SearchModule.start(server);
    plain = server.client();
  });
  beforeEach(async () => {
    await log?.close();
    await plain.flushall();
    module.indexes.clear();
    log = await Log.open(await RedisAdapter.open(module.url), sampleCatalog);
    assert.ok(log.vectors);
    vectors = log.vectors;
  });
  afterAll(async () => {
    await log.close();
    plain.disconnect();
    await module.stop();
    await server.stop();
  });

  /** A subject whose text was kept, so that there is a key of it. */
  const keep = async (userId: string, subject: string, ids: Record<string, Float32Array>, model = MODEL) => {
    await log.append(note(userId, subject, 'words'));
    const entries = Object.entries(ids).map(([id, vector]) => ({ id, vector }));
    await vectors.keep({ userId, subject, model }, entries);
  };
  const near = async (userId: string, vector: Float32Array, model = MODEL) => {
    const found = await vectors.nearest(userId, { model, vector, limit: 10 });
    return Object.fromEntries(found.map(({ id, similarity }) => [id, Number(similarity.toFixed(4))]));
  };

  it('are found by how near they are, in an index of their user, their model and their length', async () => {
    assert.equal(vectors.absence, undefined);
    await keep('ann', 'e1', { 'e1#0': EAST, 'e1#1': NORTH });
    await keep('ann', 'e2', { e2: EAST }, 'another: model');
    await keep('ben', 'e3', { e3: EAST });
    assert.deepEqual(await near('ann', Float32Array.of(2, 0)), { 'e1#0': 1, 'e1#1': 0 });
    assert.deepEqual(await near('ann', EAST, 'another: model'), { e2: 1 });
    assert.deepEqual(await near('ben', EAST), { e3: 1 });
    assert.deepEqual(await near('b', EAST), {});
    assert.deepEqual(await near('ann', Float32Array.of(1, 0, 0)), {});
    assert.deepEqual(await vectors.count(), { vectors: 4, bytes: 32 });
  });

  it('are there once, also when another length takes the place of the one before', async () => {
    await keep('ann', 'e1', { e1: EAST });
    await keep('ann', 'e1', { e1: Float32Array.of(0, 1, 0) });
    assert.deepEqual(await near('ann', EAST), {});
    assert.deepEqual(await near('ann', Float32Array.of(0, 1, 0)), { e1: 1 });
  });

  it('come back by themselves when somebody drops their index', async () => {
    await keep('ann', 'e1', { e1: EAST });
    module.indexes.clear();
    assert.deepEqual(await near('ann', EAST), {});
    assert.deepEqual(await near('ann', EAST), { e1: 1 });
  });

  it('were taken in up to a position of this log, whatever another one left behind', async () => {
    await plain.hset('{hark}:vectors', 'ann', 'another-log 7');
    assert.equal(await vectors.takenIn('ann'), 0);
    await vectors.noteTakenIn('ann', 7);
    assert.equal(await vectors.takenIn('ann'), 7);
    assert.equal(await vectors.takenIn('ben'), 0);
  });

  it('go with their subject, in the same transaction, and no late one comes back', async () => {
    await keep('ann', 'e1', { e1: NORTH, 'e1#0': NORTH });
    await keep('ann', 'e1-more', { other: EAST });
    await keep('ann', 'e10', { e10: EAST });
    await keep('ben', 'e1', { 'of ben': EAST });
    await log.append(forget('ann', 'e1'));
    await vectors.keep({ userId: 'ann', subject: 'e1', model: MODEL }, [{ id: 'late', vector: NORTH }]);
    assert.deepEqual(await near('ann', EAST), { e10: 1, other: 1 });
    assert.deepEqual(await near('ben', EAST), { 'of ben': 1 });
    for (const key of await plain.keys('*')) {
      const bytes = (await plain.dumpBuffer(key)) ?? Buffer.alloc(0);
      assert.ok(!bytes.includes(Buffer.from(NORTH.buffer)), key);
    }
  });

  it('go all together with everything of their user', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_500 }, (_, index) => [`e1#${index}`, EAST]));
    await keep('ann', 'e1', many);
    await keep('ben', 'e1', { e1: NORTH });
    await log.append(forget('ann', '*'));
    assert.deepEqual(await near('ann', EAST), {});
    assert.deepEqual(await plain.keys('{hark}:vectors:ann*'), []);
    assert.deepEqual(await near('ben', NORTH), { e1: 1 });
  });

  const user = fc.constantFrom('ann', 'an', 'ann_', 'ben');
  const step = fc.record({
    user,
    kind: fc.constantFrom('keep', 'keep', 'forget', 'forgetAll'),
    id: fc.nat(2),
  });

  it.prop([fc.array(step, { maxLength: 12 })], { numRuns: 25 })(
    'are never those of another, whatever both do',
    async (steps) => {
      await Promise.all(['ann', 'an', 'ann_', 'ben'].map((name) => log.append(forget(name, '*'))));
      const kept = new Map<string, Set<string>>();
      for (const { user: name, kind, id } of steps) {
        const own = kept.get(name) ?? new Set();
        kept.set(name, own);
        const subject = `e${id}`;
        if (kind === 'keep') await keep(name, subject, { [`${subject}#${name}`]: EAST });
        if (kind === 'keep') own.add(`${subject}#${name}`);
        if (kind === 'forget') await log.append(forget(name, subject));
        if (kind === 'forget') own.delete(`${subject}#${name}`);
        if (kind === 'forgetAll') await log.append(forget(name, '*'));
        if (kind === 'forgetAll') own.clear();
      }
      for (const [name, own] of kept)
        assert.deepEqual(Object.keys(await near(name, EAST)).sort(), [...own].sort());
    },
  );

  it('a complaint of the module says that it is one, and nothing of what was asked', async () => {
    await keep('ann', 'e1', { e1: EAST });
    const [name = ''] = module.indexes.keys();
    module.indexes.set(name, { prefix: 'p', field: 'another', dimensions: 2 });
    await assert.rejects(near('ann', EAST), /^Error: The search module refused FT\.SEARCH$/);
  });
});

it('what is forgotten of them is in none of the files of Redis', {
  ...skippedFor(redisIsMissing),
}, async () => {
  const server = await RedisServer.start({ appendonly: 'yes' });
  const module = await SearchModule.start(server);
  const log = await Log.open(await RedisAdapter.open(module.url), sampleCatalog);
  const secret = Float32Array.of(0.123456, 0.654321);
  const traces = () =>
    readdirSync(join(server.directory, 'appendonlydir')).filter((file) =>
      readFileSync(join(server.directory, 'appendonlydir', file)).includes(Buffer.from(secret.buffer)),
    );
  await log.append(note('ann', 'e1', 'words'));
  await log.vectors?.keep({ userId: 'ann', subject: 'e1', model: MODEL }, [{ id: 'e1', vector: secret }]);
  // Redis puts a write to the file off while the one before is still being synchronised.
  while (traces().length === 0) await nextTurn();
  await log.append(forget('ann', 'e1'));
  // Redis deletes the files that it replaced in its own time.
  while (traces().length > 0) await nextTurn();
  await log.close();
  await module.stop();
  await server.stop();
});

it('a Redis without a search module says so, and is as good a log as any', {
  ...skippedFor(redisIsMissing),
}, async () => {
  const server = await RedisServer.start();
  const adapter = await RedisAdapter.open(server.url);
  assert.match(adapter.vectors.absence ?? '', /no search module.*FT\._LIST/);
  const log = await Log.open(adapter, sampleCatalog);
  await log.append(note('ann', 'e1', 'words'));
  await log.append(forget('ann', 'e1'));
  await log.close();
  await server.stop();
});

it('a user of Redis who may not use the module is told apart from one who has none', {
  ...skippedFor(redisIsMissing),
}, async () => {
  const server = await RedisServer.start();
  const module = await SearchModule.start(server);
  module.refusal = "NOPERM User hark has no permissions to run the 'ft._list' command";
  const adapter = await RedisAdapter.open(module.url);
  assert.match(adapter.vectors.absence ?? '', /does not let its user/);
  await adapter.close();
  await module.stop();
  await server.stop();
});
