import type { HarkError } from '../errors.ts';
import type { NewEvent } from '../events/definition.ts';
import type { StoredEvent } from './storedEvent.ts';

/** Place of an event in the whole log: gap-free from 1, and opaque to everything outside the store. */
export type Position = number;

/** What a stream must look like for an append to go through: a version, or one of three conditions. */
export type Expected = number | 'new' | 'exists' | 'any';

export interface Append {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly expected: Expected;
  readonly at: number;
  readonly userId: string | null;
  readonly correlationId: string;
  readonly causationId: string | null;
  /** Given by callers that may ask twice (sagas, idempotent requests): the second time appends nothing. */
  readonly commandId?: string;
  /**
   * It was decided on what was known when up to this position had been delivered. Where one of the subjects of its
   * personal text was forgotten since it is a conflict, and by then the forgetting has been delivered here: whoever
   * decides again knows of it.
   */
  readonly heard?: Position;
  /** Its personal text goes on from what is in the log under the same subjects: one that is not there is a conflict too. */
  readonly continues?: boolean;
}

export interface Appended {
  /** Position of the last event of this append. */
  readonly position: Position;
  /** Version of the stream after it. */
  readonly version: number;
  /** The command id had been seen before: nothing was appended, and these are the figures of the first time. */
  readonly repeated: boolean;
}

/** Some events in order, and how far the log has been looked through to find them. */
export interface EventBatch {
  readonly events: readonly StoredEvent[];
  readonly position: Position;
}

export interface StreamRange {
  readonly fromVersion?: number;
  readonly afterPosition?: Position;
  readonly untilPosition?: Position;
  /** No more than these are read before any is handed out: for a caller that needs only a few. */
  readonly firstPage?: number;
}

export interface LogRange {
  readonly after: Position;
  readonly until?: Position;
  /** Only this user's events and the system's: chosen by key, not filtered from everybody's. */
  readonly userId?: string;
  /** Only what these types need is decoded and handed out. */
  readonly types?: ReadonlySet<string>;
}

export interface SnapshotKey {
  /** The user whose state this is, `null` for the system's. A forget of the owner drops it. */
  readonly owner: string | null;
  readonly name: string;
}

export interface Snapshot {
  readonly version: number;
  readonly position: Position;
  readonly state: unknown;
}

export interface OwnedKey extends SnapshotKey {
  readonly owner: string;
}

export interface SavedBytes extends Snapshot {
  readonly state: Uint8Array<ArrayBuffer>;
}

export interface Cursor {
  readonly position: Position;
  /** Changes with every move: a move must show the one it read. */
  readonly token: number;
}

/** Held by one process at a time; the fence grows with every new holder. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly fence: number;
  readonly expiresAt: number;
}

export interface Bucket {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly retryAfterMs: number;
}

export interface StoreStatus {
  readonly connected: boolean;
  readonly url: string;
  /** The number alone, of what keeps the log: empty where that has none. */
  readonly version: string;
  readonly error?: string;
  /** How often the store was lost since it was opened, by those that can tell. */
  readonly losses?: number;
  readonly refusals?: Refusals;
}

/** Appends that the store could not take although it was there: for want of room, or because it is damaged. */
export interface Refusals {
  readonly count: number;
  /** Why the last of them was refused, until an append goes through again. */
  readonly last: HarkError | undefined;
}

export interface StoredVector {
  readonly id: string;
  readonly vector: Float32Array;
}

export interface NearVector {
  readonly id: string;
  /** The cosine, from -1 to 1. */
  readonly similarity: number;
}

/**
 * Vectors of users, beside the log, in a store that can search them itself. A forget takes those of its subjects along,
 * in the same transaction. All can be drawn from the log again.
 */
export interface Vectors {
  /** Why they cannot be searched now; undefined where they can. */
  readonly absence: string | undefined;
  /** Up to where a user's part of the log has been taken in. */
  takenIn(userId: string): Promise<Position>;
  noteTakenIn(userId: string, position: Position): Promise<void>;
  /** Vectors of one length. Those whose subject was forgotten are left out. */
  keep(
    of: { readonly userId: string; readonly subject: string; readonly model: string },
    vectors: readonly StoredVector[],
  ): Promise<void>;
  /** Among those of the same model and length, in any order. */
  nearest(
    userId: string,
    query: { readonly model: string; readonly vector: Float32Array; readonly limit: number },
  ): Promise<readonly NearVector[]>;
  /** Of all users. */
  count(): Promise<{ readonly vectors: number; readonly bytes: number }>;
}

export interface EventWriter {
  /**
   * Resolves when the events would survive this process being killed. Where the stream is not as expected it is a
   * conflict, and by then what others appended has been delivered here. Whoever expected a version is then next to
   * append to the stream, before other processes: it decides again, or says that it will not.
   */
  append(append: Append): Promise<Appended>;
  /** For whoever had a conflict and appends nothing after all: the others need not wait. */
  leaveTurn(stream: string): Promise<void>;
}

export interface EventReader {
  /** What an append with this command id gave, when there was one. */
  findCommand(commandId: string): Promise<Appended | undefined>;
  readStream(stream: string, range?: StreamRange): AsyncIterable<readonly StoredEvent[]>;
  readAll(range: LogRange): AsyncIterable<EventBatch>;
  /** Catches up from `after`, then goes on as events are appended, until aborted. In order, none left out. */
  follow(range: LogRange, signal: AbortSignal): AsyncIterable<EventBatch>;
  /** Position of the newest event. */
  head(): Promise<Position>;
}

/** What this process has been told of the log. */
export interface Deliveries {
  /** Everything up to here has been delivered in this process. */
  readonly delivered: Position;
  /** Called with each run of events in order as soon as they are durable; the way to be told without polling. */
  onAppended(listener: (events: readonly StoredEvent[]) => void): () => void;
  /** Called after another log took the place of this one (a Redis that lost its data): start over from it. */
  onReplaced(listener: () => void): () => void;
}

/** What can be drawn from the log again, sealed under its owner's key. */
export interface Snapshots {
  /**
   * Written down before this returns; or, with `isUnchanged`, bit by bit as long as that says that the state is still
   * the same: false when it was not, and nothing is kept.
   */
  saveSnapshot(key: SnapshotKey, snapshot: Snapshot, isUnchanged?: () => boolean): Promise<boolean>;
  loadSnapshot(key: SnapshotKey, version: number): Promise<Snapshot | undefined>;
  /** The same of bytes, for what would be too large as one: whoever keeps them can tell which belong together. */
  saveBytes(key: OwnedKey, snapshot: SavedBytes): Promise<boolean>;
  loadBytes(key: OwnedKey, version: number): Promise<SavedBytes | undefined>;
}

/** How far each that follows the log has come. */
export interface Cursors {
  readCursor(name: string): Promise<Cursor>;
  /** Undefined when somebody else moved it since it was read. */
  moveCursor(name: string, from: Cursor, to: Position): Promise<Cursor | undefined>;
}

/** Who of several processes does what only one may do. */
export interface Leases {
  acquireLease(name: string, holder: string, ttlMs: number): Promise<Lease | undefined>;
  releaseLease(lease: Lease): Promise<void>;
}

export interface Limits {
  /** Takes tokens from a bucket that every process on this store shares; with none, tells how many are left. */
  takeTokens(bucket: string, capacity: number, perMs: number, tokens: number): Promise<Bucket>;
}

export interface StoreConnection {
  /** Whether it is known to be out of reach now. */
  readonly isAway: boolean;
  status(): Promise<StoreStatus>;
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

export interface EventLog extends EventWriter, EventReader, Deliveries {}

/**
 * The log and what is kept beside it, for whoever opens and closes it: all others ask for the roles that they use.
 * Three adapters stand behind it; all pass one contract suite.
 */
export interface Store extends EventLog, Snapshots, Cursors, Leases, Limits, StoreConnection {
  /** Undefined in a store that does not search. */
  readonly vectors: Vectors | undefined;
}
