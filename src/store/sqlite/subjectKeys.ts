import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KeyUse } from '../adapter.ts';
import { keyId } from '../sealing.ts';

/** The table of keys. Destroying one overwrites it in place first, so that no free page keeps a copy. */
export class SubjectKeys {
  readonly #find: StatementSync;
  readonly #keep: StatementSync;
  readonly #overwrite: StatementSync;
  readonly #overwriteAll: StatementSync;
  readonly #remove: StatementSync;
  readonly #removeAll: StatementSync;

  constructor(db: DatabaseSync) {
    this.#find = db.prepare('select key from subject_keys where user_id = ? and subject = ?');
    this.#keep = db.prepare('insert or ignore into subject_keys values (?, ?, ?)');
    const blank = 'update subject_keys set key = zeroblob(length(key)) where user_id = ?';
    this.#overwrite = db.prepare(`${blank} and subject = ?`);
    this.#overwriteAll = db.prepare(blank);
    const remove = 'delete from subject_keys where user_id = ?';
    this.#remove = db.prepare(`${remove} and subject = ?`);
    this.#removeAll = db.prepare(remove);
  }

  /** Sealed with a key that is not, or no longer, the subject's. */
  isStale(userId: string, { subject, bytes, create }: KeyUse): boolean {
    const kept = this.#find.get(userId, subject)?.key;
    if (!(kept instanceof Uint8Array)) return !create;
    return keyId(kept) !== keyId(bytes);
  }

  keep(userId: string, { subject, bytes, create }: KeyUse): void {
    if (create) this.#keep.run(userId, subject, bytes);
  }

  destroy(userId: string, subject: string): void {
    if (subject === '*') {
      this.#overwriteAll.run(userId);
      this.#removeAll.run(userId);
    } else {
      this.#overwrite.run(userId, subject);
      this.#remove.run(userId, subject);
    }
  }
}
