import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KeyUse } from '../adapter.ts';
import type { Position } from '../port.ts';
import { keyId } from '../sealing.ts';

/** The table of keys. Destroying one overwrites it in place first, so that no free page keeps a copy. */
export class SubjectKeys {
  readonly #find: StatementSync;
  readonly #keep: StatementSync;
  readonly #overwrite: StatementSync;
  readonly #overwriteAll: StatementSync;
  readonly #remove: StatementSync;
  readonly #removeAll: StatementSync;
  readonly #findForget: StatementSync;
  readonly #noteForget: StatementSync;

  constructor(db: DatabaseSync) {
    this.#find = db.prepare('select key from subject_keys where user_id = ? and subject = ?');
    this.#keep = db.prepare('insert or ignore into subject_keys values (?, ?, ?)');
    const blank = 'update subject_keys set key = zeroblob(length(key)) where user_id = ?';
    this.#overwrite = db.prepare(`${blank} and subject = ?`);
    this.#overwriteAll = db.prepare(blank);
    const remove = 'delete from subject_keys where user_id = ?';
    this.#remove = db.prepare(`${remove} and subject = ?`);
    this.#removeAll = db.prepare(remove);
    this.#findForget = db.prepare('select position from forgets where user_id = ?');
    this.#noteForget = db.prepare('insert or replace into forgets values (?, ?)');
  }

  /** Sealed with a key that is not, or no longer, the subject's. */
  isStale(userId: string, { subject, bytes, madeAfter }: KeyUse): boolean {
    const kept = this.#find.get(userId, subject)?.key;
    if (!(kept instanceof Uint8Array)) return madeAfter !== this.forgotAt(userId);
    return keyId(kept) !== keyId(bytes);
  }

  keep(userId: string, { subject, bytes, madeAfter }: KeyUse): void {
    if (madeAfter !== null) this.#keep.run(userId, subject, bytes);
  }

  /** Position of the user's newest forget, or of anybody's under the empty name. */
  forgotAt(userId: string): Position {
    return Number(this.#findForget.get(userId)?.position ?? 0);
  }

  noteForget(userId: string, position: Position): void {
    for (const owner of [userId, '']) this.#noteForget.run(owner, position);
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
