import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SettableClock } from '../../src/clock.ts';
import { IndexThread } from '../../src/projections/memory/index/indexThread.ts';
import { MemoryIndex } from '../../src/projections/memory/index/memoryIndex.ts';
import { Log } from '../../src/store/log.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { AT, sampleCatalog } from '../store/sampleEvents.ts';
import { documentOf, find, indexOf } from './savedIndexes.ts';

const SAVER = fileURLToPath(new URL('./indexSaver.ts', import.meta.url));
/** What it is killed at: while the piece after the one that it tells of is written, or what comes after the last one. */
const MOMENTS = [
  ['piece 0'],
  ['kept', 'piece 1'],
  ['piece 2'],
  ['kept', 'piece 3'],
  ['piece 1'],
  ['kept', 'piece 4'],
];

it('an index that is kept is whole or none, however its process was killed', async (test) => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-index-'));
  let restored = 0;
  try {
    for (const words of MOMENTS) {
      const saver = startSaver(directory);
      for (const word of words) await saver.says(word);
      await saver.kill();
      if ((await readAfter(directory)) > 0) restored++;
    }
    const saver = startSaver(directory, 'once');
    await saver.says('kept');
    await saver.kill();
    expect(await readAfter(directory)).toBeGreaterThan(0);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  await test.annotate(`${MOMENTS.length} kills, after ${restored} of which there was an index`);
});

function startSaver(...how: string[]) {
  const saver = spawn(process.execPath, [SAVER, ...how], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: saver.stdout })[Symbol.asyncIterator]();
  return {
    async says(word: string) {
      for (;;) {
        const { value, done } = await lines.next();
        assert.ok(!done, `It ended before it said ${word}`);
        if (value === word) return;
      }
    },
    async kill() {
      const ended = once(saver, 'exit');
      saver.kill('SIGKILL');
      await ended;
    },
  };
}

/** From where on the log was read again, after it was shown that nothing is found otherwise than from all of it. */
async function readAfter(directory: string): Promise<number> {
  const log = await Log.open(await SqliteAdapter.open(directory), sampleCatalog);
  const thread = new IndexThread();
  const clock = new SettableClock(AT);
  let from = 0;
  const kept = indexOf(log, thread, clock, {
    onRead: (after) => {
      from = after;
    },
  });
  await find(kept, 'fox');
  // Without what is kept.
  const fresh = new MemoryIndex(thread, {
    clock: clock.read,
    wake: clock.wake,
    async *documents(userId) {
      for await (const { events } of log.readAll({ after: 0, userId })) yield events.flatMap(documentOf);
    },
  });
  for (const query of ['fox', 'the number 7', 'a fox and the number 1999'])
    assert.deepEqual(await find(kept, query), await find(fresh, query), query);
  for (const index of [kept, fresh]) index.stop();
  await thread.close();
  await log.close();
  return from;
}
