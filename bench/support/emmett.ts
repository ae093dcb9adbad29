import { DatabaseSync } from 'node:sqlite';
import { importPeer } from '../ensurePeers.ts';

/** What is used of `@event-driven-io/emmett-sqlite`. */
interface EmmettSqlite {
  sqliteConnection(options: { fileName: string }): { close(): void };
  SQLiteConnectionPool(options: { fileName: string; connectionOptions: object }): object;
  getSQLiteEventStore(options: object): {
    appendToStream(stream: string, events: readonly object[], options?: object): Promise<unknown>;
  };
}

export interface EmmettLog {
  append(stream: string, data: unknown): Promise<unknown>;
  close(): void;
}

/**
 * Emmett's store on one kept connection. It switches its file to WAL without waiting for that, so the file is
 * put in WAL mode beforehand.
 */
export async function emmettSqlite(fileName: string): Promise<EmmettLog> {
  const peer = await importPeer<EmmettSqlite>('@event-driven-io/emmett-sqlite');
  const file = new DatabaseSync(fileName);
  file.exec('pragma journal_mode = wal');
  file.close();
  const connection = peer.sqliteConnection({ fileName });
  const pool = peer.SQLiteConnectionPool({ fileName, connectionOptions: { singleton: true, connection } });
  const store = peer.getSQLiteEventStore({ fileName, pool, schema: { autoMigration: 'CreateOrUpdate' } });
  await store.appendToStream('warm-up', [{ type: 'warmedUp', data: {} }]);
  return {
    append: (stream, data) =>
      store.appendToStream(stream, [{ type: 'toolCallCompleted', data }], {
        expectedStreamVersion: 'STREAM_DOES_NOT_EXIST',
      }),
    close: () => connection.close(),
  };
}
