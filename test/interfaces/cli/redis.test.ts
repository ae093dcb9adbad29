import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { RedisServer, redisIsMissing } from '../../support/redis.ts';
import { skippedFor } from '../../support/skippedFor.ts';
import { hark, minute, openStore, TemporaryFolder, tellStory } from './hark.ts';

describe('the command line on Redis', { ...skippedFor(redisIsMissing) }, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start({ password: 'secret-of-mine', appendonly: 'yes' });
    const store = await openStore(redis.url, '');
    await tellStory(store);
    await store.close();
  });
  afterAll(() => redis.stop());

  test('looks back', async () => {
    const replay = await hark(['replay', '--until', '3', '--show', 'settings', '--kvstore-url', redis.url]);
    assert.equal(replay.stderr, '');
    assert.match(replay.stdout, /^chatRateLimit {5}30$/m);
    const diff = await hark(['diff', '--from', minute(2.5), '--json'], { SERVICE_KVSTORE_URL: redis.url });
    const keys = JSON.parse(diff.stdout).changes.map(({ key }: { key: string }) => key);
    assert.deepEqual(keys, ['apiRateLimit', 'memorySearchMode', 'a']);
  });

  test('backs up into a file, and restores into a folder, but not into what is full', async () => {
    using folder = new TemporaryFolder();
    const [file, target] = [join(folder.path, 'file'), join(folder.path, 'target')];
    const backup = await hark(['backup', file, '--kvstore-url', redis.url]);
    assert.equal(backup.stderr, '');
    assert.match(backup.stdout, /5 events, head 5/);
    assert.ok(!backup.stdout.includes('secret-of-mine'));
    const full = await hark(['restore', file, '--kvstore-url', redis.url]);
    assert.equal(full.code, 1);
    assert.ok(!full.stderr.includes('secret-of-mine'));
    assert.equal((await hark(['restore', file, '--data-dir', target])).code, 0);
  });

  test('examines it, and says how durable it is', async () => {
    using folder = new TemporaryFolder();
    const quiet = { HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0', HARK_URL: 'http://127.0.0.1:9' };
    const environment = { ...quiet, SERVICE_DATA_DIR: folder.path, SERVICE_KVSTORE_URL: redis.url };
    const { code, stdout } = await hark(['doctor'], environment);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ok {4}Redis {11}it never evicts keys$/m);
    assert.match(stdout, /^ok {4}Redis {11}appendonly, appendfsync \w+: .* lost when the machine fails$/m);
    assert.match(stdout, /5 events, with no gap/);
    assert.ok(!stdout.includes('secret-of-mine'));
  });

  test('says so when it is not there, leaves an empty one empty, and fills it on request', async () => {
    using folder = new TemporaryFolder();
    const absent = await hark(['replay', '--show', 'settings', '--kvstore-url', 'redis://:hush@127.0.0.1:9']);
    assert.equal(absent.code, 1);
    assert.equal(absent.stderr, 'hark: redis://127.0.0.1:9: Key-value store not available\n');
    const other = await RedisServer.start();
    try {
      const { stderr } = await hark(['replay', '--show', 'settings', '--kvstore-url', other.url]);
      assert.match(stderr, /This Redis holds no log\n$/);
      const file = join(folder.path, 'file');
      assert.equal((await hark(['backup', file, '--kvstore-url', other.url])).code, 1);
      // Now from the one that has a log to the one that has none.
      assert.equal((await hark(['backup', file, '--kvstore-url', redis.url])).code, 0);
      const restore = await hark(['restore', file, '--kvstore-url', other.url]);
      assert.equal(restore.stderr, '');
      const there = await hark(['replay', '--show', 'settings', '--kvstore-url', other.url]);
      const here = await hark(['replay', '--show', 'settings', '--kvstore-url', redis.url]);
      assert.equal(there.stdout, here.stdout);
    } finally {
      await other.stop();
    }
  });
});
