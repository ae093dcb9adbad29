import { setTimeout as sleep } from 'node:timers/promises';
import { memoryStream } from '../events/memory.ts';
import type { Deliveries, EventReader, Position, Snapshots } from '../store/port.ts';
import type { StoredEvent } from '../store/storedEvent.ts';
import { SharedReading } from './sharedReading.ts';
import type { StreamFold } from './streamFold.ts';

const MOST_HELD = 10_000;
/** A state is about as large as what made it is long. */
const MOST_EVENTS = 200_000;
/**
 * A stream that goes on for long changes the same things again and again. It takes no more than such a share of all:
 * reckoned by its length, it would drop all others, and each of them it, whenever both are in use.
 */
const LARGEST_SHARE = 1 / 4;
/** A stream that has grown by so many events since its snapshot gets a new one. */
const SNAPSHOT_EVERY = 500;
/** A state that has not changed for so long is taken to rest. */
const REST_MS = 500;

interface Limits {
  readonly mostHeld?: number;
  readonly mostEvents?: number;
}

export interface LoadedState<State> {
  state: State;
  version: number;
  position: Position;
}

interface HeldState extends LoadedState<unknown> {
  readonly definition: StreamFold<unknown>;
  readonly owner: string | null;
  weight: number;
}

/**
 * The states of the streams that are in use. What is held follows the log as it is delivered, so that it is
 * current also when another process appended; what is not used for long is dropped, oldest first.
 */
export class StreamStates {
  /** How streams that are read from their beginning are read together with what else there is of their user. */
  readonly reading: SharedReading;
  readonly #store: EventReader & Deliveries & Snapshots;
  readonly #held = new Map<string, HeldState>();
  /** Streams that are being read: what is held of them is not the whole yet. Never rejects. */
  readonly #loading = new Map<string, Promise<unknown>>();
  readonly #mostHeld: number;
  readonly #mostEvents: number;
  /** Events that made what is held. */
  #events = 0;
  /** How often anything was forgotten: what was being loaded meanwhile may hold it. */
  #forgets = 0;

  constructor(
    store: EventReader & Deliveries & Snapshots,
    { mostHeld = MOST_HELD, mostEvents = MOST_EVENTS }: Limits = {},
  ) {
    this.#store = store;
    this.reading = new SharedReading(store);
    this.#mostHeld = mostHeld;
    this.#mostEvents = mostEvents;
    store.onAppended((events) => this.#follow(events));
    store.onReplaced(() => {
      for (const stream of this.#held.keys()) this.drop(stream);
    });
  }

  #cached<State>(definition: StreamFold<State>, stream: string): LoadedState<State> | undefined {
    const held = this.#held.get(stream);
    if (!held || !isOf(held, definition)) return undefined;
    // The last one used is the last to be dropped.
    this.#held.delete(stream);
    this.#held.set(stream, held);
    return held;
  }

  async get<State>(
    definition: StreamFold<State>,
    stream: string,
    owner: string | null,
  ): Promise<LoadedState<State>> {
    for (let loading = this.#loading.get(stream); loading; loading = this.#loading.get(stream)) await loading;
    return this.#cached(definition, stream) ?? (await this.#loadAlone(definition, stream, owner));
  }

  /** Of a stream that is taken for new: to be dropped when that turns out to be wrong, or is not known. */
  presumeNew<State>(definition: StreamFold<State>, stream: string, owner: string | null): LoadedState<State> {
    const nothing = { state: definition.initial, version: 0, position: 0 };
    return this.#cached(definition, stream) ?? this.#hold(stream, definition, owner, nothing);
  }

  async #loadAlone<State>(
    definition: StreamFold<State>,
    stream: string,
    owner: string | null,
  ): Promise<LoadedState<State>> {
    const load = this.#load(definition, stream, owner);
    const settled = load.then(ignore, ignore);
    this.#loading.set(stream, settled);
    try {
      return await load;
    } finally {
      this.#loading.delete(stream);
    }
  }

  async #load<State>(
    definition: StreamFold<State>,
    stream: string,
    owner: string | null,
  ): Promise<LoadedState<State>> {
    const key = { owner, name: `${definition.name}:${stream}` };
    const snapshot = await this.#store.loadSnapshot(key, definition.version);
    const loaded: LoadedState<State> = isSavedState<State>(snapshot?.state)
      ? { ...snapshot.state, position: snapshot.position }
      : { state: definition.initial, version: 0, position: 0 };
    const versionBefore = loaded.version;
    const deliveredBefore = this.#store.delivered;
    const forgetsBefore = this.#forgets;
    // Held before it is read, so that what is delivered meanwhile is not missed.
    const held = this.#hold(stream, definition, owner, loaded);
    try {
      for await (const events of this.#read(stream, owner, versionBefore)) {
        for (const event of events)
          if (event.stream === stream && event.version === held.version + 1) evolve(definition, held, event);
      }
    } catch (error) {
      // Half of a stream is no state: what it would allow or refuse, the whole may not.
      this.drop(stream);
      throw error;
    }
    if (forgetsBefore !== this.#forgets) {
      this.drop(stream);
      return this.#load(definition, stream, owner);
    }
    if (this.#held.get(stream) === held) this.#put(stream, held);
    if (held.version - versionBefore >= SNAPSHOT_EVERY)
      void this.#saveSnapshot(stream, held, deliveredBefore).catch(ignore);
    return held;
  }

  /**
   * Only a cache: whoever found it missing does not need it any more, and waits for nothing of it. It is written once
   * the state has rested: after the first search, which still goes on, and the sweep or the import that does.
   */
  async #saveSnapshot(stream: string, held: HeldState, deliveredBefore: Position): Promise<void> {
    const { definition, owner } = held;
    const key = { owner, name: `${definition.name}:${stream}` };
    for (let isSaved = false; !isSaved; ) {
      for (let seen = 0; seen !== held.version; ) {
        seen = held.version;
        await sleep(REST_MS, undefined, { ref: false });
      }
      if (this.#held.get(stream) !== held) return;
      const { state, version } = held;
      // The stream may not have grown since the user's last forget; that it was read since then is what counts.
      const position = Math.max(held.position, deliveredBefore);
      const snapshot = { version: definition.version, position, state: { state, version } };
      const isUnchanged = () => held.version === version && this.#held.get(stream) === held;
      isSaved = await this.#store.saveSnapshot(key, snapshot, isUnchanged);
    }
  }

  /**
   * What is remembered, from its beginning, together with others who begin to read what there is of the owner. Other
   * streams each by itself: of a user's many tasks, one that is slow to be read or damaged holds up no other.
   */
  async *#read(stream: string, owner: string | null, after: number): AsyncGenerator<readonly StoredEvent[]> {
    if (owner === null || after > 0 || stream !== memoryStream(owner))
      yield* this.#store.readStream(stream, { fromVersion: after + 1 });
    else for await (const { events } of this.reading.ofStream(owner, stream)) yield events;
  }

  /** What is still of this version, and was thought newer, has missed something. */
  dropAt(stream: string, version: number): void {
    if (this.#held.get(stream)?.version === version) this.drop(stream);
  }

  drop(stream: string): void {
    const held = this.#held.get(stream);
    if (!held) return;
    this.#events -= held.weight;
    this.#held.delete(stream);
  }

  /** What was decided on may be what is forgotten now. */
  #dropAllOf(owner: string | null): void {
    this.#forgets++;
    for (const [stream, held] of this.#held) if (held.owner === owner) this.drop(stream);
  }

  #hold<State>(
    stream: string,
    definition: StreamFold<State>,
    owner: string | null,
    loaded: LoadedState<State>,
  ): HeldState & LoadedState<State> {
    const of = { definition: definition as StreamFold<unknown>, owner, weight: 0 };
    const held = Object.assign(loaded, of);
    this.#put(stream, held);
    return held;
  }

  /** Holds it as the one that was used last, and drops others when that is too much. */
  #put(stream: string, held: HeldState): void {
    this.drop(stream);
    this.#held.set(stream, held);
    held.weight = 0;
    this.#weigh(stream, held);
  }

  #weigh(stream: string, held: HeldState): void {
    this.#events -= held.weight;
    held.weight = Math.min(held.version, this.#mostEvents * LARGEST_SHARE);
    this.#events += held.weight;
    // Not even begun where nothing is to be dropped: a map is walked through all the places of what left it.
    if (this.#isWithinLimits) return;
    for (const oldest of this.#held.keys()) {
      if (oldest !== stream) this.drop(oldest);
      if (this.#isWithinLimits) return;
    }
  }

  get #isWithinLimits(): boolean {
    return this.#held.size <= this.#mostHeld && this.#events <= this.#mostEvents;
  }

  #follow(events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (event.forgets.length > 0) this.#dropAllOf(event.userId);
      this.#evolveHeld(event);
    }
  }

  #evolveHeld(event: StoredEvent): void {
    const held = this.#held.get(event.stream);
    if (!held || event.version <= held.version) return;
    if (event.version !== held.version + 1) {
      this.drop(event.stream);
      return;
    }
    try {
      evolve(held.definition, held, event);
    } catch (error) {
      // A state that the event could not be brought into is none.
      this.drop(event.stream);
      throw error;
    }
    this.#weigh(event.stream, held);
  }
}

function evolve<State>(definition: StreamFold<State>, loaded: LoadedState<State>, event: StoredEvent): void {
  loaded.state = definition.evolve(loaded.state, event);
  loaded.version = event.version;
  loaded.position = event.position;
}

function isOf<State>(held: HeldState, definition: StreamFold<State>): held is HeldState & LoadedState<State> {
  return held.definition === definition;
}

function isSavedState<State>(saved: unknown): saved is { state: State; version: number } {
  return typeof saved === 'object' && saved !== null && 'state' in saved && 'version' in saved;
}

function ignore(): void {}
