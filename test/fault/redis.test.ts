import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterEach, describe, it } from 'vitest';
import { type ErrorCode, isHarkError } from '../../src/errors.ts';
import { Log } from '../../src/store/log.ts';
import type { Append } from '../../src/store/port.ts';
import { RedisAdapter, type RedisOptions } from '../../src/store/redis/adapter.ts';
import { infoField } from '../../src/store/redis/inspection.ts';
import { logIdOf, readAll, take, texts } from '../store/contract.ts';
import { count, forget, note, sampleCatalog } from '../store/sampleEvents.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { within } from '../support/within.ts';

const OPTIONS = { lookAgainMs: 50 };
/** For a Redis that is to be found away; a busy machine must not look like it in the other tests. */
const IMPATIENT = { ...OPTIONS, operationMs: 400 };
const LIBRARY = join(import.meta.dirname, '../../migrations/redis/0004-log.lua');
const refused = (code: ErrorCode) => (error: unknown) => isHarkError(error, code);

describe('a Redis', { ...skippedFor(redisIsMissing) }, () => {
  const undo: (() => unknown)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  async function start(options: Parameters<typeof RedisServer.start>[0] = {}): Promise<RedisServer> {
    const server = await RedisServer.start(options);
    undo.push(() => server.stop());
    return server;
  }
  async function openAdapter(server: RedisServer, options: RedisOptions = OPTIONS): Promise<RedisAdapter> {
    const adapter = await RedisAdapter.open(server.url, options);
    undo.push(() => adapter.close());
    return adapter;
  }
  async function openLog(
    server: RedisServer,
    options: RedisOptions = OPTIONS,
  ): Promise<{ adapter: RedisAdapter; log: Log }> {
    const adapter = await openAdapter(server, options);
    return { adapter, log: await Log.open(adapter, sampleCatalog) };
  }
  function connect(server: RedisServer): Redis {
    const plain = server.client();
    undo.push(() => plain.disconnect());
    return plain;
  }

  /** Asks until the store is as it is waited for: there is no other sign of its coming back. */
  async function becomes(adapter: RedisAdapter, isSo: (error: string | undefined) => boolean): Promise<void> {
    while (!isSo((await adapter.status()).error)) await nextTurn();
  }
  /** As a caller does that is told to try again. */
  async function insist(log: Log, append: Append): Promise<void> {
    for (;;) {
      try {
        await log.append(append);
        return;
      } catch (error) {
        assert.ok(isHarkError(error, 'KVSTORE_UNAVAILABLE'), String(error));
        await nextTurn();
      }
    }
  }
  const back = (adapter: RedisAdapter) => becomes(adapter, (error) => error === undefined);
  const away = (adapter: RedisAdapter) => becomes(adapter, (error) => error !== undefined);

  describe('that is restarted with its data', () => {
    it('keeps every acknowledged event, and the service goes on by itself', async () => {
      const server = await start({ appendonly: 'yes', appendfsync: 'always' });
      const { adapter, log } = await openLog(server);
      const other = await openLog(server);
      const heard: number[] = [];
      other.log.onAppended((events) => heard.push(...events.map(({ position }) => position)));
      const acknowledged: number[] = [];
      let refusals = 0;
      let stopped = false;
      const writing = Promise.all(
        Array.from({ length: 8 }, async (_, writer) => {
          for (let n = 0; !stopped; n++) {
            try {
              acknowledged.push((await log.append(count(`w${writer}`, n))).position);
            } catch (error) {
              assert.ok(isHarkError(error, 'KVSTORE_UNAVAILABLE'), String(error));
              refusals++;
              await nextTurn();
            }
          }
        }),
      );
      while (acknowledged.length < 200) await nextTurn();
      await server.kill();
      await away(adapter);
      await server.start();
      await back(adapter);
      const before = acknowledged.length;
      while (acknowledged.length < before + 200) await nextTurn();
      stopped = true;
      await writing;

      assert.ok(refusals > 0);
      const all = await readAll(log);
      assert.deepEqual(
        all.map(({ position }) => position),
        all.map((_, index) => index + 1),
      );
      const kept = new Set(all.map(({ position }) => position));
      for (const position of acknowledged) assert.ok(kept.has(position));
      while (heard.length < all.length) await nextTurn();
      assert.deepEqual(
        heard,
        all.map((_, index) => index + 1),
      );
    });

    it('answers a command that was cut off, when it is asked again, exactly once', async () => {
      const server = await start({ appendonly: 'yes', appendfsync: 'always' });
      const { adapter, log } = await openLog(server, IMPATIENT);
      server.pause();
      await assert.rejects(log.append(count('s', 1, { commandId: 'c' })), refused('KVSTORE_UNAVAILABLE'));
      server.resume();
      await back(adapter);
      await log.append(count('s', 1, { commandId: 'c' }));
      assert.equal((await readAll(log)).length, 1);
    });
  });

  describe('that is restarted without its data', () => {
    it('is noticed as another log, and the service goes on with it', async () => {
      const server = await start();
      const { adapter, log } = await openLog(server);
      await log.append(note('ann', 'n1', 'lost'));
      for (let n = 0; n < 5; n++) await log.append(count('s', n));
      const id = await logIdOf(adapter);
      const following = take(log, { after: 0 }, 100);
      const ended = assert.rejects(following, refused('KVSTORE_UNAVAILABLE'));
      const replaced = new Promise<void>((resolve) => {
        log.onReplaced(resolve);
      });
      await server.restartEmpty();
      await replaced;
      await ended;
      assert.notEqual(await logIdOf(adapter), id);
      assert.equal(await log.head(), 0);
      const told: number[] = [];
      log.onAppended((events) => told.push(...events.map(({ position }) => position)));
      const appended = await log.append(note('ann', 'n1', 'new'));
      assert.deepEqual(appended, { position: 1, version: 1, repeated: false });
      assert.deepEqual(told, [1]);
      assert.deepEqual(await texts(log), ['new']);
      assert.deepEqual(await texts(await Log.open(await openAdapter(server), sampleCatalog)), ['new']);
    });

    it('is noticed when it was emptied and never went away', async () => {
      const server = await start();
      const { log } = await openLog(server);
      await log.append(count('s', 1));
      const replaced = new Promise<void>((resolve) => {
        log.onReplaced(resolve);
      });
      await connect(server).flushall();
      await replaced;
      assert.equal((await log.append(count('s', 1, { expected: 'new' }))).position, 1);
    });

    it('is noticed as one log when it is emptied while it is looked at', async () => {
      const server = await start();
      const { adapter, log } = await openLog(server, { ...OPTIONS, lookAgainMs: 60_000 });
      await log.append(count('s', 1));
      const plain = connect(server);
      let replaced = 0;
      log.onReplaced(() => replaced++);
      // Shorter than it was when it is looked at, and without a name by the time that it is to get another.
      await plain.del(...(await plain.keys('{hark}:*')).filter((key) => key !== '{hark}:meta'));
      const rename = 'local function rename(KEYS, ARGV)';
      const emptied = readFileSync(LIBRARY, 'utf8').replace(rename, `${rename} redis.call('DEL', KEYS[1])`);
      await plain.function('LOAD', 'REPLACE', emptied);
      await adapter.reconnect();
      assert.equal(replaced, 1);
      assert.equal((await log.append(count('s', 1, { expected: 'new' }))).position, 1);
    });

    it('takes no append that was meant for the log before', async () => {
      const server = await start();
      const adapter = await openAdapter(server, { ...OPTIONS, lookAgainMs: 60_000 });
      const log = await Log.open(adapter, sampleCatalog);
      await log.append(count('s', 1));
      await connect(server).flushall();
      await assert.rejects(log.append(count('s', 2, { expected: 'any' })), refused('KVSTORE_UNAVAILABLE'));
      assert.equal(await connect(server).xlen('{hark}:log'), 0);
    });

    it('is noticed when it came back with less, also when others have gone on from there', async () => {
      const server = await start({ save: '3600 1000000' });
      const { adapter, log } = await openLog(server, IMPATIENT);
      await log.append(count('s', 1));
      await connect(server).save();
      await log.append(count('s', 2));
      const id = await logIdOf(adapter);
      let replaced = 0;
      log.onReplaced(() => replaced++);
      server.pause();
      await assert.rejects(log.head(), refused('KVSTORE_UNAVAILABLE'));
      await server.kill();
      await server.start();
      const other = (await openLog(server)).log;
      await insist(other, count('s', 20));
      await insist(other, count('s', 30));
      await back(adapter);
      while (replaced === 0) await nextTurn();
      assert.notEqual(await logIdOf(adapter), id);
      assert.deepEqual(
        (await readAll(log)).map(({ data }) => data),
        [{ n: 1 }, { n: 20 }, { n: 30 }],
      );
    });
  });

  describe('that is paused', () => {
    it('holds nobody up: operations are refused promptly, and go on when it does', async () => {
      const server = await start();
      const adapter = await RedisAdapter.open(server.url);
      undo.push(() => adapter.close());
      const log = await Log.open(adapter, sampleCatalog);
      await log.append(count('s', 1));
      server.pause();
      const operations = () => [
        log.append(count('s', 2, { commandId: 'c' })),
        log.head(),
        readAll(log),
        log.readCursor('c'),
        log.takeTokens('b', 1, 1, 1),
        log.acquireLease('l', 'h', 1),
      ];
      // Those that find out, and those after them.
      for (const ms of [2_500, 200])
        for (const outcome of await within(ms, Promise.allSettled(operations())))
          assert.ok(outcome.status === 'rejected' && isHarkError(outcome.reason, 'KVSTORE_UNAVAILABLE'));
      const { connected, error } = await adapter.status();
      assert.equal(connected, false);
      assert.ok(error);
      server.resume();
      await back(adapter);
      await log.append(count('s', 2, { commandId: 'c' }));
      assert.deepEqual(
        (await readAll(log)).map(({ data }) => data),
        [{ n: 1 }, { n: 2 }],
      );
    });
  });

  describe('that takes long to write its files anew', () => {
    it('does it once for a forget, which waits only so long', async () => {
      const server = await start({ appendonly: 'yes' });
      const { log } = await openLog(server, { ...OPTIONS, purgeTimeoutMs: 100 });
      const plain = connect(server);
      const forks = async () => Number(infoField(await plain.info('stats'), 'total_forks'));
      await log.append(note('ann', 'n1', 'text'));
      await plain.mset(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`other:${n}`, 'x'])));
      await plain.config('SET', 'rdb-key-save-delay', '50000');
      const before = await forks();
      await log.append(forget('ann', 'n1'));
      assert.equal(await plain.exists('{hark}:unpurged'), 1, 'acknowledged while it is under way');
      while (await plain.exists('{hark}:unpurged')) await nextTurn();
      // Looked again many times meanwhile and after: nothing is left to be made up for.
      await pause(5 * OPTIONS.lookAgainMs);
      assert.equal((await forks()) - before, 1);
    });
  });

  describe('that may evict', () => {
    it('is refused at the start, with a word on how to mend it', async () => {
      const server = await start({ policy: 'allkeys-lru' });
      await assert.rejects(
        openAdapter(server),
        (error) =>
          isHarkError(error, 'KVSTORE_MISCONFIGURED') && /CONFIG SET maxmemory-policy/.test(error.message),
      );
    });

    it('is refused when it was changed before a reconnect, and taken back once it is mended', async () => {
      const server = await start();
      const { adapter, log } = await openLog(server);
      const plain = connect(server);
      await plain.config('SET', 'maxmemory-policy', 'allkeys-lru');
      await plain.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await becomes(adapter, (error) => error?.includes('maxmemory-policy') ?? false);
      await assert.rejects(log.append(count('s', 1)), refused('KVSTORE_MISCONFIGURED'));
      await plain.config('SET', 'maxmemory-policy', 'noeviction');
      await back(adapter);
      await log.append(count('s', 1));
    });

    it('and is full takes nothing, lets everything be read, and takes everything when there is room', async () => {
      const server = await start();
      const { adapter, log } = await openLog(server);
      const plain = connect(server);
      await log.append(count('s', 1));
      await plain.config('SET', 'maxmemory', '1');
      await assert.rejects(log.append(count('s', 2)), refused('STORAGE_FULL'));
      // Looked at meanwhile, it is not taken to be away.
      await adapter.reconnect();
      assert.equal((await readAll(log)).length, 1);
      assert.equal((await log.status()).connected, true);
      await assert.rejects(log.append(count('s', 2)), refused('STORAGE_FULL'));
      await plain.config('SET', 'maxmemory', '0');
      assert.equal((await log.append(count('s', 2))).position, 2);
    });
  });

  describe('with a function library', () => {
    const library = (version: number) =>
      readFileSync(LIBRARY, 'utf8').replace(/local VERSION = \d+/, `local VERSION = ${version}`);

    it('of an older hark gets the new one', async () => {
      const server = await start();
      const plain = connect(server);
      await plain.function('LOAD', library(0));
      await openLog(server);
      assert.equal(await plain.fcall_ro('hark_version', 0), 4);
    });

    it('of a newer hark is refused and left as it is', async () => {
      const server = await start();
      const plain = connect(server);
      await plain.function('LOAD', library(99));
      await assert.rejects(openAdapter(server), refused('LOG_NEWER'));
      assert.equal(await plain.fcall_ro('hark_version', 0), 99);
    });

    it('whose number is that of its file', () => {
      assert.match(readFileSync(LIBRARY, 'utf8'), /^local VERSION = 4$/m);
    });

    it('that was thrown out while it runs gets it back', async () => {
      const server = await start();
      const { log } = await openLog(server);
      await connect(server).function('FLUSH');
      await insist(log, count('s', 1));
    });
  });

  it('that is away at the start is said to be so, and a wrong password never shows', async () => {
    const server = await start({ password: 'open-sesame' });
    const { adapter } = await openLog(server);
    assert.equal((await adapter.status()).url, `redis://127.0.0.1:${server.port}`);
    const wrong = server.url.replace('open-sesame', 'close-sesame');
    await assert.rejects(RedisAdapter.open(wrong, OPTIONS), (error) => {
      assert.ok(isHarkError(error, 'KVSTORE_MISCONFIGURED'));
      for (const hidden of ['sesame'])
        assert.ok(!JSON.stringify([error, String(error.cause), error.stack]).includes(hidden));
      return true;
    });
    await server.kill();
    await assert.rejects(RedisAdapter.open(server.url, OPTIONS), refused('KVSTORE_UNAVAILABLE'));
  });

  it('forgets command ids of a week ago as new ones come', async () => {
    const server = await start();
    const { log } = await openLog(server);
    const plain = connect(server);
    const old = Array.from({ length: 5 }, (_, n) => `old ${n}`);
    for (const id of old) await log.append(count('s', 1, { commandId: id }));
    await plain.del('{hark}:commands:age');
    const weekAgo = Date.now() - 8 * 24 * 3_600_000;
    await plain.rpush('{hark}:commands:age', ...old.map((id) => `${weekAgo} ${id}`));
    for (let n = 0; n < 3; n++) await log.append(count('s', 1, { commandId: `new ${n}` }));
    assert.deepEqual(await plain.hkeys('{hark}:commands'), ['new 0', 'new 1', 'new 2']);
    assert.equal(await plain.llen('{hark}:commands:age'), 3);
    assert.equal(await (await openLog(server)).log.findCommand('old 0'), undefined);
  });

  describe('whose log is damaged', () => {
    const damages: Record<string, (plain: Redis) => Promise<unknown>> = {
      'has lost an entry': (plain) => plain.xdel('{hark}:log', '2-0'),
      'has lost its end': (plain) => plain.xdel('{hark}:log', '3-0'),
      'was taken away': (plain) => plain.del('{hark}:log'),
      'was taken away with its head': (plain) => plain.del('{hark}:log', '{hark}:head'),
      'was taken away with its head and its name': (plain) =>
        plain.del('{hark}:log', '{hark}:head', '{hark}:meta'),
    };
    for (const [how, damage] of Object.entries(damages)) {
      it(`as it ${how}, is refused and not written to, by who has it open and by who comes`, async () => {
        const server = await start();
        const { log, adapter } = await openLog(server, { ...OPTIONS, lookAgainMs: 60_000 });
        for (let n = 0; n < 3; n++) await log.append(count('s', n));
        const plain = connect(server);
        await damage(plain);
        const left = await plain.xlen('{hark}:log');
        // Where more than the log is gone, it is taken for another one first, and then found to be none.
        for (const stream of ['s', 's', 's', 'new', 's'])
          await assert.rejects(log.append(count(stream, 9, { expected: 'any' })), refusedFor(how));
        const found = await RedisAdapter.open(server.url, OPTIONS).catch((error: unknown) => error);
        if (found instanceof RedisAdapter) {
          const late = await Log.open(found, sampleCatalog);
          await assert.rejects(late.append(count('late', 1)), refused('LOG_DAMAGED'));
          await late.close();
        } else assert.ok(refused('LOG_DAMAGED')(found), String(found));
        assert.equal(await plain.xlen('{hark}:log'), left);
        assert.match(
          (await adapter.status()).error ?? (await log.status()).refusals?.last?.message ?? '',
          /damaged/,
        );
      });
    }
    const refusedFor = (how: string) => (error: unknown) =>
      isHarkError(
        error,
        'LOG_DAMAGED',
        ...(how.includes('its head') ? (['KVSTORE_UNAVAILABLE'] as const) : []),
      );

    it('is said to be so, and counts again once the log is back', async () => {
      const server = await start();
      const { log, adapter } = await openLog(server);
      await log.append(count('s', 1));
      const plain = connect(server);
      const kept = await plain.dumpBuffer('{hark}:log');
      await plain.del('{hark}:log');
      await becomes(adapter, (error) => /damaged/.test(error ?? ''));
      await assert.rejects(readAll(log), refused('LOG_DAMAGED'));
      assert.ok(kept);
      await plain.restore('{hark}:log', 0, kept);
      await back(adapter);
      assert.equal((await log.append(count('s', 2))).position, 2);
    });
  });

  describe('of two processes', () => {
    it('lets both append, gap-free, and each hear all events in order, once', async () => {
      const server = await start();
      const logs = [(await openLog(server)).log, (await openLog(server)).log];
      const EACH = 400;
      const heard = logs.map((log) => take(log, { after: 0 }, 2 * EACH));
      await Promise.all(
        logs.flatMap((log, index) =>
          Array.from({ length: EACH }, (_, n) => log.append(count(`s${n % 11}`, n * 2 + index))),
        ),
      );
      for (const events of await Promise.all(heard))
        assert.deepEqual(
          events.map(({ position }) => position),
          events.map((_, index) => index + 1),
        );
      assert.equal(await logs[0]?.head(), 2 * EACH);
    });

    it('tells each of what the other forgot', async () => {
      const server = await start();
      const [one, two] = [(await openLog(server)).log, (await openLog(server)).log];
      await one.append(note('ann', 'n1', 'text'));
      const [seen] = await take(two, { after: 0 }, 1);
      assert.equal(seen?.erased, false);
      const told = new Promise<void>((resolve) => {
        two.onAppended(() => resolve());
      });
      await one.append({
        ...note('ann', 'x', 'x'),
        events: [{ type: 'sample.note.forgotten', data: { notes: ['n1'] } }],
      });
      await told;
      assert.deepEqual(await texts(two), [null]);
      assert.equal(seen?.erased, true);
    });

    it('hears of what was appended while its subscription was lost', async () => {
      const server = await start();
      const [one, two] = [(await openLog(server)).log, (await openLog(server)).log];
      const heard = take(two, { after: 0 }, 3);
      await one.append(count('s', 0));
      await connect(server).call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await insist(one, count('s', 1));
      await insist(one, count('s', 2));
      assert.equal((await heard).length, 3);
    });
  });
});
