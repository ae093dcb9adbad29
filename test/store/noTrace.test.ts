import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'vitest';
import type { StoreAdapter } from '../../src/store/adapter.ts';
import { Log } from '../../src/store/log.ts';
import { RedisAdapter } from '../../src/store/redis/adapter.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { texts } from './contract.ts';
import { forget, note, sampleCatalog } from './sampleEvents.ts';

const SECRET = 'unmistakable words that nobody else would write';

/** Writes, takes snapshots, forgets: gives the bytes that must be nowhere, and those that prove the search. */
async function writeAndForget(adapter: StoreAdapter): Promise<{ gone: Buffer[]; kept: Buffer }> {
  const log = await Log.open(adapter, sampleCatalog);
  for (let n = 0; n < 50; n++) await log.append(note('ann', `n${n}`, `${SECRET} ${n}`));
  await log.append(note('ann', 'kept', 'something to keep'));
  const snapshot = { version: 1, position: 51, state: { texts: await texts(log) } };
  await log.saveSnapshot({ owner: 'ann', name: 'state' }, snapshot);
  await log.saveSnapshot({ owner: null, name: 'state' }, snapshot);
  const bytes = { version: 1, position: 51, state: new Uint8Array(100_000).fill(7) };
  assert.ok(await log.saveBytes({ owner: 'ann', name: 'bytes' }, bytes));
  const sealedBytes = await adapter.loadSnapshot({ owner: 'ann', name: 'bytes' });
  assert.ok(sealedBytes);
  const sealed = await adapter.loadSnapshot({ owner: 'ann', name: 'state' });
  assert.ok(sealed);
  const keys = await adapter.exportKeys();
  const [kept] = keys.filter(({ subject }) => subject === 'kept');
  const destroyed = keys.filter(({ subject }) => /^n\d/.test(subject));
  assert.equal(destroyed.length, 50);
  // All at once, so that they share the work that each of them would have done alone.
  await Promise.all(destroyed.map(({ subject }) => log.append(forget('ann', subject))));
  assert.deepEqual((await texts(log)).at(-1), 'something to keep');
  assert.ok(kept);
  return {
    gone: [
      Buffer.from(SECRET),
      Buffer.from(sealed.state).subarray(-40),
      Buffer.from(sealedBytes.state).subarray(50_000, 50_040),
      Buffer.from(sealedBytes.state).subarray(-40),
      // A key's id stays in front of what it sealed; the key itself follows the id.
      ...destroyed.map(({ bytes }) => Buffer.from(bytes).subarray(8)),
    ],
    kept: Buffer.from(kept.bytes).subarray(8),
  };
}

function filesUnder(directory: string): { name: string; bytes: Buffer }[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, bytes: readFileSync(join(entry.parentPath, entry.name)) }));
}

function assertGone(places: readonly { name: string; bytes: Buffer }[], gone: readonly Buffer[]): void {
  for (const { name, bytes } of places)
    for (const trace of gone) assert.ok(!bytes.includes(trace), `${trace.toString('latin1')} in ${name}`);
}

describe('what is forgotten', () => {
  it('is in no byte of the data directory, while the store is open', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hark-trace-'));
    const adapter = await SqliteAdapter.open(directory);
    const { gone, kept } = await writeAndForget(adapter);
    const files = filesUnder(directory);
    assert.ok(files.some(({ bytes }) => bytes.includes(kept)));
    assertGone(files, gone);
    await adapter.close();
    rmSync(directory, { recursive: true });
  });

  it('is in no key of Redis and in none of its files', { ...skippedFor(redisIsMissing) }, async () => {
    const server = await RedisServer.start({ appendonly: 'yes', save: '3600 1' });
    const plain = server.client();
    const adapter = await RedisAdapter.open(server.url);
    const { gone, kept } = await writeAndForget(adapter);
    const names = await plain.keys('*');
    const dumps = await Promise.all(
      names.map(async (name) => ({ name, bytes: (await plain.dumpBuffer(name)) ?? Buffer.alloc(0) })),
    );
    assert.ok(dumps.some(({ bytes }) => bytes.includes(kept)));
    assertGone(dumps, gone);
    assert.equal(await plain.exists('{hark}:unpurged'), 0);
    // Redis deletes the files that it replaced in its own time.
    while (readdirSync(join(server.directory, 'appendonlydir')).length > 3) await nextTurn();
    const files = filesUnder(server.directory);
    assert.ok(files.some(({ name, bytes }) => name === 'dump.rdb' && bytes.includes(kept)));
    assert.ok(files.some(({ name, bytes }) => name.includes('.base.') && bytes.includes(kept)));
    assertGone(files, gone);
    await adapter.close();
    plain.disconnect();
    await server.stop();
  });

  it('goes from the files later, when Redis went away before they were written anew', {
    ...skippedFor(redisIsMissing),
  }, async () => {
    const server = await RedisServer.start({ appendonly: 'yes', appendfsync: 'always' });
    const plain = server.client();
    const first = await RedisAdapter.open(server.url);
    const { gone } = await writeAndForget(first);
    await first.close();
    // As it stands when a process is killed between the forget and the end of the rewriting.
    await plain.incr('{hark}:unpurged');
    const second = await RedisAdapter.open(server.url);
    while (await plain.exists('{hark}:unpurged')) await nextTurn();
    assertGone(
      filesUnder(server.directory).filter(({ name }) => name.includes('.base.')),
      gone,
    );
    await second.close();
    plain.disconnect();
    await server.stop();
  });
});
