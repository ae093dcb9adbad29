import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { Log } from '../../src/store/log.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { databaseFile } from '../../src/store/sqlite/database.ts';
import { texts } from '../store/contract.ts';
import { count, forget, note, sampleCatalog } from '../store/sampleEvents.ts';
import { bytesOf, imageOf, temporaryFolder } from '../support/dataDirectory.ts';
import { range } from '../support/range.ts';

const TEXT = 'unmistakable words that nobody else would write';

/** In which files of the directory one of these can be found. */
function tracesIn(directory: string, traces: readonly Buffer[]): string[] {
  return [...bytesOf(directory)].flatMap(([name, bytes]) =>
    traces.some((trace) => bytes.includes(trace)) ? [name] : [],
  );
}

describe('what was forgotten in the embedded store', () => {
  const folder = temporaryFolder('purge');
  let serial = 0;
  const fresh = () => join(folder, `${serial++}`);

  for (const notes of [1, 40]) {
    it(`is gone from every byte when the process is killed as soon as it has said so (${notes} at once)`, async () => {
      const directory = fresh();
      const script = fileURLToPath(new URL('./forgetter.ts', import.meta.url));
      const child = spawn(process.execPath, [script, directory, TEXT, String(notes)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const keys: Buffer[] = [];
      for await (const line of createInterface(child.stdout)) {
        if (line === 'forgotten') break;
        keys.push(Buffer.from(line, 'hex'));
      }
      child.kill('SIGKILL');
      await once(child, 'close');
      assert.equal(keys.length, notes);
      for (const key of keys) assert.equal(key.length, 32);
      assert.deepEqual(tracesIn(directory, [Buffer.from(TEXT), ...keys]), []);
      const adapter = await SqliteAdapter.open(directory);
      assert.deepEqual(await texts(await Log.open(adapter, sampleCatalog)), Array(notes).fill(null));
      await adapter.close();
    });
  }

  describe('while another program reads an older state of it', () => {
    let directory: string;
    let adapter: SqliteAdapter;
    let log: Log;
    let reader: DatabaseSync;
    let traces: Buffer[];

    beforeEach(async () => {
      directory = fresh();
      adapter = await SqliteAdapter.open(directory);
      log = await Log.open(adapter, sampleCatalog);
      await log.append(note('ann', 'n1', TEXT));
      await log.append(note('ann', 'kept', 'something to keep'));
      const keys = await adapter.exportKeys();
      const key = keys.find(({ subject }) => subject === 'n1');
      assert.ok(key);
      traces = [Buffer.from(key.bytes.subarray(8))];
      await log.saveSnapshot({ owner: null, name: 'of all' }, { version: 1, position: 2, state: { TEXT } });
      traces.push(Buffer.from(TEXT));
      reader = new DatabaseSync(databaseFile(directory), { readOnly: true });
      reader.exec('begin; select count(*) from events');
    });
    afterEach(async () => {
      if (reader.isOpen) reader.close();
      await adapter.close().catch(() => undefined);
    });

    const gone = async () => {
      while (tracesIn(directory, traces).length > 0) await nextTurn();
    };

    it('cannot go yet, and goes as soon as that has ended, though nothing else is done', async () => {
      await log.append(forget('ann', 'n1'));
      assert.notDeepEqual(tracesIn(directory, traces), []);
      assert.deepEqual(await texts(log), [null, 'something to keep']);
      reader.exec('commit');
      await gone();
    });

    it('goes as soon as that has ended, however busy the log is', async () => {
      await log.append(forget('ann', 'n1'));
      let isOver = false;
      const writing = Promise.all(
        range(0, 8).map(async (n) => {
          while (!isOver) await log.append(count(`s${n}`, n));
        }),
      );
      reader.exec('commit');
      await gone();
      isOver = true;
      await writing;
    });

    it('goes all together, when several were forgotten', async () => {
      await log.append(forget('ann', 'n1'));
      await log.append(note('ann', 'n2', TEXT));
      const later = (await adapter.exportKeys()).find(({ subject }) => subject === 'n2');
      assert.ok(later);
      traces.push(Buffer.from(later.bytes.subarray(8)));
      await log.append(forget('ann', 'n2'));
      reader.exec('commit');
      await gone();
    });

    it('goes at the next start, when the process was killed before that had ended', async () => {
      await log.append(forget('ann', 'n1'));
      const image = imageOf(directory, fresh());
      assert.notDeepEqual(tracesIn(image, traces), []);
      const next = await SqliteAdapter.open(image);
      assert.deepEqual(tracesIn(image, traces), []);
      assert.deepEqual(await texts(await Log.open(next, sampleCatalog)), [null, 'something to keep']);
      await next.close();
    });

    it('goes after the next start, when even then somebody reads', async () => {
      await log.append(forget('ann', 'n1'));
      const image = imageOf(directory, fresh());
      const still = new DatabaseSync(databaseFile(image), { readOnly: true });
      still.exec('begin; select count(*) from events');
      const next = await SqliteAdapter.open(image);
      assert.notDeepEqual(tracesIn(image, traces), []);
      still.exec('commit');
      while (tracesIn(image, traces).length > 0) await nextTurn();
      still.close();
      await next.close();
    });

    it('keeps nobody from closing the log', async () => {
      await log.append(forget('ann', 'n1'));
      await adapter.close();
      reader.close();
      const next = await SqliteAdapter.open(directory);
      assert.deepEqual(tracesIn(directory, traces), []);
      await next.close();
    });
  });

  it('waits for no reader that reads what is now', async () => {
    const directory = fresh();
    const adapter = await SqliteAdapter.open(directory);
    const log = await Log.open(adapter, sampleCatalog);
    await log.append(note('ann', 'n1', TEXT));
    const [key] = await adapter.exportKeys();
    assert.ok(key);
    const reader = new DatabaseSync(databaseFile(directory), { readOnly: true });
    reader.exec('select count(*) from events');
    await log.append(forget('ann', 'n1'));
    assert.deepEqual(tracesIn(directory, [Buffer.from(key.bytes.subarray(8))]), []);
    reader.close();
    await adapter.close();
  });
});
