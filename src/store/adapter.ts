import type { KeyBytes, RawEvent, UnplacedEvent } from './rawEvent.ts';

export type { KeyBytes, RawEvent, UnplacedEvent } from './rawEvent.ts';

import type {
  Bucket,
  Cursor,
  Expected,
  Lease,
  Position,
  SnapshotKey,
  StoreStatus,
  StreamRange,
  Vectors,
} from './port.ts';

/**
 * The key that an append was sealed with. One that the store may not have yet is kept in the same transaction,
 * unless the user forgot something since it was made: else a key that was destroyed meanwhile would come back.
 */
export interface KeyUse {
  readonly subject: string;
  readonly bytes: KeyBytes;
  /** Position of the user's newest forget when this new key was made; `null` for a key that the store had. */
  readonly madeAfter: Position | null;
}

/** How all stood at one moment. */
export interface FoundKeys {
  /** In the order in which they were asked for. */
  readonly bytes: readonly (KeyBytes | undefined)[];
  /** Position of the user's newest forget, 0 when there was none. */
  readonly forgotAt: Position;
}

export interface RawAppend {
  readonly stream: string;
  readonly expected: Expected;
  readonly commandId: string | null;
  readonly userId: string | null;
  readonly at: number;
  readonly events: readonly UnplacedEvent[];
  readonly keys: readonly KeyUse[];
  /** Subjects of `userId` whose keys are destroyed in the same transaction; `*` for all of them. */
  readonly forgets: readonly string[];
}

/**
 * Every answer but an outright failure. `stale-key`: the subject was forgotten, or got its key elsewhere. `others-turn`:
 * the version is right, and another process that lost an append to this stream is to go first.
 */
export type AppendResult =
  | { readonly kind: 'appended'; readonly first: Position; readonly version: number }
  | { readonly kind: 'repeated'; readonly position: Position; readonly version: number }
  | { readonly kind: 'conflict'; readonly version: number }
  | { readonly kind: 'stale-key'; readonly subject: string }
  | { readonly kind: 'others-turn' };

export interface FoundCommand {
  readonly position: Position;
  readonly version: number;
}

export interface RawRange {
  readonly after: Position;
  readonly until: Position;
  readonly limit: number;
  readonly userId?: string;
}

export interface RawSnapshot {
  readonly version: number;
  readonly position: Position;
  readonly state: Uint8Array;
}

export interface KeptKey {
  readonly userId: string;
  readonly subject: string;
  readonly bytes: KeyBytes;
}

/** What is kept beside the events and cannot be built from them again. */
export interface BesideLog {
  readonly meta: Readonly<Record<string, string>>;
  readonly cursors: readonly { readonly name: string; readonly position: Position }[];
  readonly commands: readonly {
    readonly id: string;
    readonly position: Position;
    readonly version: number;
    readonly at: number;
  }[];
}

/**
 * What a place that keeps a log has to offer. Adapters know bytes, order and atomicity, and nothing of what
 * events mean. A failure to reach the place is a `KVSTORE_UNAVAILABLE`, and then nothing was appended as far
 * as can be known.
 */
export interface StoreAdapter {
  append(append: RawAppend): Promise<AppendResult>;
  /** Of a place in which processes that lose an append are next: this one does not try again. */
  leaveTurn?(stream: string): Promise<void>;
  /** What the command with this id gave, when it went through within the time that command ids are kept. */
  findCommand(commandId: string): Promise<FoundCommand | undefined>;
  readStream(stream: string, range: StreamRange & { limit: number }): Promise<RawEvent[]>;
  /** Up to `limit` events in order of position; fewer only when there are no more up to `until`. */
  readAll(range: RawRange): Promise<RawEvent[]>;
  head(): Promise<Position>;
  /** Tells of events that are durable but were appended elsewhere, or that a lost connection hid. */
  onHeadMoved(listener: (head: Position) => void): void;
  /** Tells that another log stands at the same address: the one before is lost. Called again if it fails. */
  onReplaced(listener: () => Promise<void>): void;

  /** Of one user, all at once: a memory has thousands, and to ask for each takes longer than to find it. */
  readKeys(userId: string, subjects: readonly string[]): Promise<FoundKeys>;
  readMeta(): Promise<Record<string, string>>;
  writeMeta(entries: Record<string, string>): Promise<void>;

  /**
   * Kept only when the key that sealed it stands (or is kept) in the same transaction, and when nothing was
   * forgotten in it since its position. Tells whether it was kept.
   */
  saveSnapshot(key: SnapshotKey, snapshot: RawSnapshot, sealedWith: KeyUse | null): Promise<boolean>;
  loadSnapshot(key: SnapshotKey): Promise<RawSnapshot | undefined>;
  readCursor(name: string): Promise<Cursor>;
  moveCursor(name: string, from: Cursor, to: Position): Promise<Cursor | undefined>;
  acquireLease(name: string, holder: string, ttlMs: number): Promise<Lease | undefined>;
  releaseLease(lease: Lease): Promise<void>;
  takeTokens(bucket: string, capacity: number, perMs: number, tokens: number): Promise<Bucket>;
  readonly vectors?: Vectors;

  /** Of a place that can go away: whether it is known to be. */
  readonly isAway?: boolean;
  status(): Promise<StoreStatus>;
  /** Tries at once to reach a place that is away; throws `KVSTORE_UNAVAILABLE` when it stays away. */
  reconnect(): Promise<void>;
  /** What lies beside the events. Keys are to be read last: a key forgotten meanwhile must not be copied. */
  exportBeside(): Promise<BesideLog>;
  exportKeys(): Promise<readonly KeptKey[]>;
  /** Fills an empty log; positions and versions are kept. Anything but an empty log is refused. */
  importEvents(events: readonly RawEvent[]): Promise<void>;
  importBeside(beside: BesideLog, keys: readonly KeptKey[]): Promise<void>;
  close(): Promise<void>;
}
