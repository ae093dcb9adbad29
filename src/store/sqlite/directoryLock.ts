import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HarkError } from '../../errors.ts';

/**
 * One process to a data directory. The lock is the operating system's, taken through SQLite on a file of its
 * own: it ends with the process however that ends, so that no stale lock ever has to be judged.
 */
export class DirectoryLock {
  readonly #db: DatabaseSync;

  constructor(directory: string) {
    const holderFile = join(directory, 'hark.pid');
    this.#db = new DatabaseSync(join(directory, 'hark.lock'));
    try {
      this.#db.exec('pragma busy_timeout = 0; begin exclusive');
    } catch (cause) {
      this.#db.close();
      throw new HarkError('DATA_DIR_IN_USE', {
        message: `Another hark uses this data directory (process ${holderOf(holderFile)})`,
        cause,
      });
    }
    writeFileSync(holderFile, `${process.pid}\n`, { mode: 0o600 });
  }

  release(): void {
    this.#db.close();
  }
}

function holderOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim() || 'unknown';
  } catch {
    return 'unknown';
  }
}
