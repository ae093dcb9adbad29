import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { inTransaction } from './database.ts';

/** Behind by more than this, the index catches up inside a commit; before that it waits for a quiet moment. */
const FAR_BEHIND = 4_096;
const MOST_HEADS = 50_000;

/**
 * Finds the events of a stream or a user. It follows the log in large steps: sorted and all at once, the
 * entries of thousands of events touch each page once, where one commit at a time would rewrite a page an
 * event. Versions of streams since the last step are held here; nothing is lost with them, the log has it all.
 */
export class StreamIndex {
  readonly #db: DatabaseSync;
  readonly #versions = new Map<string, number>();
  readonly #findVersion: StatementSync;
  readonly #steps: readonly StatementSync[];
  readonly #moveUntil: StatementSync;
  #until: number;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#findVersion = db.prepare('select version from streams where name = ?');
    const range = 'position > :after and position <= :until';
    this.#steps = [
      `insert into streams (name, version) select stream, max(version) from events where ${range} group by stream
       on conflict (name) do update set version = excluded.version`,
      `insert into stream_events select id, events.version, position from events join streams on name = stream
       where ${range} order by id, events.version`,
      `insert or ignore into users (name) select distinct user_id from events
       where ${range} and user_id is not null`,
      `insert into user_events select id, position from events join users on name = coalesce(user_id, '')
       where ${range} order by id, position`,
    ].map((sql) => db.prepare(sql));
    this.#moveUntil = db.prepare('update indexed set until = ?');
    // The system's events are found like a user's, under the empty name.
    db.exec("insert or ignore into users (name) values ('')");
    this.#until = 0;
    this.reload();
  }

  /** At the start, and after a failed commit, when what is held here may never have happened. */
  reload(): void {
    this.#versions.clear();
    this.#until = Number(this.#db.prepare('select until from indexed').get()?.until);
    const tail = this.#db
      .prepare('select stream, max(version) as version from events where position > ? group by stream')
      .all(this.#until);
    for (const { stream, version } of tail) this.#versions.set(String(stream), Number(version));
  }

  versionOf(stream: string): number {
    let version = this.#versions.get(stream);
    if (version === undefined) {
      version = Number(this.#findVersion.get(stream)?.version ?? 0);
      this.#versions.set(stream, version);
    }
    return version;
  }

  noteVersion(stream: string, version: number): void {
    this.#versions.set(stream, version);
  }

  catchUpWith(head: number): void {
    this.#catchUp(head);
    this.#versions.clear();
  }

  catchUpIfFarBehind(head: number): void {
    if (head - this.#until > FAR_BEHIND) this.#catchUp(head);
  }

  /** In a transaction of its own, when nobody waits. */
  catchUpNow(head: number): void {
    if (head === this.#until) return;
    try {
      inTransaction(this.#db, () => this.#catchUp(head));
    } catch (error) {
      this.reload();
      throw error;
    }
  }

  #catchUp(head: number): void {
    for (const step of this.#steps) step.run({ after: this.#until, until: head });
    this.#moveUntil.run(head);
    this.#until = head;
    if (this.#versions.size > MOST_HEADS) this.#versions.clear();
  }
}
