import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { HarkError } from '../../errors.ts';
import { makeOwnFolder } from '../../ownFolder.ts';
import { hasNoRoom, unusable } from './unusable.ts';

const ASK_AGAIN_MS = 10;
const LONGEST_WAIT_MS = 5_000;
/** SQLite's own numbers. */
const BUSY = 5;
const FULL = 13;

/**
 * One process at a time. The lock is the operating system's, taken through SQLite on an empty file: it ends with
 * the process however that ends, so that no stale lock ever has to be judged.
 */
export async function withProcessLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const lock = await acquire(file);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

async function acquire(file: string): Promise<DatabaseSync> {
  await createForOwner(file);
  const givenUpAt = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const db = new DatabaseSync(file);
    try {
      db.exec('pragma busy_timeout = 0; begin exclusive');
      return db;
    } catch (cause) {
      db.close();
      if (sqliteCode(cause) === FULL) throw new HarkError('STORAGE_FULL', { cause });
      if (sqliteCode(cause) !== BUSY) throw unusable('credentials.lock cannot be used; move it aside', cause);
      if (performance.now() > givenUpAt)
        throw unusable('Another process holds credentials.lock; try again when it is done', cause);
      await wait(ASK_AGAIN_MS);
    }
  }
}

/** Without what SQLite says more exactly in its higher bits. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

async function createForOwner(file: string): Promise<void> {
  try {
    makeOwnFolder(dirname(file));
    await (await open(file, 'a', 0o600)).close();
  } catch (cause) {
    if (hasNoRoom(cause)) throw new HarkError('STORAGE_FULL', { cause });
    throw unusable(
      'The data directory cannot be written to; make it writable for the user who runs hark',
      cause,
    );
  }
}
