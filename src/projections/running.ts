import type { Position, Snapshot, Snapshots } from '../store/port.ts';
import type { StoredEvent } from '../store/storedEvent.ts';
import type { Projection } from './projection.ts';

/** A projection that took in fewer events since its last snapshot catches up quicker than it would save. */
const WORTH_A_SNAPSHOT = 1_000;

/** A projection at work: its state, and how far into the log that state goes. */
export class RunningProjection<State> {
  readonly projection: Projection<State>;
  readonly #name: string;
  #state: State;
  /** How far the log has been taken in, as far as this projection was asked. */
  position: Position = 0;
  #savedAt: Position = 0;
  #fault: Error | undefined;

  /** `part`: of one that falls into parts, the one that this is. */
  constructor(projection: Projection<State>, part?: number) {
    this.projection = projection;
    this.#name = part === undefined ? projection.name : `${projection.name}.${part}`;
    this.#state = projection.initial();
  }

  reset(): void {
    this.#state = this.projection.initial();
    this.position = 0;
    this.#savedAt = 0;
    this.#fault = undefined;
  }

  /** Of what it handles. A projection that fails stands still by itself: the log and the other projections go on. */
  take(event: StoredEvent): void {
    if (event.position <= this.position || this.#fault) return;
    try {
      this.projection.apply(this.#state, event);
      this.position = event.position;
    } catch (cause) {
      this.#fault = new Error(`The projection ${this.projection.name} failed at ${event.position}`, {
        cause,
      });
    }
  }

  current(): State {
    if (this.#fault) throw this.#fault;
    return this.#state;
  }

  /** Starts from the newest snapshot that is of this version and not beyond `until`. */
  async load(store: Snapshots, until: Position): Promise<void> {
    const snapshot = await store.loadSnapshot(this.#key, this.projection.version);
    if (!isOf(this.projection, snapshot) || snapshot.position > until) return;
    this.#state = this.projection.revive?.(snapshot.state) ?? snapshot.state;
    this.position = snapshot.position;
    this.#savedAt = snapshot.position;
  }

  /** What was saved is no longer there. */
  missSnapshot(): void {
    this.#savedAt = 0;
  }

  async save(store: Snapshots, position: Position): Promise<void> {
    if (this.#fault || position - this.#savedAt < WORTH_A_SNAPSHOT) return;
    this.#savedAt = position;
    await store.saveSnapshot(this.#key, { version: this.projection.version, position, state: this.#state });
  }

  get #key() {
    return { owner: null, name: `projection:${this.#name}` };
  }
}

/** Written by this version of this projection, and opened unaltered: then it is what was saved. */
function isOf<State>(
  { version }: Projection<State>,
  snapshot: Snapshot | undefined,
): snapshot is Snapshot & { state: State } {
  return snapshot?.version === version;
}
