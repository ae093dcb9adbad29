import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type {
  BesideLog,
  FoundCommand,
  FoundKeys,
  KeptKey,
  RawEvent,
  RawRange,
  RawSnapshot,
} from '../adapter.ts';
import type { Cursor, Position, SnapshotKey, StreamRange } from '../port.ts';
import { guarded, openForReading } from './database.ts';
import { EVENT_COLUMNS, toRawEvent } from './rows.ts';

/** Reads a hark log through a connection of its own: in this process, or beside the service that writes it. */
export class SqliteReader {
  readonly #db: DatabaseSync;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(file: string) {
    this.#db = openForReading(file);
    this.#statements = prepare(this.#db);
  }

  head(): Position {
    return Number(this.#statements.head.get()?.head ?? 0);
  }

  findCommand(commandId: string): FoundCommand | undefined {
    const row = this.#statements.command.get(commandId);
    return row && { position: Number(row.position), version: Number(row.version) };
  }

  readStream(stream: string, range: StreamRange & { limit: number }, mayBeUnindexed = true): RawEvent[] {
    const { afterPosition: after = 0, untilPosition: until = Number.MAX_SAFE_INTEGER, limit } = range;
    const beyond = after > 0 ? this.#indexedUntil(stream, after) : 0;
    const fromVersion = Math.max(range.fromVersion ?? 1, beyond + 1);
    const query = mayBeUnindexed ? this.#statements.stream : this.#statements.indexedStream;
    return query.all({ stream, fromVersion, after, until, limit });
  }

  /** The newest version that the index knows to be not after this position; it is by version, so it is halved. */
  #indexedUntil(stream: string, position: Position): number {
    let least = 0;
    let most = Number(this.#statements.indexedVersion.get(stream)?.version ?? 0);
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (Number(this.#statements.positionOf.get(stream, middle)?.position) <= position) least = middle;
      else most = middle - 1;
    }
    return least;
  }

  readAll({ after, until, limit, userId }: RawRange): RawEvent[] {
    if (userId === undefined) return this.#statements.all.all({ after, until, limit });
    return this.#statements.user.all({ after, until, limit, userId });
  }

  readKeys(userId: string, subjects: readonly string[]): FoundKeys {
    const rows = this.#statements.keys.all(userId, JSON.stringify(subjects), userId);
    return {
      bytes: rows.map(({ bytes }) => (bytes instanceof Uint8Array ? bytes : undefined)),
      forgotAt: Number(rows[0]?.forgotAt ?? 0),
    };
  }

  readMeta(): Record<string, string> {
    return Object.fromEntries(this.#statements.meta.all().map((row) => [row.name, String(row.value)]));
  }

  loadSnapshot({ owner, name }: SnapshotKey): RawSnapshot | undefined {
    const row = this.#statements.snapshot.get(owner ?? '', name);
    return (
      row && {
        version: Number(row.version),
        position: Number(row.position),
        state: row.state as Uint8Array,
      }
    );
  }

  readCursor(name: string): Cursor {
    const row = this.#statements.cursor.get(name);
    return { position: Number(row?.position ?? 0), token: Number(row?.token ?? 0) };
  }

  exportBeside(): BesideLog {
    const cursors = new Query(this.#db, 'select name, position from cursors').all();
    const commands = new Query(this.#db, 'select id, position, version, at from commands').all();
    return {
      meta: this.readMeta(),
      cursors: cursors.map((row) => ({ name: String(row.name), position: Number(row.position) })),
      commands: commands.map((row) => ({
        id: String(row.id),
        position: Number(row.position),
        version: Number(row.version),
        at: Number(row.at),
      })),
    };
  }

  exportKeys(): KeptKey[] {
    const rows = new Query(this.#db, 'select user_id, subject, key from subject_keys').all();
    return rows.map((row) => ({
      userId: String(row.user_id),
      subject: String(row.subject),
      bytes: row.key as Uint8Array,
    }));
  }

  close(): void {
    this.#db.close();
  }
}

function prepare(db: DatabaseSync) {
  const sql = (text: string) => new Query(db, text);
  const events = (where: string) =>
    new EventQuery(db, `select ${EVENT_COLUMNS} from events where ${where} order by position limit :limit`);
  const columns = EVENT_COLUMNS.replaceAll(/\w+/g, 'events.$&');
  // What the index has not caught up with yet is found by looking through the end of the log.
  const unindexed = 'position > (select until from indexed)';
  const streamId = '(select id from streams where name = :stream)';
  const isIndexed = `stream_events.stream_id = ${streamId} and stream_events.version >= :fromVersion
    and stream_events.position > :after and stream_events.position <= :until order by stream_events.version limit :limit`;
  const ownerId = (name: string) => `(select id from owners where name = ${name})`;
  const owned = (name: string) =>
    `select position from owner_events where owner_id = ${ownerId(name)}
       and position > :after and position <= :until order by position limit :limit`;
  return {
    head: sql('select max(position) as head from events'),
    all: events('position > :after and position <= :until'),
    user: events(`position in (
      select * from (${owned(':userId')}) union all select * from (${owned("''")})
      union all select position from events where ${unindexed} and position > :after and position <= :until
        and owner_id in (${ownerId(':userId')}, ${ownerId("''")}))`),
    stream: events(`position in (
      select * from (select position from stream_events where ${isIndexed}) union all select position from events
        where ${unindexed} and stream_id = ${streamId} and version >= :fromVersion
          and position > :after and position <= :until)`),
    // One after the other, as they lie in the index: of one event, which most reads want, that is a sixth quicker.
    indexedStream: new EventQuery(
      db,
      `select ${columns} from stream_events cross join events on events.position = stream_events.position
         where ${isIndexed}`,
    ),
    indexedVersion: sql(`select max(version) as version from stream_events
      where stream_id = (select id from streams where name = ?)`),
    positionOf: sql(`select position from stream_events
      where stream_id = (select id from streams where name = ?) and version = ?`),
    command: sql('select position, version from commands where id = ?'),
    keys: sql(`select (select position from forgets where user_id = ?) as forgotAt, kept.key as bytes
      from json_each(?) as asked left join subject_keys as kept on kept.user_id = ? and kept.subject = asked.value
      order by asked.key`),
    meta: sql('select name, value from meta'),
    snapshot: sql('select version, position, state from snapshots where owner = ? and name = ?'),
    cursor: sql('select position, token from cursors where name = ?'),
  };
}

type Row = Record<string, SQLOutputValue>;

/** A damaged page shows only when it is read. */
class Query {
  readonly #statement: StatementSync;

  constructor(db: DatabaseSync, text: string) {
    this.#statement = db.prepare(text);
  }

  get(...values: SQLInputValue[]): Row | undefined {
    return guarded(() => this.#statement.get(...values));
  }
  all(...values: SQLInputValue[]): Row[] {
    return guarded(() => this.#statement.all(...values));
  }
}

class EventQuery {
  readonly #statement: StatementSync;

  constructor(db: DatabaseSync, text: string) {
    this.#statement = db.prepare(text);
    this.#statement.setReturnArrays(true);
  }

  all(named: Record<string, string | number>): RawEvent[] {
    // The types of node:sqlite do not know that setReturnArrays turns rows into arrays.
    const rows = guarded(() => this.#statement.all(named)) as unknown as Parameters<typeof toRawEvent>[0][];
    return rows.map(toRawEvent);
  }
}
