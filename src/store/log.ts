import { HarkError, isHarkError } from '../errors.ts';
import type { EventDefinition } from '../events/definition.ts';
import { fairShare, hasTime } from '../fairShare.ts';
import type { AppendResult, FoundCommand, RawAppend, StoreAdapter } from './adapter.ts';
import { Codec, type EncodedAppend, refuseNewer } from './codec.ts';
import { follow } from './following.ts';
import { Keyring } from './keyring.ts';
import type {
  Append,
  Appended,
  Bucket,
  Cursor,
  EventBatch,
  Lease,
  LogRange,
  OwnedKey,
  Position,
  Refusals,
  SavedBytes,
  Snapshot,
  SnapshotKey,
  Store,
  StoreStatus,
  StreamRange,
  Vectors,
} from './port.ts';
import { RecentCommands } from './recentCommands.ts';
import { SnapshotBox } from './snapshots.ts';
import type { StoredEvent } from './storedEvent.ts';
import { Tail } from './tail.ts';

/** Small enough that decoding a page does not hold up the main thread. */
const PAGE = 256;
/** An append is sealed and sent so often: a new key comes too late whenever the user forgot anything meanwhile. */
const MOST_TRIES = 25;
/** So long a process waits to hear that its turn has come before it asks. */
const TURN_MS = 25;

/** The store port over any adapter: gives rows their meaning, seals what is personal, delivers in order. */
export class Log implements Store {
  readonly #adapter: StoreAdapter;
  readonly #keyring: Keyring;
  readonly #codec: Codec;
  readonly #snapshots: SnapshotBox;
  readonly #commands = new RecentCommands();
  readonly #tail: Tail;
  readonly #catalog: readonly EventDefinition[];
  readonly #replacedListeners = new Set<() => void>();
  #refusals: Refusals = { count: 0, last: undefined };

  private constructor(adapter: StoreAdapter, catalog: readonly EventDefinition[], head: Position) {
    this.#adapter = adapter;
    this.#catalog = catalog;
    this.#keyring = new Keyring(adapter);
    this.#codec = new Codec(catalog, this.#keyring);
    this.#snapshots = new SnapshotBox(adapter, this.#keyring);
    this.#tail = new Tail(head, async (after, until) =>
      this.#codec.decode(await adapter.readAll({ after, until, limit: PAGE })),
    );
    this.#tail.listen((events) => this.#dropForgottenKeys(events));
    adapter.onHeadMoved((position) => void this.#reach(position));
    adapter.onReplaced(() => this.#startOver());
  }

  static async open(adapter: StoreAdapter, catalog: readonly EventDefinition[]): Promise<Log> {
    await refuseNewer(adapter, catalog);
    return new Log(adapter, catalog, await adapter.head());
  }

  async append(append: Append): Promise<Appended> {
    for (let tries = 1; ; tries++) {
      const encoded = await this.#encode(append);
      const result = await this.#write(encoded.raw);
      switch (result.kind) {
        case 'appended': {
          for (const key of encoded.raw.keys) this.#keyring.confirm(append.userId ?? '', key);
          const events = this.#codec.place(encoded, result.first, result.version);
          const position = result.first + events.length - 1;
          if (append.commandId !== undefined)
            this.#commands.note(append.commandId, { position, version: result.version });
          await this.#tail.offer(events).catch(() => undefined);
          return { position, version: result.version, repeated: false };
        }
        case 'repeated':
          return this.#repeated(result);
        case 'conflict':
          await this.#reachHead();
          throw new HarkError('CONFLICT');
        case 'others-turn':
          if ((await this.#hearsOf(append.stream)) || tries === MOST_TRIES) throw new HarkError('CONFLICT');
          break;
        case 'stale-key':
          this.#keyring.drop(append.userId ?? '', result.subject);
          if (append.heard !== undefined) await this.#reachHead();
          if (append.heard !== undefined || tries === MOST_TRIES) throw new HarkError('CONFLICT');
      }
    }
  }

  async leaveTurn(stream: string): Promise<void> {
    await this.#adapter.leaveTurn?.(stream);
  }

  async findCommand(commandId: string): Promise<Appended | undefined> {
    const found = this.#commands.find(commandId) ?? (await this.#adapter.findCommand(commandId));
    return found && this.#repeated(found);
  }

  async *readStream(stream: string, range: StreamRange = {}): AsyncGenerator<readonly StoredEvent[]> {
    const kept = this.#tail.between(
      range.afterPosition ?? 0,
      range.untilPosition ?? Number.POSITIVE_INFINITY,
    );
    if (kept) return yield* recentOf(stream, kept, range);
    let { fromVersion = 1 } = range;
    let limit = Math.min(range.firstPage ?? PAGE, PAGE);
    for (;;) {
      const raws = await this.#adapter.readStream(stream, { ...range, fromVersion, limit });
      const last = raws.at(-1);
      if (last) yield await this.#codec.decode(raws);
      if (!last || raws.length < limit) return;
      fromVersion = last.version + 1;
      limit = PAGE;
      if (!hasTime()) await fairShare();
    }
  }

  async *readAll(range: LogRange): AsyncGenerator<EventBatch> {
    const until = range.until ?? (await this.#adapter.head());
    let after = range.after;
    while (after < until) {
      const raws = await this.#adapter.readAll({ ...range, after, until, limit: PAGE });
      after = raws.length < PAGE ? until : (raws.at(-1)?.position ?? until);
      yield { events: await this.#codec.decode(raws, range.types), position: after };
      if (!hasTime()) await fairShare();
    }
  }

  follow(range: LogRange, signal: AbortSignal): AsyncGenerator<EventBatch> {
    return follow({ tail: this.#tail, readAll: (rest) => this.readAll(rest) }, range, signal);
  }

  onAppended(listener: (events: readonly StoredEvent[]) => void): () => void {
    return this.#tail.listen(listener);
  }

  onReplaced(listener: () => void): () => void {
    this.#replacedListeners.add(listener);
    return () => this.#replacedListeners.delete(listener);
  }

  get delivered(): Position {
    return this.#tail.position;
  }

  head(): Promise<Position> {
    return this.#adapter.head();
  }

  saveSnapshot(key: SnapshotKey, snapshot: Snapshot, isUnchanged?: () => boolean): Promise<boolean> {
    return this.#snapshots.save(key, snapshot, isUnchanged);
  }
  loadSnapshot(key: SnapshotKey, version: number): Promise<Snapshot | undefined> {
    return this.#snapshots.load(key, version);
  }
  saveBytes(key: OwnedKey, snapshot: SavedBytes): Promise<boolean> {
    return this.#snapshots.saveBytes(key, snapshot);
  }
  loadBytes(key: OwnedKey, version: number): Promise<SavedBytes | undefined> {
    return this.#snapshots.loadBytes(key, version);
  }
  readCursor(name: string): Promise<Cursor> {
    return this.#adapter.readCursor(name);
  }
  moveCursor(name: string, from: Cursor, to: Position): Promise<Cursor | undefined> {
    return this.#adapter.moveCursor(name, from, to);
  }
  acquireLease(name: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    return this.#adapter.acquireLease(name, holder, ttlMs);
  }
  releaseLease(lease: Lease): Promise<void> {
    return this.#adapter.releaseLease(lease);
  }
  takeTokens(bucket: string, capacity: number, perMs: number, tokens: number): Promise<Bucket> {
    return this.#adapter.takeTokens(bucket, capacity, perMs, tokens);
  }

  get vectors(): Vectors | undefined {
    return this.#adapter.vectors;
  }

  get isAway(): boolean {
    return this.#adapter.isAway ?? false;
  }

  async status(): Promise<StoreStatus> {
    return { ...(await this.#adapter.status()), refusals: this.#refusals };
  }
  reconnect(): Promise<void> {
    return this.#adapter.reconnect();
  }
  close(): Promise<void> {
    return this.#adapter.close();
  }

  async #encode(append: Append): Promise<EncodedAppend> {
    try {
      return await this.#codec.encode(append);
    } catch (error) {
      if (isHarkError(error, 'CONFLICT')) await this.#reachHead();
      throw error;
    }
  }

  async #write(append: RawAppend): Promise<AppendResult> {
    try {
      const result = await this.#adapter.append(append);
      if (this.#refusals.last && result.kind === 'appended')
        this.#refusals = { count: this.#refusals.count, last: undefined };
      return result;
    } catch (error) {
      if (isHarkError(error, 'STORAGE_FULL', 'LOG_DAMAGED'))
        this.#refusals = { count: this.#refusals.count + 1, last: error };
      throw error;
    }
  }

  async #repeated({ position, version }: FoundCommand): Promise<Appended> {
    await this.#reach(position);
    return { position, version, repeated: true };
  }

  /** Whether anything of this stream is delivered before the time for that is over. */
  async #hearsOf(stream: string): Promise<boolean> {
    let hears = false;
    const watch = this.#tail.watch(AbortSignal.timeout(TURN_MS), (event) => {
      if (event.stream === stream) hears = true;
      return hears;
    });
    await watch.next();
    watch.end();
    return hears;
  }

  /** Delivery is tried again with the next sign of life; what was appended stays appended. */
  async #reach(position: Position): Promise<void> {
    await this.#tail.reach(position).catch(() => undefined);
  }

  async #reachHead(): Promise<void> {
    await this.#reach(await this.#adapter.head());
  }

  async #startOver(): Promise<void> {
    await refuseNewer(this.#adapter, this.#catalog);
    this.#keyring.clear();
    this.#commands.clear();
    this.#tail.restart(await this.#adapter.head());
    for (const listener of this.#replacedListeners) listener();
    // What was appended between the two lines above was offered to a tail that still stood in the old log.
    await this.#reachHead();
  }

  #dropForgottenKeys(events: readonly StoredEvent[]): void {
    for (const event of events) {
      for (const subject of event.forgets) this.#keyring.drop(event.owner, subject);
    }
  }
}

function* recentOf(
  stream: string,
  kept: readonly StoredEvent[],
  { fromVersion = 1, firstPage = PAGE }: StreamRange,
): Generator<readonly StoredEvent[]> {
  const events = kept.filter((event) => event.stream === stream && event.version >= fromVersion);
  for (let from = 0, limit = Math.min(firstPage, PAGE); from < events.length; from += limit, limit = PAGE)
    yield events.slice(from, from + limit);
}
