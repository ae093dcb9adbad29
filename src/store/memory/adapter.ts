import type { Clock } from '../../clock.ts';
import type {
  AppendResult,
  BesideLog,
  FoundCommand,
  FoundKeys,
  KeptKey,
  KeyBytes,
  KeyUse,
  RawAppend,
  RawEvent,
  RawRange,
  RawSnapshot,
  StoreAdapter,
} from '../adapter.ts';
import { Buckets } from '../buckets.ts';
import { isExpected } from '../expected.ts';
import { refuseOutOfOrder } from '../importOrder.ts';
import type { Bucket, Cursor, Lease, Position, SnapshotKey, StoreStatus, StreamRange } from '../port.ts';
import { keyId } from '../sealing.ts';

/** The log in this process and nowhere else: everything works, nothing outlives it. */
export class MemoryAdapter implements StoreAdapter {
  readonly #events: RawEvent[] = [];
  readonly #streams = new Map<string, RawEvent[]>();
  readonly #users = new Map<string, RawEvent[]>();
  readonly #commands = new Map<string, { position: Position; version: number; at: number }>();
  readonly #keys = new Map<string, Map<string, KeyBytes>>();
  /** Where each user's newest forget stands; under the empty name anybody's. */
  readonly #forgotAt = new Map<string, Position>();
  readonly #meta = new Map<string, string>();
  readonly #snapshots = new Map<string, Map<string, RawSnapshot>>();
  readonly #cursors = new Map<string, Cursor>();
  readonly #leases = new Map<string, Lease>();
  readonly #buckets = new Buckets(Date.now);
  readonly #clock: Clock;

  constructor(clock: Clock = Date.now) {
    this.#clock = clock;
  }

  async append(append: RawAppend): Promise<AppendResult> {
    const { stream, userId, commandId, at, keys, forgets, events } = append;
    const repeated = commandId === null ? undefined : this.#commands.get(commandId);
    if (repeated) return { kind: 'repeated', position: repeated.position, version: repeated.version };
    const version = this.#streams.get(stream)?.length ?? 0;
    if (!isExpected(append.expected, version)) return { kind: 'conflict', version };
    const stale = userId === null ? undefined : keys.find((key) => this.#isStale(userId, key));
    if (stale) return { kind: 'stale-key', subject: stale.subject };

    if (userId !== null) this.#changeKeys(userId, keys, forgets, this.#events.length + events.length);
    const first = this.#events.length + 1;
    events.forEach((event, index) => {
      this.#add({ ...event, stream, position: first + index, version: version + index + 1 });
    });
    const newVersion = version + events.length;
    if (commandId !== null)
      this.#commands.set(commandId, { position: this.#events.length, version: newVersion, at });
    return { kind: 'appended', first, version: newVersion };
  }

  async findCommand(commandId: string): Promise<FoundCommand | undefined> {
    return this.#commands.get(commandId);
  }

  async readStream(stream: string, range: StreamRange & { limit: number }): Promise<RawEvent[]> {
    const { fromVersion = 1, afterPosition = 0, untilPosition = Number.POSITIVE_INFINITY, limit } = range;
    const events = this.#streams.get(stream) ?? [];
    const before = Math.max(fromVersion - 1, countUntil(events, afterPosition));
    return events.slice(before, before + limit).filter(({ position }) => position <= untilPosition);
  }

  async readAll({ after, until, limit, userId }: RawRange): Promise<RawEvent[]> {
    if (userId === undefined) return this.#events.slice(after, Math.min(until, after + limit));
    const inRange = ({ position }: RawEvent) => position > after && position <= until;
    const own = this.#users.get(userId)?.filter(inRange) ?? [];
    const ofSystem = this.#users.get('')?.filter(inRange) ?? [];
    return [...own, ...ofSystem].sort((a, b) => a.position - b.position).slice(0, limit);
  }

  async head(): Promise<Position> {
    return this.#events.length;
  }
  onHeadMoved(): void {}
  onReplaced(): void {}

  async readKeys(userId: string, subjects: readonly string[]): Promise<FoundKeys> {
    const kept = this.#keys.get(userId);
    return {
      bytes: subjects.map((subject) => kept?.get(subject)),
      forgotAt: this.#forgotAt.get(userId) ?? 0,
    };
  }
  async readMeta(): Promise<Record<string, string>> {
    return Object.fromEntries(this.#meta);
  }
  async writeMeta(entries: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(entries)) this.#meta.set(name, value);
  }

  async saveSnapshot(
    { owner, name }: SnapshotKey,
    snapshot: RawSnapshot,
    sealedWith: KeyUse | null,
  ): Promise<boolean> {
    if (snapshot.position < (this.#forgotAt.get(owner ?? '') ?? 0)) return false;
    if (owner !== null && sealedWith) {
      if (this.#isStale(owner, sealedWith)) return false;
      this.#keep(owner, sealedWith);
    }
    entry(this.#snapshots, owner ?? '', () => new Map<string, RawSnapshot>()).set(name, snapshot);
    return true;
  }
  async loadSnapshot({ owner, name }: SnapshotKey): Promise<RawSnapshot | undefined> {
    return this.#snapshots.get(owner ?? '')?.get(name);
  }

  async readCursor(name: string): Promise<Cursor> {
    return this.#cursorAt(name);
  }
  async moveCursor(name: string, from: Cursor, to: Position): Promise<Cursor | undefined> {
    const { token } = this.#cursorAt(name);
    if (token !== from.token) return undefined;
    const moved = { position: to, token: token + 1 };
    this.#cursors.set(name, moved);
    return moved;
  }

  async acquireLease(name: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    const now = this.#clock();
    const held = this.#leases.get(name);
    const isFree = !held || held.expiresAt <= now;
    if (!isFree && held.holder !== holder) return undefined;
    const fence = isFree ? (held?.fence ?? 0) + 1 : held.fence;
    const lease = { name, holder, fence, expiresAt: now + ttlMs };
    this.#leases.set(name, lease);
    return lease;
  }
  async releaseLease({ name, holder, fence }: Lease): Promise<void> {
    const held = this.#leases.get(name);
    if (held?.holder === holder && held.fence === fence) this.#leases.set(name, { ...held, expiresAt: 0 });
  }
  async takeTokens(bucket: string, capacity: number, perMs: number, tokens: number): Promise<Bucket> {
    return this.#buckets.take(bucket, capacity, perMs, tokens);
  }

  async exportBeside(): Promise<BesideLog> {
    return {
      meta: await this.readMeta(),
      cursors: Array.from(this.#cursors, ([name, { position }]) => ({ name, position })),
      commands: Array.from(this.#commands, ([id, command]) => ({ id, ...command })),
    };
  }
  async exportKeys(): Promise<readonly KeptKey[]> {
    return Array.from(this.#keys).flatMap(([userId, keys]) =>
      Array.from(keys, ([subject, bytes]) => ({ userId, subject, bytes })),
    );
  }
  async importEvents(events: readonly RawEvent[]): Promise<void> {
    refuseOutOfOrder(events, this.#events.length);
    for (const event of events) this.#add(event);
  }
  async importBeside({ meta, cursors, commands }: BesideLog, keys: readonly KeptKey[]): Promise<void> {
    await this.writeMeta(meta);
    for (const { name, position } of cursors) this.#cursors.set(name, { position, token: 1 });
    for (const { id, ...command } of commands) this.#commands.set(id, command);
    for (const { userId, subject, bytes } of keys) this.#keep(userId, { subject, bytes, madeAfter: 0 });
  }

  async status(): Promise<StoreStatus> {
    return { connected: true, url: 'memory', version: '' };
  }
  async reconnect(): Promise<void> {}
  async close(): Promise<void> {}

  #add(event: RawEvent): void {
    this.#events.push(event);
    entry(this.#streams, event.stream, () => []).push(event);
    entry(this.#users, event.userId ?? '', () => []).push(event);
  }

  #cursorAt(name: string): Cursor {
    return this.#cursors.get(name) ?? { position: 0, token: 0 };
  }

  #isStale(userId: string, { subject, bytes, madeAfter }: KeyUse): boolean {
    const kept = this.#keys.get(userId)?.get(subject);
    return kept ? keyId(kept) !== keyId(bytes) : madeAfter !== (this.#forgotAt.get(userId) ?? 0);
  }

  #keep(userId: string, { subject, bytes, madeAfter }: KeyUse): void {
    if (madeAfter !== null) entry(this.#keys, userId, () => new Map<string, KeyBytes>()).set(subject, bytes);
  }

  #changeKeys(userId: string, keys: readonly KeyUse[], forgets: readonly string[], position: Position): void {
    for (const key of keys) this.#keep(userId, key);
    if (forgets.length === 0) return;
    if (forgets.includes('*')) this.#keys.delete(userId);
    else for (const subject of forgets) this.#keys.get(userId)?.delete(subject);
    for (const owner of [userId, '']) {
      this.#snapshots.delete(owner);
      this.#forgotAt.set(owner, position);
    }
  }
}

/** How many of these, which are in order, are not after this position. */
function countUntil(events: readonly RawEvent[], position: Position): number {
  let least = 0;
  let most = events.length;
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if ((events[middle]?.position ?? 0) <= position) least = middle + 1;
    else most = middle;
  }
  return least;
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
