import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
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
import { AppendQueue } from '../appendQueue.ts';
import type { Bucket, Cursor, Lease, Position, SnapshotKey, StoreStatus, StreamRange } from '../port.ts';
import { appendTogether } from './appending.ts';
import { DiskPurge } from './diskPurge.ts';
import { exportBeside, exportKeys, importBeside, importEvents } from './exporting.ts';
import { inspectServer } from './inspection.ts';
import * as keys from './keys.ts';
import { type LinkOptions, RedisLink } from './link.ts';
import { LogIdentity } from './logIdentity.ts';
import * as reading from './reading.ts';
import { asBuffer, type Entry, packSnapshot, toRawEvent } from './rows.ts';
import { RedisVectors } from './vectors.ts';

/** A group holds Redis up for all others: this many appends take it about a millisecond. */
const MOST_IN_A_GROUP = 256;

export interface RedisOptions extends LinkOptions {
  /** So long an append that forgets waits until Redis has written its files anew. */
  readonly purgeTimeoutMs?: number;
}

/** The log in one Redis, shared with every other hark that uses it. As durable as its `appendfsync` says. */
export class RedisAdapter implements StoreAdapter {
  readonly #name = randomUUID();
  readonly #url: string;
  readonly #identity = new LogIdentity();
  readonly vectors = new RedisVectors(
    { read: (work) => this.#read(work), write: (work) => this.#write(work) },
    () => this.#identity.logId,
  );
  readonly #headListeners: ((head: Position) => void)[] = [];
  readonly #replacedListeners: (() => Promise<void>)[] = [];
  #version = '';
  #wired: { readonly link: RedisLink; readonly queue: AppendQueue; readonly purge: DiskPurge } | undefined;

  private constructor(url: string) {
    this.#url = withoutPassword(url);
  }

  /** Refuses a Redis that is away, too old or not set up for a log. After that it comes back by itself. */
  static async open(url: string, options: RedisOptions = {}): Promise<RedisAdapter> {
    const adapter = new RedisAdapter(url);
    const listeners = {
      admit: (redis: Redis) => adapter.#admit(redis),
      admitted: () => adapter.#admitted(),
      published: (message: string) => adapter.#hear(message),
    };
    const link = await RedisLink.open(url, listeners, options);
    const sender = () => ({ logId: adapter.#identity.logId, name: adapter.#name });
    const queue = new AppendQueue(
      (appends) => link.write((redis) => appendTogether(redis, sender(), appends)),
      MOST_IN_A_GROUP,
    );
    const purge = new DiskPurge(link, options.purgeTimeoutMs);
    adapter.#wired = { link, queue, purge };
    void purge.makeUp().catch(() => undefined);
    return adapter;
  }

  async append(append: RawAppend): Promise<AppendResult> {
    const result = await this.#parts.queue.append(append);
    if (result.kind !== 'appended') return result;
    this.#identity.noteAppended(append, result.first, result.version);
    if (append.forgets.length > 0) {
      // Who holds what is forgotten learns of it now, not when the files are done.
      this.#tellHead(this.#identity.head);
      await this.#parts.purge.runInTime();
    }
    return result;
  }

  async leaveTurn(stream: string): Promise<void> {
    await this.#call('hark_leave_turn', [keys.TURNS, keys.streamKey(stream)], [this.#name]);
  }

  findCommand(commandId: string): Promise<FoundCommand | undefined> {
    return this.#read((redis) => reading.findCommand(redis, commandId));
  }
  readStream(stream: string, range: StreamRange & { limit: number }): Promise<RawEvent[]> {
    return this.#readEvents((redis) => reading.readStream(redis, stream, range));
  }
  readAll(range: RawRange): Promise<RawEvent[]> {
    return this.#readEvents((redis) => reading.readAll(redis, range));
  }
  async head(): Promise<Position> {
    const head = await this.#read(reading.readHead);
    this.#identity.noteHead(head);
    return head;
  }
  onHeadMoved(listener: (head: Position) => void): void {
    this.#headListeners.push(listener);
  }
  onReplaced(listener: () => Promise<void>): void {
    this.#replacedListeners.push(listener);
  }

  readKeys(userId: string, subjects: readonly string[]): Promise<FoundKeys> {
    return this.#read((redis) => reading.readKeys(redis, userId, subjects));
  }
  readMeta(): Promise<Record<string, string>> {
    return this.#read(reading.readMeta);
  }
  async writeMeta(entries: Record<string, string>): Promise<void> {
    await this.#write((redis) => redis.hset(keys.META, entries));
  }

  async saveSnapshot(
    { owner, name }: SnapshotKey,
    snapshot: RawSnapshot,
    sealedWith: KeyUse | null,
  ): Promise<boolean> {
    const named = [keys.snapshotsKey(owner), keys.subjectKeysKey(owner ?? ''), keys.FORGETS];
    const args: (string | Buffer)[] = [owner ?? '', name, String(snapshot.position), packSnapshot(snapshot)];
    if (sealedWith) {
      const { subject, bytes, madeAfter } = sealedWith;
      args.push(subject, asBuffer(bytes), madeAfter === null ? '' : String(madeAfter));
    }
    return (await this.#call('hark_save_snapshot', named, args)) === 1;
  }
  loadSnapshot(key: SnapshotKey): Promise<RawSnapshot | undefined> {
    return this.#read((redis) => reading.loadSnapshot(redis, key));
  }

  readCursor(name: string): Promise<Cursor> {
    return this.#read((redis) => reading.readCursor(redis, name));
  }
  async moveCursor(name: string, from: Cursor, to: Position): Promise<Cursor | undefined> {
    const token = await this.#call('hark_move_cursor', [keys.CURSORS], [name, from.token, to]);
    return typeof token === 'number' ? { position: to, token } : undefined;
  }
  async acquireLease(name: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    const taken = await this.#call('hark_acquire_lease', [keys.LEASES], [name, holder, ttlMs]);
    if (!Array.isArray(taken)) return undefined;
    const [fence, expiresAt] = taken.map(Number);
    return { name, holder, fence: fence ?? 0, expiresAt: expiresAt ?? 0 };
  }
  async releaseLease({ name, holder, fence }: Lease): Promise<void> {
    await this.#call('hark_release_lease', [keys.LEASES], [name, holder, fence]);
  }
  async takeTokens(bucket: string, capacity: number, perMs: number, tokens: number): Promise<Bucket> {
    const taken = await this.#call('hark_take_tokens', [keys.bucketKey(bucket)], [capacity, perMs, tokens]);
    const [allowed, remaining = 0, retryAfterMs = 0] = Array.isArray(taken) ? taken.map(Number) : [];
    return { allowed: allowed === 1, remaining, retryAfterMs };
  }

  exportBeside(): Promise<BesideLog> {
    return this.#read(exportBeside);
  }
  exportKeys(): Promise<readonly KeptKey[]> {
    return this.#read(exportKeys);
  }
  importEvents(events: readonly RawEvent[]): Promise<void> {
    return this.#write((redis) => importEvents(redis, events));
  }
  async importBeside(beside: BesideLog, kept: readonly KeptKey[]): Promise<void> {
    await this.#write((redis) => importBeside(redis, beside, kept));
    if (beside.meta.logId) this.#identity.adopt(beside.meta.logId);
  }

  get isAway(): boolean {
    return this.#parts.link.failure !== undefined;
  }

  async status(): Promise<StoreStatus> {
    const { failure } = this.#parts.link;
    const status = { connected: !failure, url: this.#url, version: this.#version };
    return failure ? { ...status, error: failure.message } : status;
  }
  reconnect(): Promise<void> {
    return this.#parts.link.reconnect();
  }
  async close(): Promise<void> {
    this.#parts.link.close();
  }

  get #parts() {
    if (!this.#wired) throw new Error('Redis is used before it is open');
    return this.#wired;
  }

  #read<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result> {
    return this.#parts.link.read(work);
  }
  #write<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result> {
    return this.#parts.link.write(work);
  }
  #call(
    name: string,
    named: readonly string[],
    args: readonly (string | number | Buffer)[],
  ): Promise<unknown> {
    return this.#write((redis) => redis.fcall(name, named.length, ...named, ...args));
  }

  async #readEvents(work: (redis: Redis) => Promise<Entry[]>): Promise<RawEvent[]> {
    const entries = await this.#read(work);
    const last = entries.at(-1);
    if (last) this.#identity.noteEntry(last);
    return entries.map(toRawEvent);
  }

  async #admit(redis: Redis): Promise<void> {
    this.#version = await inspectServer(redis);
    await this.#identity.look(redis);
    await this.vectors.look(redis);
  }

  async #admitted(): Promise<void> {
    if (this.#identity.isReplaced) {
      for (const listener of this.#replacedListeners) await listener();
      this.#identity.acceptReplaced();
    }
    this.#tellHead(this.#identity.head);
    void this.#wired?.purge.makeUp().catch(() => undefined);
  }

  #hear(message: string): void {
    const [head, name] = message.split(' ');
    if (name !== this.#name && Number.isSafeInteger(Number(head))) this.#tellHead(Number(head));
  }

  #tellHead(head: Position): void {
    for (const listener of this.#headListeners) listener(head);
  }
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  return shown.href;
}
