import { existsSync } from 'node:fs';
import { HarkError } from '../../errors.ts';
import type {
  BesideLog,
  FoundCommand,
  FoundKeys,
  KeptKey,
  RawEvent,
  RawRange,
  RawSnapshot,
} from '../adapter.ts';
import type { Cursor, Position, SnapshotKey, StoreStatus, StreamRange } from '../port.ts';
import { ReadOnlyAdapter } from '../readOnlyAdapter.ts';
import { databaseFile, isAtRest } from './database.ts';
import { SqliteReader } from './reader.ts';

/**
 * Reads a data directory that another process may own, and leaves it as it is: no lock of the directory, no
 * migration, no checkpoint, and no file of its own beside a log at rest.
 */
export class SqliteReadOnlyAdapter extends ReadOnlyAdapter {
  readonly #file: string;
  #reader: SqliteReader;
  #openedAtRest: boolean;

  constructor(directory: string) {
    super();
    this.#file = databaseFile(directory);
    if (!existsSync(this.#file))
      throw new HarkError('NOT_FOUND', { message: 'The data directory holds no log' });
    this.#openedAtRest = isAtRest(this.#file);
    this.#reader = new SqliteReader(this.#file);
  }

  /** A log that was at rest is read without a look at what changes; once a service writes it, that must end. */
  get #current(): SqliteReader {
    if (this.#openedAtRest && !isAtRest(this.#file)) {
      this.#reader.close();
      this.#reader = new SqliteReader(this.#file);
      this.#openedAtRest = false;
    }
    return this.#reader;
  }

  async findCommand(commandId: string): Promise<FoundCommand | undefined> {
    return this.#current.findCommand(commandId);
  }
  async readStream(stream: string, range: StreamRange & { limit: number }): Promise<RawEvent[]> {
    return this.#current.readStream(stream, range);
  }
  async readAll(range: RawRange): Promise<RawEvent[]> {
    return this.#current.readAll(range);
  }
  async head(): Promise<Position> {
    return this.#current.head();
  }
  async readKeys(userId: string, subjects: readonly string[]): Promise<FoundKeys> {
    return this.#current.readKeys(userId, subjects);
  }
  async readMeta(): Promise<Record<string, string>> {
    return this.#current.readMeta();
  }
  async loadSnapshot(key: SnapshotKey): Promise<RawSnapshot | undefined> {
    return this.#current.loadSnapshot(key);
  }
  async readCursor(name: string): Promise<Cursor> {
    return this.#current.readCursor(name);
  }
  async exportBeside(): Promise<BesideLog> {
    return this.#current.exportBeside();
  }
  async exportKeys(): Promise<readonly KeptKey[]> {
    return this.#current.exportKeys();
  }
  async status(): Promise<StoreStatus> {
    return { connected: true, url: 'embedded', version: process.versions.sqlite ?? '' };
  }
  async close(): Promise<void> {
    this.#reader.close();
  }
}
