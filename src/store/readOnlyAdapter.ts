import type {
  BesideLog,
  FoundCommand,
  FoundKeys,
  KeptKey,
  RawEvent,
  RawRange,
  RawSnapshot,
  StoreAdapter,
} from './adapter.ts';
import type { Cursor, Position, SnapshotKey, StoreStatus, StreamRange } from './port.ts';

/**
 * A log that is only looked at, beside the service that writes it. Nothing that is done through it leaves a
 * trace in the log: what would write is refused, as a fault of the caller.
 */
export abstract class ReadOnlyAdapter implements StoreAdapter {
  abstract findCommand(commandId: string): Promise<FoundCommand | undefined>;
  abstract readStream(stream: string, range: StreamRange & { limit: number }): Promise<RawEvent[]>;
  abstract readAll(range: RawRange): Promise<RawEvent[]>;
  abstract head(): Promise<Position>;
  abstract readKeys(userId: string, subjects: readonly string[]): Promise<FoundKeys>;
  abstract readMeta(): Promise<Record<string, string>>;
  abstract loadSnapshot(key: SnapshotKey): Promise<RawSnapshot | undefined>;
  abstract readCursor(name: string): Promise<Cursor>;
  abstract exportBeside(): Promise<BesideLog>;
  abstract exportKeys(): Promise<readonly KeptKey[]>;
  abstract status(): Promise<StoreStatus>;
  abstract close(): Promise<void>;

  /** A look ends before the log moves on: it reads up to the head that it found. */
  onHeadMoved(): void {}
  onReplaced(): void {}
  async reconnect(): Promise<void> {}
  /** Whoever opens a log declares the shapes it writes. Who writes none has none to declare. */
  async writeMeta(): Promise<void> {}

  append = refuse;
  saveSnapshot = refuse;
  moveCursor = refuse;
  acquireLease = refuse;
  releaseLease = refuse;
  takeTokens = refuse;
  importEvents = refuse;
  importBeside = refuse;
}

async function refuse(): Promise<never> {
  throw new TypeError('This log was opened for reading only');
}
