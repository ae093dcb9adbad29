import type { Position, Store } from '../store/port.ts';
import type { StoredEvent } from '../store/storedEvent.ts';

const MOST_HELD = 10_000;

/** What a stream comes to. `evolve` is pure. */
export interface StreamFold<State> {
  readonly name: string;
  /** Raised when `State` or `evolve` changes its meaning: older snapshots are then ignored. */
  readonly version: number;
  readonly initial: State;
  evolve(state: State, event: StoredEvent): State;
}
/** A stream that has grown by so many events since its snapshot gets a new one. */
const SNAPSHOT_EVERY = 500;

export interface LoadedState<State> {
  state: State;
  version: number;
  position: Position;
}

interface HeldState extends LoadedState<unknown> {
  readonly definition: StreamFold<unknown>;
  readonly owner: string | null;
}

/**
 * The states of the streams that are in use. What is held follows the log as it is delivered, so that it is
 * current also when another process appended; what is not used for long is dropped, oldest first.
 */
export class StreamStates {
  readonly #store: Store;
  readonly #held = new Map<string, HeldState>();
  readonly #mostHeld: number;
  /** How often anything was forgotten: what was being loaded meanwhile may hold it. */
  #forgets = 0;

  constructor(store: Store, mostHeld = MOST_HELD) {
    this.#store = store;
    this.#mostHeld = mostHeld;
    store.onAppended((events) => this.#follow(events));
    store.onReplaced(() => this.#held.clear());
  }

  cached<State>(definition: StreamFold<State>, stream: string): LoadedState<State> | undefined {
    const held = this.#held.get(stream);
    if (!held || !isOf(held, definition)) return undefined;
    this.#held.delete(stream);
    this.#held.set(stream, held);
    return held;
  }

  async load<State>(
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
      for await (const events of this.#store.readStream(stream, { fromVersion: versionBefore + 1 })) {
        for (const event of events) if (event.version === held.version + 1) evolve(definition, held, event);
      }
    } catch (error) {
      // Half of a stream is no state: what it would allow or refuse, the whole may not.
      this.drop(stream);
      throw error;
    }
    if (forgetsBefore !== this.#forgets) {
      this.drop(stream);
      return this.load(definition, stream, owner);
    }
    if (held.version - versionBefore >= SNAPSHOT_EVERY) {
      const { state, version } = held;
      // The stream may not have grown since the user's last forget; that it was read since then is what counts.
      const position = Math.max(held.position, deliveredBefore);
      const snapshot = { version: definition.version, position, state: { state, version } };
      // Only a cache: the command that found it missing does not need it any more.
      await this.#store.saveSnapshot(key, snapshot).catch(() => undefined);
    }
    return held;
  }

  drop(stream: string): void {
    this.#held.delete(stream);
  }

  /** What was decided on may be what is forgotten now. */
  #dropAllOf(owner: string | null): void {
    this.#forgets++;
    for (const [stream, held] of this.#held) if (held.owner === owner) this.#held.delete(stream);
  }

  #hold<State>(
    stream: string,
    definition: StreamFold<State>,
    owner: string | null,
    loaded: LoadedState<State>,
  ): LoadedState<State> {
    const held = Object.assign(loaded, { definition: definition as StreamFold<unknown>, owner });
    this.#held.set(stream, held);
    if (this.#held.size > this.#mostHeld) {
      const oldest = this.#held.keys().next().value;
      if (oldest !== undefined) this.#held.delete(oldest);
    }
    return held;
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
    // Dropped first: a state that the event could not be brought into is none.
    this.#held.delete(event.stream);
    if (event.version !== held.version + 1) return;
    evolve(held.definition, held, event);
    this.#held.set(event.stream, held);
  }
}

function evolve<State>(
  definition: StreamFold<State>,
  loaded: LoadedState<State>,
  event: StoredEvent,
): void {
  loaded.state = definition.evolve(loaded.state, event);
  loaded.version = event.version;
  loaded.position = event.position;
}

function isOf<State>(
  held: HeldState,
  definition: StreamFold<State>,
): held is HeldState & LoadedState<State> {
  return held.definition === definition;
}

function isSavedState<State>(saved: unknown): saved is { state: State; version: number } {
  return typeof saved === 'object' && saved !== null && 'state' in saved && 'version' in saved;
}
