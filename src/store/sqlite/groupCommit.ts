import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AppendResult, KeyUse, RawAppend, RawEvent } from '../adapter.ts';
import { isExpected } from '../expected.ts';
import { inTransaction } from './database.ts';
import type { Purge } from './purge.ts';
import { insertEvent, prepareInsert } from './rows.ts';
import type { StreamIndex } from './streamIndex.ts';
import { SubjectKeys } from './subjectKeys.ts';

/**
 * Many appends, one transaction, one fsync. Each append is judged by itself: one that is refused leaves the
 * others of its group untouched. Only a failure of the commit itself fails them all.
 */
export class GroupCommit {
  readonly #db: DatabaseSync;
  readonly #index: StreamIndex;
  readonly #purge: Purge;
  readonly #keys: SubjectKeys;
  readonly #insertEvent: StatementSync;
  readonly #findCommand: StatementSync;
  readonly #insertCommand: StatementSync;
  readonly #dropSnapshots: StatementSync;
  #head: number;

  constructor(db: DatabaseSync, index: StreamIndex, purge: Purge) {
    this.#db = db;
    this.#index = index;
    this.#purge = purge;
    this.#keys = new SubjectKeys(db);
    this.#insertEvent = prepareInsert(db);
    this.#findCommand = db.prepare('select position, version from commands where id = ?');
    this.#insertCommand = db.prepare('insert into commands values (?, ?, ?, ?)');
    // The system's snapshots may have been drawn from anybody's events.
    this.#dropSnapshots = db.prepare("delete from snapshots where owner in (?, '')");
    this.#head = headOf(db);
  }

  run(appends: readonly RawAppend[]): AppendResult[] {
    try {
      const results = inTransaction(this.#db, () => {
        const results = appends.map((append) => this.#append(append));
        this.#index.catchUpIfFarBehind(this.#head);
        return results;
      });
      if (appends.some(({ forgets }) => forgets.length > 0)) this.#purge.run();
      return results;
    } catch (error) {
      this.reload();
      throw error;
    }
  }

  get head(): number {
    return this.#head;
  }

  /** After a failure: what was held here may no longer be what the database says. */
  reload(): void {
    this.#head = headOf(this.#db);
    this.#index.reload();
  }

  /** Events of another log, which bring their places with them. */
  import(events: readonly RawEvent[]): void {
    for (const event of events) {
      const head = this.#index.findOrAdd(event.stream);
      insertEvent(this.#insertEvent, event, head.id, this.#index.ownerId(event.userId));
      head.version = event.version;
      this.#head = event.position;
    }
    this.#index.catchUpIfFarBehind(this.#head);
  }

  #append(append: RawAppend): AppendResult {
    const { stream, commandId, userId } = append;
    const repeated = commandId === null ? undefined : this.#findCommand.get(commandId);
    if (repeated)
      return {
        kind: 'repeated',
        position: Number(repeated.position),
        version: Number(repeated.version),
      };
    const version = this.#index.find(stream)?.version ?? 0;
    if (!isExpected(append.expected, version)) return { kind: 'conflict', version };
    const stale = userId === null ? undefined : append.keys.find((key) => this.#keys.isStale(userId, key));
    if (stale) return { kind: 'stale-key', subject: stale.subject };
    return this.#write(append);
  }

  #write({ stream, userId, commandId, at, keys, forgets, events }: RawAppend): AppendResult {
    const first = this.#head + 1;
    const head = this.#index.findOrAdd(stream);
    const ownerId = this.#index.ownerId(userId);
    if (userId !== null) this.#changeKeys(userId, keys, forgets, this.#head + events.length);
    for (const event of events) {
      const placed = { ...event, position: ++this.#head, stream, version: ++head.version };
      insertEvent(this.#insertEvent, placed, head.id, ownerId);
    }
    if (commandId !== null) this.#insertCommand.run(commandId, this.#head, head.version, at);
    return { kind: 'appended', first, version: head.version };
  }

  #changeKeys(userId: string, keys: readonly KeyUse[], forgets: readonly string[], position: number): void {
    for (const key of keys) this.#keys.keep(userId, key);
    if (forgets.length === 0) return;
    for (const subject of forgets) this.#keys.destroy(userId, subject);
    this.#keys.noteForget(userId, position);
    this.#dropSnapshots.run(userId);
  }
}

function headOf(db: DatabaseSync): number {
  return Number(db.prepare('select max(position) as head from events').get()?.head ?? 0);
}
