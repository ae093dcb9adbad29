import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { isHarkError } from '../../src/errors.ts';
import { statuses } from '../../src/interfaces/rest/statuses.ts';
import { Log } from '../../src/store/log.ts';
import type { StoreStatus } from '../../src/store/port.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { databaseFile } from '../../src/store/sqlite/database.ts';
import { damagedPages } from '../../src/store/sqlite/integrity.ts';
import { readAll } from '../store/contract.ts';
import { count, sampleCatalog } from '../store/sampleEvents.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { range } from '../support/range.ts';
import { InProcessService } from '../support/service.ts';

/** The threads that are started from here on, the newest last. */
const threads: Worker[] = [];
process.on('worker', (worker) => threads.push(worker));
const folder = temporaryFolder('lost-writer');
let serial = 0;

const ends: Readonly<Record<string, (writer: Worker) => unknown>> = {
  'is ended': (writer) => writer.terminate(),
  fails: (writer) => writer.postMessage(null),
};

for (const [how, end] of Object.entries(ends)) {
  describe(`a writer that ${how}`, () => {
    let directory: string;
    let adapter: SqliteAdapter;
    let log: Log;
    beforeEach(async () => {
      directory = `${folder}/${serial++}`;
      adapter = await SqliteAdapter.open(directory);
      log = await Log.open(adapter, sampleCatalog);
    });
    afterEach(() => log.close());

    /** What the store says of itself at that moment. */
    function endWriter(): Promise<StoreStatus> {
      const writer = threads.at(-1);
      assert(writer);
      return new Promise((resolve) => {
        for (const event of ['error', 'exit']) writer.once(event, () => resolve(adapter.status()));
        end(writer);
      });
    }
    const away = (error: unknown) =>
      isHarkError(error, 'KVSTORE_UNAVAILABLE') && statuses[error.code] === 503;
    const back = async () => {
      while (!(await adapter.status()).connected) await nextTurn();
    };

    it('is replaced, and refuses only what waited for it', async () => {
      await log.append(count('s', 1));
      const lease = await log.acquireLease('lease', 'holder', 3_600_000);
      const waiting = Promise.allSettled(range(0, 2_000).map((n) => log.append(count(`s${n % 7}`, n))));
      const beside = Promise.allSettled([log.moveCursor('c', await log.readCursor('c'), 1)]);
      const { connected, losses, error } = await endWriter();
      assert.deepEqual({ connected, losses }, { connected: false, losses: 1 });
      assert.ok(error);
      await assert.rejects(log.append(count('s', 2)), away);
      const outcomes = [...(await waiting), ...(await beside)];
      for (const outcome of outcomes) assert.ok(outcome.status === 'fulfilled' || away(outcome.reason));
      await back();
      assert.equal((await log.append(count('s', 3, { expected: 1 }))).version, 2);
      assert.deepEqual(await log.acquireLease('lease', 'other', 1), undefined, 'what was held is held');
      assert.equal((await log.acquireLease('lease', 'holder', 1))?.fence, lease?.fence);
    });

    it('loses nothing that was acknowledged, and all hear of what was kept', async () => {
      const heard: number[] = [];
      log.onAppended((events) => heard.push(...events.map(({ position }) => position)));
      const acknowledged: number[] = [];
      for (const round of range(0, 5)) {
        let isOver = false;
        const writing = Promise.all(
          range(0, 16).map(async (writer) => {
            for (let n = 0; !isOver; n++) {
              const append = log
                .append(count(`w${writer}`, n))
                .then(({ position }) => acknowledged.push(position));
              await append.catch((error) => assert.ok(away(error), String(error)));
              await nextTurn();
            }
          }),
        );
        while (acknowledged.length < (round + 1) * 300) await nextTurn();
        await endWriter();
        await back();
        const before = acknowledged.length;
        while (acknowledged.length < before + 100) await nextTurn();
        isOver = true;
        await writing;
      }
      const all = await readAll(log);
      const positions = all.map((_, index) => index + 1);
      assert.deepEqual(
        all.map(({ position }) => position),
        positions,
      );
      assert.deepEqual(heard, positions);
      const kept = new Set(positions);
      assert.ok(acknowledged.every((position) => kept.has(position)));
      assert.equal(new Set(acknowledged).size, acknowledged.length);
      for (const stream of new Set(all.map((event) => event.stream))) {
        const versions: number[] = [];
        for await (const events of log.readStream(stream))
          versions.push(...events.map(({ version }) => version));
        assert.deepEqual(
          versions,
          versions.map((_, index) => index + 1),
        );
        assert.equal(versions.length, all.filter((event) => event.stream === stream).length);
      }
      await log.close();
      assert.deepEqual(damagedPages(databaseFile(directory), 'full'), []);
      adapter = await SqliteAdapter.open(directory);
      log = await Log.open(adapter, sampleCatalog);
      assert.equal(await log.head(), all.length);
    });
  });
}

it('a service goes on without a restart when its writer ended, and says so', async () => {
  const service = await InProcessService.start({
    SERVICE_KVSTORE_URL: 'embedded',
    SERVICE_DATA_DIR: `${folder}/service`,
    API_RATE_LIMIT: '100000',
  });
  assert.equal((await service.put('/api/settings', { agentMaxSteps: 3 })).status, 200);
  const writer = threads.at(-1);
  assert(writer);
  await writer.terminate();
  for (;;) {
    const { status, text } = await service.put('/api/settings', { agentMaxSteps: 4 });
    if (status === 200) break;
    assert.equal(status, 503, text);
  }
  assert.equal((await service.get('/health/kvstore')).status, 200);
  await service.logs(/KVSTORE_UNAVAILABLE.*failed; trying again/);
  await service.logs(/the key-value store is back/);
  const { events } = (await service.get<{ events: { type: string }[] }>('/api/events')).body;
  assert.deepEqual(
    events.map(({ type }) => type).filter((type) => type.startsWith('system.')),
    ['system.instance.started'],
  );
  await service.stop();
});
