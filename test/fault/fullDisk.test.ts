import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { isHarkError } from '../../src/errors.ts';
import { statuses } from '../../src/interfaces/rest/statuses.ts';
import { Log } from '../../src/store/log.ts';
import type { Append } from '../../src/store/port.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { databaseFile } from '../../src/store/sqlite/database.ts';
import { damagedPages } from '../../src/store/sqlite/integrity.ts';
import { readAll } from '../store/contract.ts';
import { appendOf, count, counted, forget, note, sampleCatalog } from '../store/sampleEvents.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { range } from '../support/range.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { noSmallDisk, SmallDisk } from '../support/smallDisk.ts';

const folder = temporaryFolder('full');
describe('a full disk', { ...skippedFor(noSmallDisk) }, () => {
  const place = join(folder, 'disk');
  const directory = join(place, 'data');
  let disk: SmallDisk;
  let adapter: SqliteAdapter;
  let log: Log;

  beforeEach(async () => {
    disk = new SmallDisk(place, 8);
    adapter = await SqliteAdapter.open(directory);
    log = await Log.open(adapter, sampleCatalog);
  });
  afterEach(async () => {
    disk.makeRoom();
    await log.close().catch(() => undefined);
    disk.unmount();
  });

  const full = (error: unknown) => isHarkError(error, 'STORAGE_FULL') && statuses[error.code] === 503;
  /** Three events at a time, each saying which append it is of. */
  const three = (id: string): Append =>
    appendOf(`s${id.length % 2}`, {
      correlationId: id,
      commandId: id,
      events: range(0, 3).map((n) => ({ type: counted.type, data: { n } })),
    });
  async function goesThrough(append: Append): Promise<boolean> {
    try {
      await log.append(append);
      return true;
    } catch (error) {
      assert.ok(full(error), `${error}`);
      return false;
    }
  }
  /** Exactly the appends that were acknowledged are there, whole, and the log has no gap. */
  async function assertKept(acknowledged: readonly string[]): Promise<void> {
    const all = await readAll(log);
    const versions = new Map<string, number>();
    for (const [index, { position, stream, version }] of all.entries()) {
      assert.equal(position, index + 1);
      assert.equal(version, (versions.get(stream) ?? 0) + 1);
      versions.set(stream, version);
    }
    const kept = Map.groupBy(
      all.filter(({ type }) => type === counted.type),
      ({ correlationId }) => correlationId,
    );
    assert.deepEqual([...kept.keys()].sort(), [...acknowledged].sort());
    for (const events of kept.values()) assert.equal(events.length, 3);
  }

  it('reached under load takes what it said it took, and works again once there is room', async () => {
    const acknowledged: string[] = [];
    // So little room that the log itself uses it up, wherever it happens to be writing then.
    disk.take(4 << 20);
    let refused = 0;
    await Promise.all(
      range(0, 16).map(async (caller) => {
        for (let n = 0; refused < 64; n++) {
          const id = `${caller}-${'x'.repeat(caller)}-${n}-${'long '.repeat(n % 300)}`;
          if (await goesThrough(three(id))) acknowledged.push(id);
          else refused++;
        }
      }),
    );
    assert.ok(acknowledged.length > 100);
    await assertKept(acknowledged);

    disk.makeRoom();
    for (const id of ['after', 'wards']) {
      assert.ok(await goesThrough(three(id)));
      acknowledged.push(id);
    }
    await assertKept(acknowledged);
    await log.close();
    assert.deepEqual(damagedPages(databaseFile(directory), 'full'), []);
    adapter = await SqliteAdapter.open(directory);
    log = await Log.open(adapter, sampleCatalog);
    await assertKept(acknowledged);
  });

  it('lets everything be read, and refuses whatever writes, each by itself', async () => {
    await log.append(three('before'));
    await log.append(note('ann', 'n1', 'a text'));
    disk.fill();
    await assert.rejects(log.append(three('during')), full);
    await assert.rejects(log.append(forget('ann', 'n1')), full);
    await assert.rejects(log.acquireLease('lease', 'holder', 1), full);
    await assert.rejects(log.moveCursor('cursor', await log.readCursor('cursor'), 1), full);
    await assert.rejects(
      log.saveSnapshot({ owner: null, name: 's' }, { version: 1, position: 4, state: 'x' }),
      full,
    );
    await assertKept(['before']);
    assert.equal((await readAll(log)).at(-1)?.erased, false);
    assert.equal(await log.findCommand('during'), undefined);
    assert.equal((await log.status()).connected, true);

    disk.makeRoom();
    assert.deepEqual(await log.append(three('during')), { position: 7, version: 6, repeated: false });
    await log.append(forget('ann', 'n1'));
    assert.equal((await readAll(log))[3]?.erased, true);
    assert.ok(await log.acquireLease('lease', 'holder', 1));
  });

  it('does not keep the log from closing, nor from opening once there is room', async () => {
    // More than what lies in the file has places for: closing has to make it longer.
    await Promise.all(range(0, 100).map((n) => log.append(three(`${n} ${'long '.repeat(50)}`))));
    const acknowledged = (await readAll(log)).map(({ correlationId }) => correlationId);
    disk.fill();
    await log.close();
    await openWithLittleRoom();
    disk.makeRoom();
    await (await SqliteAdapter.open(directory)).close();
    await openWithLittleRoom();
    disk.makeRoom();
    adapter = await SqliteAdapter.open(directory);
    log = await Log.open(adapter, sampleCatalog);
    await assertKept([...new Set(acknowledged)]);
    await log.append(count('s', 1));
  });

  /** With some room it may open; what it does then is the business of other tests. */
  async function openWithLittleRoom(): Promise<void> {
    disk.fill();
    for (const pages of range(0, 16)) {
      try {
        await (await SqliteAdapter.open(directory)).close();
      } catch (error) {
        assert.ok(full(error), `with ${pages} pages: ${error}`);
      }
      disk.giveBack(4_096);
    }
  }
});
