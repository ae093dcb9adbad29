import { chmodSync } from 'node:fs';
import { makeOwnFolder } from '../../ownFolder.ts';
import type {
  AppendResult,
  BesideLog,
  FoundCommand,
  FoundKeys,
  KeptKey,
  KeyUse,
  RawAppend,
  RawEvent,
  RawRange,
  RawSnapshot,
  StoreAdapter,
} from '../adapter.ts';
import { Buckets } from '../buckets.ts';
import type { Bucket, Cursor, Lease, Position, SnapshotKey, StoreStatus, StreamRange } from '../port.ts';
import { databaseFile, whyUnusable } from './database.ts';
import { DirectoryLock } from './directoryLock.ts';
import { LastingWriter } from './lastingWriter.ts';
import { SqliteReader } from './reader.ts';

/** The log in one file of the data directory: one writer in a worker thread, readers that never wait for it. */
export class SqliteAdapter implements StoreAdapter {
  readonly #lock: DirectoryLock;
  readonly #writer: LastingWriter;
  readonly #reader: SqliteReader;
  /** Streams with events that the index may not have caught up with, and the newest of these. */
  readonly #unindexed = new Map<string, Position>();
  #unindexedSince: Position = 0;
  readonly #buckets = new Buckets(Date.now);

  readonly #headListeners: ((head: Position) => void)[] = [];

  private constructor(lock: DirectoryLock, writer: LastingWriter, reader: SqliteReader) {
    this.#lock = lock;
    this.#writer = writer;
    this.#reader = reader;
    writer.onReturn(() => {
      for (const listener of this.#headListeners) listener(reader.head());
    });
  }

  static async open(directory: string): Promise<SqliteAdapter> {
    let lock: DirectoryLock | undefined;
    let writer: LastingWriter | undefined;
    try {
      makeOwnFolder(directory);
      lock = new DirectoryLock(directory);
      const file = databaseFile(directory);
      writer = await LastingWriter.open(file);
      chmodSync(file, 0o600);
      return new SqliteAdapter(lock, writer, new SqliteReader(file));
    } catch (error) {
      await writer?.close().catch(() => undefined);
      lock?.release();
      throw whyUnusable(error) ?? error;
    }
  }

  async append(append: RawAppend): Promise<AppendResult> {
    const result = await this.#writer.append(append);
    if (result.kind === 'appended')
      this.#noteUnindexed(append.stream, result.first + append.events.length - 1);
    return result;
  }
  async findCommand(commandId: string): Promise<FoundCommand | undefined> {
    return this.#reader.findCommand(commandId);
  }
  async readStream(stream: string, range: StreamRange & { limit: number }): Promise<RawEvent[]> {
    return this.#reader.readStream(stream, range, this.#unindexed.has(stream));
  }
  async readAll(range: RawRange): Promise<RawEvent[]> {
    return this.#reader.readAll(range);
  }
  async head(): Promise<Position> {
    return this.#reader.head();
  }
  /** This process alone appends, and knows what it appended, but for what a writer did not live to answer. */
  onHeadMoved(listener: (head: Position) => void): void {
    this.#headListeners.push(listener);
  }
  onReplaced(): void {}

  async readKeys(userId: string, subjects: readonly string[]): Promise<FoundKeys> {
    return this.#reader.readKeys(userId, subjects);
  }
  async readMeta(): Promise<Record<string, string>> {
    return this.#reader.readMeta();
  }
  writeMeta(entries: Record<string, string>): Promise<void> {
    return this.#writer.call('writeMeta', entries);
  }

  saveSnapshot(key: SnapshotKey, snapshot: RawSnapshot, sealedWith: KeyUse | null): Promise<boolean> {
    return this.#writer.call('saveSnapshot', key, snapshot, sealedWith);
  }
  async loadSnapshot(key: SnapshotKey): Promise<RawSnapshot | undefined> {
    return this.#reader.loadSnapshot(key);
  }
  async readCursor(name: string): Promise<Cursor> {
    return this.#reader.readCursor(name);
  }
  moveCursor(name: string, from: Cursor, to: Position): Promise<Cursor | undefined> {
    return this.#writer.call('moveCursor', name, from, to);
  }
  acquireLease(name: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    return this.#writer.call('acquireLease', name, holder, ttlMs);
  }
  releaseLease(lease: Lease): Promise<void> {
    return this.#writer.call('releaseLease', lease);
  }
  async takeTokens(bucket: string, capacity: number, perMs: number, tokens: number): Promise<Bucket> {
    return this.#buckets.take(bucket, capacity, perMs, tokens);
  }

  async exportBeside(): Promise<BesideLog> {
    return this.#reader.exportBeside();
  }
  async exportKeys(): Promise<readonly KeptKey[]> {
    return this.#reader.exportKeys();
  }
  async importEvents(events: readonly RawEvent[]): Promise<void> {
    await this.#writer.call('importEvents', events);
    for (const { stream, position } of events) this.#noteUnindexed(stream, position);
  }
  importBeside(beside: BesideLog, keys: readonly KeptKey[]): Promise<void> {
    return this.#writer.call('importBeside', beside, keys);
  }

  async status(): Promise<StoreStatus> {
    const { failure, losses } = this.#writer;
    const status = {
      connected: !failure,
      url: 'embedded',
      version: process.versions.sqlite ?? '',
      losses,
    };
    return failure ? { ...status, error: failure.message } : status;
  }
  reconnect(): Promise<void> {
    return this.#writer.reopen();
  }
  async close(): Promise<void> {
    this.#reader.close();
    try {
      await this.#writer.close();
    } finally {
      this.#lock.release();
    }
  }

  #noteUnindexed(stream: string, position: Position): void {
    const { indexedUntil } = this.#writer;
    if (indexedUntil > this.#unindexedSince) {
      for (const [name, newest] of this.#unindexed) if (newest <= indexedUntil) this.#unindexed.delete(name);
      this.#unindexedSince = indexedUntil;
    }
    this.#unindexed.set(stream, position);
  }
}
