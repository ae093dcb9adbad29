import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { restore } from '../../src/store/backup.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { InProcessService } from '../support/service.ts';

interface Listed {
  readonly backups: readonly { readonly name: string; readonly at: number; readonly bytes: number }[];
  readonly isPossible: boolean;
  readonly runningSince?: number;
}
interface Made {
  readonly backup: { readonly name: string; readonly bytes: number; readonly events: number };
}

const LEFT = 'hark-2026-01-01T00-00-00-000Z.db.1.part';

describe('backups', () => {
  const data = mkdtempSync(join(tmpdir(), 'hark-backups-'));
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ SERVICE_DATA_DIR: data, SERVICE_KVSTORE_URL: 'embedded' });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(data, { recursive: true });
  });
  const list = async () => (await service.get<Listed>('/api/system/backups')).body;
  const make = () => service.ask<Made>('POST', '/api/system/backups', { body: {} });
  const tick = () => service.ask('POST', '/api/test/clock', { body: { advanceMs: 1_000 } });

  test('are made while the service goes on, and hold what it held', async () => {
    assert.deepEqual(await list(), { backups: [], count: 0, isPossible: true });
    const body = { text: 'I live in Oslo', type: 'explicit' };
    assert.equal((await service.ask('POST', '/api/memory/conclusions', { body })).status, 201);
    const [made, written] = await Promise.all([
      make(),
      service.ask('POST', '/api/memory/conclusions', { body: { ...body, text: 'I have a cat' } }),
    ]);
    assert.deepEqual([made.status, written.status], [201, 201]);
    const { name, events } = made.body.backup;
    const restored = new MemoryAdapter();
    assert.equal((await restore(join(data, 'backups', name), restored)).events, events);
    assert.equal(await restored.head(), events);
    assert.deepEqual(readdirSync(join(data, 'backups')), [name]);
    assert.equal(statSync(join(data, 'backups')).mode & 0o077, 0);
    const { backups, runningSince } = await list();
    assert.deepEqual(
      backups.map((one) => [one.name, one.bytes]),
      [[name, statSync(join(data, 'backups', name)).size]],
    );
    assert.equal(runningSince, undefined);
  });

  test('come one at a time, newest first, and are told of', async () => {
    await tick();
    writeFileSync(join(data, 'backups', LEFT), 'left by a crash');
    const both = await Promise.all([make(), make()]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
    const { backups } = await list();
    assert.equal(backups.length, 2);
    assert.ok((backups[0]?.at ?? 0) > (backups[1]?.at ?? 0));
    assert.deepEqual(readdirSync(join(data, 'backups')).sort(), backups.map(({ name }) => name).sort());
    const told = await service.get<{ events: unknown[] }>('/api/events?type=system.backup.made');
    assert.equal(told.body.events.length, 2);
  });

  test('are removed by their name, and nothing else is', async () => {
    const [newest] = (await list()).backups;
    assert.ok(newest);
    const remove = (name: string) => service.ask('DELETE', `/api/system/backups/${name}`);
    for (const name of ['..%2Fhark.db', 'hark.db', 'hark-2026-11-23T12-00-00-000Z.db'])
      assert.equal((await remove(name)).status, 404, name);
    assert.equal((await remove(newest.name)).status, 200);
    assert.equal((await list()).backups.length, 1);
    assert.equal((await remove(newest.name)).status, 404);
    assert.equal((await service.get('/api/health')).status, 200);
  });

  test('leave no part behind: of a process that was killed, and of one that is stopped meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hark-backups-'));
    const environment = { SERVICE_DATA_DIR: folder, SERVICE_KVSTORE_URL: 'embedded' };
    mkdirSync(join(folder, 'backups'), { mode: 0o700 });
    writeFileSync(join(folder, 'backups', LEFT), 'left by a crash');
    const stopped = await InProcessService.start(environment);
    while (existsSync(join(folder, 'backups', LEFT))) await setImmediate();
    const whole = stopped.ask('POST', '/api/system/backups', { body: {} }).catch(() => undefined);
    while (readdirSync(join(folder, 'backups')).length === 0) await setImmediate();
    await stopped.stop();
    await whole;
    assert.deepEqual(
      readdirSync(join(folder, 'backups')).filter((name) => !name.endsWith('.db')),
      [],
    );
    rmSync(folder, { recursive: true });
  });

  test('are not made of a log that ends with the process, and that is said', async () => {
    const inMemory = await InProcessService.start({});
    try {
      const { body } = await inMemory.get<Listed>('/api/system/backups');
      assert.equal(body.isPossible, false);
      assert.equal((await inMemory.ask('POST', '/api/system/backups', { body: {} })).status, 409);
    } finally {
      await inMemory.stop();
    }
  });
});
