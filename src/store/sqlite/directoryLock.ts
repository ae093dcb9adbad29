import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HarkError } from '../../errors.ts';
import { createForOwner } from './schema.ts';

const SQLITE_BUSY = 5;

/**
 * One process to a data directory. The lock is the operating system's, taken through SQLite on a file of its
 * own: it ends with the process however that ends, so that no stale lock ever has to be judged.
 */
export class DirectoryLock {
  readonly #db: DatabaseSync;

  constructor(directory: string) {
    const holderFile = join(directory, 'hark.pid');
    const lockFile = join(directory, 'hark.lock');
    createForOwner(lockFile);
    this.#db = new DatabaseSync(lockFile);
    try {
      this.#db.exec('pragma busy_timeout = 0; begin exclusive');
      writeFileSync(holderFile, `${process.pid}\n`, { mode: 0o600 });
    } catch (cause) {
      this.#db.close();
      throw refusal(cause, holderFile);
    }
  }

  release(): void {
    this.#db.close();
  }
}

function refusal(cause: unknown, holderFile: string): unknown {
  if (!(cause instanceof Error) || !('errcode' in cause) || cause.errcode !== SQLITE_BUSY) return cause;
  return new HarkError('DATA_DIR_IN_USE', {
    message: `Another hark uses this data directory (process ${holderOf(holderFile)})`,
    cause,
  });
}

/**
 * The process that uses a data directory, `unknown` when it left no name, `undefined` when none does. It looks
 * for the instant of one read lock, and takes nothing.
 */
export function directoryHolder(directory: string): string | undefined {
  const file = join(directory, 'hark.lock');
  if (!existsSync(file)) return undefined;
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    db.exec('pragma busy_timeout = 0; select count(*) from sqlite_schema');
    return undefined;
  } catch (error) {
    if (error instanceof Error && /locked/.test(error.message)) return holderOf(join(directory, 'hark.pid'));
    throw error;
  } finally {
    db.close();
  }
}

function holderOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim() || 'unknown';
  } catch {
    return 'unknown';
  }
}
