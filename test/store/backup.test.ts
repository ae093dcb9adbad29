import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, it } from 'vitest';
import { isHarkError } from '../../src/errors.ts';
import type { StoreAdapter } from '../../src/store/adapter.ts';
import { backUp, restore } from '../../src/store/backup.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { RedisAdapter } from '../../src/store/redis/adapter.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { logIdOf, readAll, texts } from './contract.ts';
import { count, forget, note, sampleCatalog } from './sampleEvents.ts';

const SECRET = 'a text that is to be forgotten';

describe('a backup', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-backup-'));
  const opened: StoreAdapter[] = [];
  const servers: RedisServer[] = [];
  let serial = 0;
  const fresh = (name: string) => join(directory, `${serial++}-${name}`);

  const open = {
    memory: async () => new MemoryAdapter(),
    sqlite: () => SqliteAdapter.open(fresh('data')),
    redis: async () => {
      const server = await RedisServer.start();
      servers.push(server);
      return RedisAdapter.open(server.url);
    },
  };
  async function opening(kind: keyof typeof open): Promise<StoreAdapter> {
    const adapter = await open[kind]();
    opened.push(adapter);
    return adapter;
  }

  afterEach(async () => {
    for (const adapter of opened.splice(0)) await adapter.close();
    for (const server of servers.splice(0)) await server.stop();
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  async function filled(kind: keyof typeof open): Promise<{ adapter: StoreAdapter; log: Log }> {
    const adapter = await opening(kind);
    const log = await Log.open(adapter, sampleCatalog);
    await Promise.all(
      Array.from({ length: 1_200 }, (_, n) => log.append(count(`s${n % 7}`, n, { userId: `u${n % 3}` }))),
    );
    await log.append(note('ann', 'n1', 'a text to keep', { commandId: 'once' }));
    await log.moveCursor('saga', await log.readCursor('saga'), 40);
    return { adapter, log };
  }

  for (const [from, to] of [
    ['sqlite', 'sqlite'],
    ['redis', 'redis'],
    ['sqlite', 'redis'],
    ['redis', 'memory'],
  ] as const) {
    const skip = from === 'redis' || to === 'redis' ? redisIsMissing : false;
    it(`of ${from} fills an empty ${to} with the same log`, { ...skippedFor(skip) }, async () => {
      const { adapter, log } = await filled(from);
      const file = fresh('backup.db');
      assert.deepEqual(await backUp(adapter, file), { events: 1_201, keys: 1 });
      assert.equal(statSync(file).mode & 0o777, 0o600);

      const target = await opening(to);
      assert.deepEqual(await restore(file, target), { events: 1_201, keys: 1 });
      const restored = await Log.open(target, sampleCatalog);
      assert.equal(JSON.stringify(await readAll(restored)), JSON.stringify(await readAll(log)));
      assert.equal(await logIdOf(target), await logIdOf(adapter));
      assert.equal((await restored.readCursor('saga')).position, 40);
      assert.equal((await restored.append(note('ann', 'n', 'x', { commandId: 'once' }))).repeated, true);
      assert.equal((await restored.append(count('s0', 1, { expected: 172 }))).position, 1_202);
      const beside = readdirSync(directory).filter((name) => /\.(part|db-)/.test(name));
      assert.deepEqual(beside, []);
    });
  }

  it('is taken while the log goes on', async () => {
    const { adapter, log } = await filled('sqlite');
    const file = fresh('backup.db');
    const going = Array.from({ length: 500 }, (_, n) => log.append(count('during', n)));
    const { events } = await backUp(adapter, file);
    await Promise.all(going);
    assert.ok(events >= 1_201);
    const target = await opening('memory');
    await restore(file, target);
    assert.equal(await target.head(), events);
  });

  it('holds neither text nor key of what was forgotten before it, nor does a key forgotten while it is taken', async () => {
    const { adapter, log } = await filled('sqlite');
    await log.append(note('ben', 'n1', SECRET));
    await log.append(note('ben', 'n2', SECRET));
    const keys = (await adapter.exportKeys()).filter(({ userId }) => userId === 'ben');
    assert.equal(keys.length, 2);
    await log.append(forget('ben', 'n1'));
    const file = fresh('backup.db');
    const meanwhile: StoreAdapter = Object.create(adapter, {
      exportBeside: {
        value: async () => {
          const beside = await adapter.exportBeside();
          await log.append(forget('ben', 'n2'));
          return beside;
        },
      },
      head: { value: () => adapter.head() },
      readAll: { value: (range: Parameters<StoreAdapter['readAll']>[0]) => adapter.readAll(range) },
      exportKeys: { value: () => adapter.exportKeys() },
    });
    await backUp(meanwhile, file);
    const bytes = readFileSync(file);
    assert.ok(!bytes.includes(SECRET));
    for (const { bytes: key } of keys) assert.ok(!bytes.includes(Buffer.from(key)));
    const target = await opening('memory');
    await restore(file, target);
    assert.deepEqual(await texts(await Log.open(target, sampleCatalog)), ['a text to keep', null, null]);
  });

  const readingOf = (source: StoreAdapter): Parameters<typeof backUp>[0] => ({
    head: () => source.head(),
    readAll: (range) => source.readAll(range),
    exportBeside: () => source.exportBeside(),
    exportKeys: () => source.exportKeys(),
  });

  describe('is refused', () => {
    let adapter: StoreAdapter;
    let file: string;
    beforeEach(async () => {
      ({ adapter } = await filled('memory'));
      file = fresh('backup.db');
      await backUp(adapter, file);
    });
    const refused = (code: Parameters<typeof isHarkError>[1]) => (error: unknown) => isHarkError(error, code);

    it('where a file stands already, which is left as it is', async () => {
      const before = readFileSync(file);
      await assert.rejects(backUp(adapter, file), refused('TARGET_EXISTS'));
      assert.ok(before.equals(readFileSync(file)));
    });

    it('when a file was put there while it was taken', async () => {
      const target = fresh('raced.db');
      const meanwhile: Parameters<typeof backUp>[0] = {
        ...readingOf(adapter),
        exportKeys: () => {
          writeFileSync(target, 'of somebody else');
          return adapter.exportKeys();
        },
      };
      await assert.rejects(backUp(meanwhile, target), refused('TARGET_EXISTS'));
      assert.equal(readFileSync(target, 'utf8'), 'of somebody else');
    });

    it('of a log that lost events', async () => {
      const lossy: Parameters<typeof backUp>[0] = {
        ...readingOf(adapter),
        head: async () => (await adapter.head()) + 5,
      };
      const target = fresh('lossy.db');
      await assert.rejects(backUp(lossy, target), refused('LOG_DAMAGED'));
      assert.equal(existsSync(target), false);
    });

    it('when it is not read back as it was written', async () => {
      class Forgetful extends MemoryAdapter {
        override exportKeys() {
          return Promise.resolve([]);
        }
      }
      await assert.rejects(restore(file, new Forgetful()), refused('BACKUP_INVALID'));
    });

    it('for a log that is not empty', async () => {
      await assert.rejects(restore(file, adapter), refused('TARGET_EXISTS'));
    });

    it('when it is not there, empty, foreign or the file of a running service', async () => {
      const target = await opening('memory');
      await assert.rejects(restore(fresh('nothing'), target), refused('BACKUP_INVALID'));
      const foreign = fresh('foreign');
      writeFileSync(foreign, 'SQLite format 2, or something else altogether. '.repeat(100));
      await assert.rejects(restore(foreign, target), refused('LOG_FOREIGN'));
      const empty = fresh('empty');
      writeFileSync(empty, '');
      await assert.rejects(restore(empty, target), refused('BACKUP_INVALID'));
      const data = fresh('data');
      opened.push(await SqliteAdapter.open(data));
      await assert.rejects(restore(join(data, 'hark.db'), target), refused('BACKUP_INVALID'));
      assert.equal(await target.head(), 0);
    });

    it('when a single byte of it changed, or its end is missing', async () => {
      const target = await opening('memory');
      const whole = readFileSync(file);
      const at = whole.indexOf('"n":777');
      assert.ok(at > 0);
      const changed = fresh('changed');
      const bytes = Buffer.from(whole);
      bytes.write('"n":778', at);
      writeFileSync(changed, bytes);
      await assert.rejects(restore(changed, target), refused('BACKUP_INVALID'));
      const short = fresh('short');
      copyFileSync(file, short);
      writeFileSync(short, whole.subarray(0, whole.length / 2));
      await assert.rejects(restore(short, target), refused('LOG_DAMAGED'));
      assert.equal(await target.head(), 0);
    });
  });
});
