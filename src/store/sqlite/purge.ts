import type { DatabaseSync } from 'node:sqlite';

/** Long enough for a read of a page of events to end, and no longer: all appends wait meanwhile. */
const TIMEOUT_MS = 200;
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Empties the write-ahead log, where destroyed keys and dropped snapshots would live on. Only a reader that
 * holds an older state open can be in the way; then the purge stays due, to be tried again until that is gone.
 */
export class Purge {
  readonly #db: DatabaseSync;
  #due = false;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  get due(): boolean {
    return this.#due;
  }

  /** Never throws: what it cleans up after is durable, and must not be reported as failed. */
  run(): void {
    // A reader that was in the way a moment ago is not waited for again.
    const timeout = this.#due ? 0 : TIMEOUT_MS;
    this.#due = true;
    try {
      this.#db.exec(`pragma busy_timeout = ${timeout}`);
      const outcome = this.#db.prepare('pragma wal_checkpoint(truncate)').get();
      this.#due = outcome?.busy !== 0;
    } catch {
      // Most likely a full disk: the next try is not far.
    } finally {
      this.#db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }
}
