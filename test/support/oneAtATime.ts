import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const LOCKS = join(import.meta.dirname, '../../node_modules/.cache/hark-tests');
/** Longer than anything takes that is done so, on a machine that has other things to do. */
const LONGEST_WAIT_MS = 300_000;

/** Does it while no other process of this clone does what has the same name: they wait for it. */
export function oneAtATime<Result>(name: string, work: () => Result): Result {
  mkdirSync(LOCKS, { recursive: true });
  // An open transaction is a lock that ends with its process, however that ends.
  const lock = new DatabaseSync(join(LOCKS, `${name}.db`), { timeout: LONGEST_WAIT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return work();
  } finally {
    lock.close();
  }
}
