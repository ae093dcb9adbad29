import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'vitest';
import { type ErrorCode, isHarkError } from '../../src/errors.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { openAdapter, openReadOnly } from '../../src/store/open.ts';
import {
  databaseFile,
  openForReading,
  openForWriting,
  whyUnusable,
} from '../../src/store/sqlite/database.ts';
import { NEWEST_LAYOUT } from '../../src/store/sqlite/schema.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { appendOf, count, noted, sampleCatalog } from './sampleEvents.ts';

const refused = (code: ErrorCode) => (error: unknown) => isHarkError(error, code);

describe('the place of the log', () => {
  const folder = temporaryFolder('open');

  it('is where the URL says: nowhere, in this process, or in a file', async () => {
    await assert.rejects(openAdapter('none', folder), refused('KVSTORE_UNAVAILABLE'));
    assert.ok((await openAdapter('memory', folder)) instanceof MemoryAdapter);
    const adapter = await openAdapter('embedded', folder);
    await (await Log.open(adapter, sampleCatalog)).append(count('a', 1));
    await adapter.close();
    assert.ok(existsSync(databaseFile(folder)));
  });

  it('is seen beside the service only where it outlives the process', async () => {
    for (const url of ['none', 'memory'])
      await assert.rejects(openReadOnly(url, folder), refused('KVSTORE_UNAVAILABLE'));
    const adapter = await openReadOnly('embedded', folder);
    assert.equal(await adapter.head(), 1);
    await adapter.close();
  });

  it('is not read where it is older than this hark until that has brought it up to date', () => {
    const file = join(folder, 'older.db');
    openForWriting(file).close();
    const db = new DatabaseSync(file);
    db.exec(`pragma journal_mode = delete; pragma user_version = ${NEWEST_LAYOUT - 1}`);
    db.close();
    assert.throws(() => openForReading(file), refused('NOT_READY'));
  });

  it('cannot be used for a reason that says what to do', () => {
    const failed = (given: object) => Object.assign(new Error('failed'), given);
    for (const full of [{ code: 'ENOSPC', syscall: 'write' }, { errcode: 13 }, { errcode: 4_874 }])
      assert.ok(isHarkError(whyUnusable(failed(full)), 'STORAGE_FULL'));
    const forbidden = whyUnusable(failed({ code: 'EACCES', syscall: 'open' }));
    assert.ok(isHarkError(forbidden, 'DATA_DIR_UNUSABLE'));
    assert.match(forbidden.message, /EACCES.*may write to/);
    for (const other of [failed({ errcode: 5 }), failed({}), 'no error'])
      assert.equal(whyUnusable(other), undefined);
  });
});

describe('an append', () => {
  it('is refused where personal text is nobody’s, its type is unknown, or it forgets what it says', async () => {
    const log = await Log.open(new MemoryAdapter(), sampleCatalog);
    const note = { type: noted.type, data: { note: 'n', text: 'a text', words: 2 } };
    await assert.rejects(log.append(appendOf('notes', { events: [note] })), /without a user/);
    const unknown = { type: 'sample.unknown', data: {} };
    await assert.rejects(log.append(appendOf('notes', { events: [unknown] })), refused('LOG_NEWER'));
    const forgets = { type: 'sample.note.forgotten', data: { notes: ['n'] } };
    await assert.rejects(
      log.append(appendOf('notes', { userId: 'ann', events: [forgets, note] })),
      TypeError,
    );
    assert.equal(await log.head(), 0);
  });
});
