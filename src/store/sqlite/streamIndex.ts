import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { inTransaction } from './database.ts';

/** Behind by more than this, the index catches up inside a commit; before that it waits for a quiet moment. */
const FAR_BEHIND = 2_048;
const MOST_HELD = 50_000;

interface StreamHead {
  readonly id: number;
  version: number;
}

/**
 * Finds the events of a stream or an owner. It follows the log in large steps: sorted and all at once, the
 * entries of thousands of events touch each page once, where one commit at a time would rewrite a page an
 * event. Versions of streams since the last step are held here; nothing is lost with them, the log has it all.
 */
export class StreamIndex {
  readonly #db: DatabaseSync;
  readonly #heads = new Map<string, StreamHead>();
  readonly #owners = new Map<string, number>();
  readonly #statements: ReturnType<typeof prepare>;
  #until = 0;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#statements = prepare(db);
    this.reload();
  }

  /** At the start, and after a failed commit, when what is held here may never have happened. */
  reload(): void {
    this.#heads.clear();
    this.#owners.clear();
    this.#until = Number(this.#db.prepare('select until from indexed').get()?.until);
    for (const { stream, id, version } of this.#statements.tail.all(this.#until))
      this.#heads.set(String(stream), { id: Number(id), version: Number(version) });
  }

  get until(): number {
    return this.#until;
  }

  find(stream: string): StreamHead | undefined {
    const held = this.#heads.get(stream);
    if (held) return held;
    const id = this.#statements.findStream.get(stream)?.id;
    if (id === undefined) return undefined;
    const head = { id: Number(id), version: Number(this.#statements.version.get(id)?.version ?? 0) };
    this.#heads.set(stream, head);
    return head;
  }

  /** For an event that is being written, which will move the version on. */
  findOrAdd(stream: string): StreamHead {
    const found = this.find(stream);
    if (found) return found;
    const head = { id: Number(this.#statements.addStream.run(stream).lastInsertRowid), version: 0 };
    this.#heads.set(stream, head);
    return head;
  }

  ownerId(userId: string | null): number {
    const name = userId ?? '';
    let id = this.#owners.get(name);
    if (id === undefined) {
      const found = this.#statements.findOwner.get(name)?.id;
      id = Number(found ?? this.#statements.addOwner.run(name).lastInsertRowid);
      this.#owners.set(name, id);
    }
    return id;
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
    const range = { after: this.#until, until: head };
    this.#statements.indexStreams.run(range);
    this.#statements.indexOwners.run(range);
    this.#statements.moveUntil.run(head);
    this.#until = head;
    if (this.#heads.size > MOST_HELD) this.#heads.clear();
    if (this.#owners.size > MOST_HELD) this.#owners.clear();
  }
}

function prepare(db: DatabaseSync) {
  const sql = (text: string): StatementSync => db.prepare(text);
  const range = 'from events where position > :after and position <= :until';
  return {
    tail: sql(`select stream, stream_id as id, max(version) as version from events
      where position > ? group by stream_id`),
    findStream: sql('select id from streams where name = ?'),
    addStream: sql('insert into streams (name) values (?)'),
    version: sql('select max(version) as version from stream_events where stream_id = ?'),
    findOwner: sql('select id from owners where name = ?'),
    addOwner: sql('insert into owners (name) values (?)'),
    indexStreams: sql(`insert into stream_events select stream_id, version, position ${range} order by 1, 2`),
    indexOwners: sql(`insert into owner_events select owner_id, position ${range} order by 1, 2`),
    moveUntil: sql('update indexed set until = ?'),
  };
}
