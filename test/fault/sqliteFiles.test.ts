import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, it } from 'vitest';
import { z } from 'zod';
import { type ErrorCode, isHarkError } from '../../src/errors.ts';
import { defineEvent } from '../../src/events/definition.ts';
import type { StoreAdapter } from '../../src/store/adapter.ts';
import { Log } from '../../src/store/log.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { SqliteReadOnlyAdapter } from '../../src/store/sqlite/readOnlyAdapter.ts';
import { readAll } from '../store/contract.ts';
import { count, counted, note, sampleCatalog } from '../store/sampleEvents.ts';
import { bytesOf, imageOf, temporaryFolder } from '../support/dataDirectory.ts';
import { range } from '../support/range.ts';

const PAGE = 4_096;
const EVENTS = 400;

describe('the file of the embedded store', () => {
  const folder = temporaryFolder('files');
  /** Closed in good order. */
  const whole = join(folder, 'whole');
  /** Killed: the newest pages are in the write-ahead log alone, and some of them only there have a place. */
  const killed = join(folder, 'killed');
  /** Killed before anything was moved out of the write-ahead log. */
  const killedEarly = join(folder, 'killed-early');
  let serial = 0;

  beforeAll(async () => {
    const adapter = await SqliteAdapter.open(whole);
    const log = await Log.open(adapter, sampleCatalog);
    const append = (from: number, to: number) =>
      Promise.all(range(from, to).map((n) => log.append(note('ann', `n${n}`, `text ${n} `.repeat(20)))));
    await append(0, EVENTS / 2);
    imageOf(whole, killedEarly);
    // A forget has all of the write-ahead log moved into the file.
    await log.append({
      ...count('s', 0),
      userId: 'ann',
      events: [{ type: 'sample.note.forgotten', data: { notes: ['x'] } }],
    });
    await append(EVENTS / 2, EVENTS);
    imageOf(whole, killed);
    await log.acquireLease('lease', 'holder', 3_600_000);
    await log.close();
  });

  function copyOf(directory: string): string {
    return imageOf(directory, join(folder, `copy-${serial++}`));
  }
  const fileIn = (directory: string) => join(directory, 'hark.db');

  /** Refused, and left byte for byte as it is, with nothing of ours beside it; also by who only reads. */
  async function assertRefused(directory: string, ...codes: readonly ErrorCode[]): Promise<void> {
    const before = relevant(directory);
    const refusal = await refusalOf(directory);
    assert.ok(isHarkError(refusal, ...codes), `${refusal}`);
    assert.match(refusal.message, /hark\.db/);
    assert.deepEqual(relevant(directory), before);
    try {
      await new SqliteReadOnlyAdapter(directory).close();
    } catch (error) {
      assert.ok(isHarkError(error), `${error}`);
    }
    assert.deepEqual(relevant(directory), before);
  }
  async function refusalOf(directory: string): Promise<unknown> {
    try {
      await (await SqliteAdapter.open(directory)).close();
      return undefined;
    } catch (error) {
      return error;
    }
  }
  /** All but the lock and the name of who tried it; what SQLite keeps of a log in shared memory is no content. */
  function relevant(directory: string): Readonly<Record<string, string>> {
    const names = ['hark.lock', 'hark.pid', 'hark.db-shm'];
    const files = [...bytesOf(directory)].filter(([name]) => !names.includes(name));
    return Object.fromEntries(
      files.map(([name, bytes]) => [name, `${bytes.length} ${hash('sha256', bytes)}`]),
    );
  }
  async function eventsIn(directory: string): Promise<number> {
    const adapter = await SqliteAdapter.open(directory);
    try {
      return (await readAll(await Log.open(adapter, sampleCatalog))).length;
    } finally {
      await adapter.close();
    }
  }

  it('opens as it was left, in good order or killed', async () => {
    assert.equal(await eventsIn(copyOf(whole)), EVENTS + 1);
    assert.equal(await eventsIn(copyOf(killed)), EVENTS + 1);
    assert.equal(await eventsIn(copyOf(killedEarly)), EVENTS / 2);
    const size = (directory: string) => statSync(fileIn(directory)).size;
    assert.ok(
      size(killed) > PAGE && size(killed) < size(whole),
      'killed while the log had grown beyond the file',
    );
  });

  describe('that is torn', () => {
    for (const [where, sizeOf] of [
      ['in its name', () => 10],
      ['in its header', () => 60],
      ['at the end of its header', () => 100],
      ['in its first page', () => PAGE - 1],
      ['after its first page', () => PAGE],
      ['after its second page', () => 2 * PAGE],
      ['in the middle', (size: number) => Math.floor(size / 2) + 17],
      ['in the middle, between pages', (size: number) => Math.floor(size / 2 / PAGE) * PAGE],
      ['before its last byte', (size: number) => size - 1],
    ] as const) {
      for (const [name, directory] of Object.entries({ whole, killed })) {
        it(`${where} is refused and left alone (${name} before)`, async () => {
          const copy = copyOf(directory);
          truncateSync(fileIn(copy), sizeOf(statSync(fileIn(copy)).size));
          await assertRefused(copy, 'LOG_DAMAGED', 'LOG_FOREIGN');
        });
      }
    }

    it('down to nothing, beside a write-ahead log, is refused and left alone', async () => {
      const copy = copyOf(killed);
      truncateSync(fileIn(copy), 0);
      await assertRefused(copy, 'LOG_DAMAGED');
    });

    it('before its last page is refused, unless its write-ahead log has that page', async () => {
      for (const [directory, isRefused] of [
        [whole, true],
        [killed, false],
      ] as const) {
        const copy = copyOf(directory);
        truncateSync(fileIn(copy), statSync(fileIn(copy)).size - PAGE);
        if (isRefused) await assertRefused(copy, 'LOG_DAMAGED');
        else assert.equal(await eventsIn(copy), EVENTS + 1);
      }
    });

    it('beside a write-ahead log that was begun anew, with its old pages still in it, is refused', async () => {
      const open = copyOf(whole);
      const db = new DatabaseSync(fileIn(open));
      const write = (rows: number) => {
        for (const n of range(0, rows))
          db.exec(`insert into meta values (hex(randomblob(9)), hex(zeroblob(${n + 1_000})))`);
      };
      db.exec('pragma wal_autocheckpoint = 0');
      write(100);
      db.exec('pragma wal_checkpoint(passive)');
      write(1);
      const copy = copyOf(open);
      db.close();
      const { size } = statSync(fileIn(copy));
      assert.ok(statSync(`${fileIn(copy)}-wal`).size > 50 * PAGE);
      truncateSync(fileIn(copy), size - 20 * PAGE);
      await assertRefused(copy, 'LOG_DAMAGED');
    });

    it('with its write-ahead log gone too is refused and left alone', async () => {
      const copy = copyOf(killed);
      truncateSync(fileIn(copy), PAGE);
      truncateSync(`${fileIn(copy)}-wal`, 0);
      await assertRefused(copy, 'LOG_DAMAGED');
    });
  });

  describe('that is damaged in the middle', () => {
    const fills: Readonly<Record<string, Buffer>> = {
      zeros: Buffer.alloc(PAGE),
      ones: Buffer.alloc(PAGE, 0xff),
      'a text': Buffer.alloc(PAGE, 'Dear diary, '),
    };
    const pages = () => Math.floor(statSync(fileIn(whole)).size / PAGE);
    function damage(directory: string, page: number, bytes: Buffer): void {
      const descriptor = openSync(fileIn(directory), 'r+');
      writeSync(descriptor, bytes, 0, bytes.length, (page - 1) * PAGE);
      closeSync(descriptor);
    }
    const isWell = (error: unknown) =>
      error === undefined || isHarkError(error, 'LOG_DAMAGED', 'LOG_FOREIGN');
    async function readBy(adapter: StoreAdapter): Promise<unknown> {
      try {
        const log = await Log.open(adapter, sampleCatalog);
        for (const event of await readAll(log)) JSON.stringify(event);
        for await (const events of log.readStream('notes-ann')) JSON.stringify(events);
        await log.loadSnapshot({ owner: null, name: 's' }, 1);
        await log.readCursor('c');
        return undefined;
      } catch (error) {
        return error;
      } finally {
        await adapter.close();
      }
    }
    async function foundBy(open: () => StoreAdapter | Promise<StoreAdapter>): Promise<unknown> {
      try {
        return await readBy(await open());
      } catch (error) {
        return error;
      }
    }

    for (const [what, bytes] of Object.entries(fills)) {
      it(`by ${what} in any page, it is said to be so by who reads it`, async () => {
        let found = 0;
        for (const page of range(1, pages() + 1)) {
          const copy = copyOf(whole);
          damage(copy, page, bytes);
          const refusal = await foundBy(() => new SqliteReadOnlyAdapter(copy));
          assert.ok(isWell(refusal), `page ${page}: ${refusal}`);
          if (refusal) found++;
        }
        assert.ok(found > pages() / 2, `${found} of ${pages()}`);
      });

      it(`by ${what}, it is refused by who would write it, and left alone`, async () => {
        let found = 0;
        for (const page of range(1, 12).map((n) => Math.ceil((n * pages()) / 12))) {
          const copy = copyOf(whole);
          damage(copy, page, bytes);
          const before = relevant(copy);
          const refusal = await foundBy(() => SqliteAdapter.open(copy));
          assert.ok(isWell(refusal), `page ${page}: ${refusal}`);
          assert.deepEqual(relevant(copy), before, `page ${page}`);
          if (refusal) found++;
        }
        assert.ok(found > 6, `${found}`);
      });
    }

    it('within an event, that event is said to be so', async () => {
      const copy = copyOf(whole);
      const bytes = readFileSync(fileIn(copy));
      const at = bytes.lastIndexOf('"text":null');
      assert.ok(at > 0);
      bytes.write('[', at);
      writeFileSync(fileIn(copy), bytes);
      const refusal = await foundBy(() => SqliteAdapter.open(copy));
      assert.ok(isHarkError(refusal, 'LOG_DAMAGED'), `${refusal}`);
    });
  });

  describe('that is not ours is refused and left alone:', () => {
    const foreign = (write: (file: string) => void): string => {
      const directory = join(folder, `foreign-${serial++}`);
      mkdirSync(directory);
      write(fileIn(directory));
      return directory;
    };
    const database = (sql: string) => (file: string) => {
      const db = new DatabaseSync(file);
      db.exec(sql);
      db.close();
    };

    for (const [what, write] of [
      ['text', (file: string) => writeFileSync(file, 'Dear diary, today I wrote a file.\n'.repeat(500))],
      ['a word', (file: string) => writeFileSync(file, 'hark')],
      ['zeros', (file: string) => writeFileSync(file, Buffer.alloc(3 * PAGE))],
      ['a database', database('create table diary (page text); insert into diary values (1)')],
      ['a database of another application', database('pragma application_id = 7; create table t (c)')],
      [
        'a database that looks like one of an older hark',
        database('pragma user_version = 1; create table t (c)'),
      ],
    ] as const) {
      it(what, () => assertRefused(foreign(write), 'LOG_FOREIGN'));
    }

    it('a database whose write-ahead log holds all that it has', async () => {
      const open = foreign(() => {});
      const db = new DatabaseSync(fileIn(open));
      db.exec('pragma journal_mode = wal; create table diary (page text); insert into diary values (1)');
      const directory = copyOf(open);
      db.close();
      assert.equal(statSync(fileIn(directory)).size, PAGE);
      await assertRefused(directory, 'LOG_FOREIGN');
    });
  });

  describe('of a newer hark is refused and left alone', () => {
    const raise = 'pragma user_version = 99';

    it('where its layout is newer', async () => {
      const copy = copyOf(whole);
      const db = new DatabaseSync(fileIn(copy));
      db.exec(raise);
      db.close();
      await assertRefused(copy, 'LOG_NEWER');
    });

    it('where only the write-ahead log says so', async () => {
      const open = copyOf(whole);
      const db = new DatabaseSync(fileIn(open));
      db.exec(raise);
      const copy = copyOf(open);
      db.close();
      await assertRefused(copy, 'LOG_NEWER');
    });

    it('where its events are newer', async () => {
      const copy = copyOf(whole);
      const newer = defineEvent(counted.type, {
        version: 2,
        data: () => z.object({ n: z.number() }),
        upcasts: { 1: (old) => old },
      });
      const first = await SqliteAdapter.open(copy);
      await Log.open(first, [newer, ...sampleCatalog.slice(1)]);
      await first.acquireLease('lease', 'holder', 3_600_000);
      await first.close();
      const before = relevant(copy);
      const adapter = await SqliteAdapter.open(copy);
      await assert.rejects(Log.open(adapter, sampleCatalog), (error) => isHarkError(error, 'LOG_NEWER'));
      await adapter.close();
      assert.deepEqual(relevant(copy), before);
    });
  });

  it('that is empty is a log that was lost, and is refused and left alone', async () => {
    const directory = join(folder, 'emptied');
    mkdirSync(directory);
    writeFileSync(fileIn(directory), '');
    await assertRefused(directory, 'LOG_DAMAGED');
    for (const suffix of ['-wal', '-shm']) {
      writeFileSync(fileIn(directory) + suffix, '');
      await assertRefused(directory, 'LOG_DAMAGED');
      rmSync(fileIn(directory));
      await assertRefused(directory, 'LOG_DAMAGED');
      rmSync(fileIn(directory) + suffix);
      writeFileSync(fileIn(directory), '');
    }
  });

  it('is begun anew when its first start was killed, whatever that left', async () => {
    for (const left of ['', 'SQLite for', 'x'.repeat(3 * PAGE), readFileSync(fileIn(whole))]) {
      for (const suffix of ['', '-wal', '-shm', '-journal']) {
        const directory = join(folder, `begun-${serial++}`);
        mkdirSync(directory);
        writeFileSync(`${fileIn(directory)}.new`, '');
        writeFileSync(`${fileIn(directory)}.new${suffix}`, left);
        assert.equal(await eventsIn(directory), 0);
        assert.deepEqual(readdirSync(directory).sort(), ['hark.db', 'hark.lock', 'hark.pid']);
        assert.equal(statSync(fileIn(directory)).mode & 0o777, 0o600);
      }
    }
  });
});
