import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { type ErrorCode, isHarkError } from '../../src/errors.ts';
import { Log } from '../../src/store/log.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { readAll } from '../store/contract.ts';
import { count, note, sampleCatalog } from '../store/sampleEvents.ts';
import { range } from '../support/range.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { noSmallDisk, SmallDisk } from '../support/smallDisk.ts';

const WRITER = fileURLToPath(new URL('./loadedWriter.ts', import.meta.url));
const refused = (code: ErrorCode) => (error: unknown) => isHarkError(error, code);

describe('an embedded store', () => {
  let directory: string;
  let file: string;
  const undo: (() => unknown)[] = [];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'hark-fault-'));
    file = join(directory, 'hark.db');
  });
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
    rmSync(directory, { recursive: true, force: true });
  });

  async function openLog(): Promise<Log> {
    const adapter = await SqliteAdapter.open(directory);
    try {
      return await Log.open(adapter, sampleCatalog);
    } catch (error) {
      await adapter.close();
      throw error;
    }
  }
  async function leaveLog(): Promise<void> {
    const log = await openLog();
    for (const n of range(0, 200)) await log.append(note('ann', `n${n}`, 'some text '.repeat(20)));
    await log.close();
  }
  function change(sql: string): void {
    const db = new DatabaseSync(file);
    db.exec(sql);
    db.close();
  }
  function digest(): string {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  }

  const found: Record<string, { readonly code: ErrorCode; place(): void | Promise<void> }> = {
    'a text': { code: 'LOG_FOREIGN', place: () => writeFileSync(file, 'Dear diary,\n'.repeat(1_000)) },
    'a short text': { code: 'LOG_FOREIGN', place: () => writeFileSync(file, 'x') },
    'a file of zeros': { code: 'LOG_FOREIGN', place: () => writeFileSync(file, Buffer.alloc(8_192)) },
    'the database of something else': {
      code: 'LOG_FOREIGN',
      place: () => change('create table recipes (name text); insert into recipes values (1)'),
    },
    'a log cut to half its pages': {
      code: 'LOG_DAMAGED',
      async place() {
        await leaveLog();
        truncateSync(file, Math.floor(statSync(file).size / 8_192) * 4_096);
      },
    },
    'a log cut within a page': {
      code: 'LOG_DAMAGED',
      async place() {
        await leaveLog();
        truncateSync(file, statSync(file).size - 100);
      },
    },
    'a log in a newer format': {
      code: 'LOG_NEWER',
      async place() {
        await leaveLog();
        change('pragma user_version = 99');
      },
    },
    'a log with events that only a newer hark knows': {
      code: 'LOG_NEWER',
      async place() {
        await leaveLog();
        const adapter = await SqliteAdapter.open(directory);
        await adapter.writeMeta({ 'event:sample.future': '1' });
        await adapter.close();
      },
    },
  };
  for (const [name, { code, place }] of Object.entries(found)) {
    it(`refuses ${name} with ${code}, and leaves it as it is`, async () => {
      await place();
      const before = digest();
      await assert.rejects(openLog(), refused(code));
      assert.equal(digest(), before);
      await assert.rejects(openLog(), refused(code), 'and so the next time');
    });
  }

  it('is of one process at a time, and of the next as soon as that is killed', async () => {
    const child = spawn(process.execPath, [WRITER, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    undo.push(() => child.kill('SIGKILL') && closed);
    await once(child.stdout, 'data');
    child.stdout.resume();
    await assert.rejects(openLog(), (error) => {
      assert.ok(isHarkError(error, 'DATA_DIR_IN_USE'));
      assert.match(error.message, new RegExp(`\\b${child.pid}\\b`));
      return true;
    });
    child.kill('SIGKILL');
    await closed;
    const log = await openLog();
    assert.ok((await log.head()) > 0);
    await log.close();
  });

  describe('on a full disk', { ...skippedFor(noSmallDisk) }, () => {
    it('refuses appends whole, and goes on without reopening once there is room', async () => {
      const disk = new SmallDisk(directory, 3);
      undo.push(() => disk.unmount());
      disk.take(1_500_000);
      const log = await openLog();
      undo.push(() => log.close());

      const kept: string[] = [];
      const append = async (name: string) => {
        await log.append(note('ann', name, `${name} ${'word '.repeat(1_000)}`));
        kept.push(name);
      };
      await assert.rejects(async () => {
        for (let n = 0; n < 2_000; n++) await append(`n${n}`);
      }, refused('STORAGE_FULL'));
      assert.ok(kept.length > 0);
      const many = await Promise.allSettled(range(0, 30).map((n) => append(`full${n}`)));
      for (const each of many)
        if (each.status === 'rejected') assert.ok(refused('STORAGE_FULL')(each.reason));
      assert.ok(many.some(({ status }) => status === 'rejected'));
      await expectKept(log, kept);

      disk.makeRoom();
      for (const n of range(0, 20)) await append(`after${n}`);
      assert.equal((await log.append(count('other', 1))).version, 1);
      await expectKept(log, kept);
    });
  });
});

async function expectKept(log: Log, names: readonly string[]): Promise<void> {
  const events = (await readAll(log)).filter(({ subject }) => subject !== null);
  assert.deepEqual(
    events.map(({ subject }) => subject),
    names,
  );
  for (const [index, event] of events.entries()) {
    assert.equal(event.version, index + 1);
    assert.equal(event.position, index + 1);
    assert.ok(String((event.data as { readonly text: unknown }).text).startsWith(`${event.subject} `));
  }
}
