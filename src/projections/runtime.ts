import { fairShare, hasTime } from '../fairShare.ts';
import type { SharedReading } from '../folds/sharedReading.ts';
import { foldedUntil, type Past } from '../folds/streamFold.ts';
import { StreamStates } from '../folds/streamStates.ts';
import type { Deliveries, EventReader, Position, Snapshots } from '../store/port.ts';
import type { StoredEvent } from '../store/storedEvent.ts';
import type { Projection, UserProjection } from './projection.ts';
import { RunningProjection } from './running.ts';

/** A process that is killed leaves no more than this to catch up with. */
const SAVE_EVERY = 10_000;

/** What a reader of projections needs of the runtime. */
export interface Views {
  /** The state as of the newest event. Read it, do not keep it: it changes in place. */
  view<State>(projection: Projection<State>): State;
  /** The same of one that falls into parts. */
  parts<State>(projection: Projection<State>): readonly State[];
}

/** What a reader of users' own projections needs of the runtime. */
export interface UserViews {
  /** The state of this user's as of the newest event. Read it, do not keep it: it may change in place. */
  of<State, Which extends readonly string[]>(
    projection: UserProjection<State, Which>,
    userId: string,
    ...which: Which
  ): Promise<State>;
}

type Part = (event: StoredEvent) => RunningProjection<unknown> | undefined;

/**
 * Keeps projections current. They catch up together in one pass over the log, and from then on take each event
 * in the moment in which it is delivered, so that whoever appended it reads its own write.
 */
export class ProjectionRuntime implements Views, UserViews {
  readonly #store: EventReader & Deliveries & Snapshots;
  readonly #users: StreamStates;
  readonly #running: readonly RunningProjection<unknown>[];
  readonly #byProjection = new Map<Projection<unknown>, readonly RunningProjection<unknown>[]>();
  readonly #byType = new Map<string, Part[]>();
  #position: Position = 0;
  /** Delivered, though not always taken in yet. */
  #seen: Position = 0;
  #catchingUp: Promise<void> | undefined;
  #savedAt: Position = 0;

  constructor(store: EventReader & Deliveries & Snapshots, projections: readonly Projection<unknown>[]) {
    this.#store = store;
    this.#users = new StreamStates(store);
    this.#running = projections.flatMap((projection) => this.#begin(projection));
    store.onAppended((events) => this.#follow(events));
    // What fails here is made up for when the next event is delivered, which is then not the next one here.
    store.onReplaced(() => void this.#startOver().catch(() => undefined));
  }

  #begin(projection: Projection<unknown>): readonly RunningProjection<unknown>[] {
    const { parts, handles } = projection;
    const running = parts
      ? Array.from({ length: parts.count }, (_, part) => new RunningProjection(projection, part))
      : [new RunningProjection(projection)];
    const part: Part = parts ? (event) => running[parts.of(event) % parts.count] : () => running[0];
    this.#byProjection.set(projection, running);
    for (const { type } of handles) this.#byType.set(type, [...(this.#byType.get(type) ?? []), part]);
    return running;
  }

  /** For who reads what there is of a user: together with projections of theirs that are read then too. */
  get reading(): SharedReading {
    return this.#users.reading;
  }

  /** Everything up to here has been taken in. */
  get position(): Position {
    return this.#position;
  }

  async start(): Promise<void> {
    // Catching up from the first moment: what is delivered while snapshots are loaded is taken in after them.
    this.#catchingUp = this.#readToHead(() => this.#loadSnapshots());
    await this.#catchingUp;
    // Snapshots are a cache; a start does not fail because they could not be written.
    await this.saveSnapshots().catch(() => undefined);
    this.#savedAt = this.#position;
  }

  /** For a quick next start: after catching up, now and then, and before the end. */
  async saveSnapshots(): Promise<void> {
    for (const running of this.#running) await running.save(this.#store, this.#position);
  }

  view<State>(projection: Projection<State>): State {
    // Asked for several times with every request.
    const [running] = this.#byProjection.get(projection) ?? [];
    if (running && isOf(running, projection)) return running.current();
    throw new TypeError(`The projection ${projection.name} is not running`);
  }

  parts<State>(projection: Projection<State>): readonly State[] {
    const states: State[] = [];
    // Asked for with every task that is due.
    for (const running of this.#byProjection.get(projection) ?? [])
      if (isOf(running, projection)) states.push(running.current());
    return states;
  }

  async of<State, Which extends readonly string[]>(
    projection: UserProjection<State, Which>,
    userId: string,
    ...which: Which
  ): Promise<State> {
    return (await this.#users.get(projection, projection.stream(userId, ...which), userId)).state;
  }

  /** Takes in what there is, and resolves when that is all. */
  catchUp(): Promise<void> {
    this.#catchingUp ??= this.#readToHead();
    return this.#catchingUp;
  }

  async #loadSnapshots(): Promise<void> {
    const head = await this.#store.head();
    for (const running of this.#running) {
      await running.load(this.#store, head);
      if (!hasTime()) await fairShare();
    }
    this.#position = Math.min(head, ...this.#running.map(({ position }) => position));
  }

  async #readToHead(prepare?: () => Promise<void>): Promise<void> {
    try {
      await prepare?.();
      const types = new Set(this.#byType.keys());
      this.#seen = Math.max(this.#seen, await this.#store.head());
      // No await between the last look at what was seen and the end of catching up: nothing falls in between.
      while (this.#position < this.#seen) {
        for await (const batch of this.#store.readAll({ after: this.#position, until: this.#seen, types })) {
          for (const event of batch.events) this.#take(event);
          this.#position = Math.max(this.#position, batch.position);
        }
      }
    } finally {
      this.#catchingUp = undefined;
    }
  }

  #follow(events: readonly StoredEvent[]): void {
    const first = events[0];
    const last = events.at(-1);
    if (!first || !last) return;
    this.#seen = Math.max(this.#seen, last.position);
    if (this.#catchingUp) return;
    if (first.position > this.#position + 1) {
      void this.catchUp().catch(() => undefined);
      return;
    }
    for (const event of events) this.#take(event);
    this.#position = Math.max(this.#position, last.position);
    // A forget drops the system's snapshots: they may have been drawn from what is forgotten.
    if (events.some(({ forgets }) => forgets.length > 0)) this.#missSnapshots();
    this.#saveNowAndThen();
  }

  #missSnapshots(): void {
    this.#savedAt = 0;
    for (const running of this.#running) running.missSnapshot();
  }

  #saveNowAndThen(): void {
    if (this.#position - this.#savedAt < SAVE_EVERY) return;
    this.#savedAt = this.#position;
    void this.saveSnapshots().catch(() => undefined);
  }

  #take(event: StoredEvent): void {
    for (const partOf of this.#byType.get(event.type) ?? []) partOf(event)?.take(event);
  }

  async #startOver(): Promise<void> {
    await this.#catchingUp?.catch(() => undefined);
    for (const running of this.#running) running.reset();
    this.#position = 0;
    this.#seen = 0;
    await this.catchUp();
  }
}

/** Builds one projection from the log as it was after the event at `until`: this is all that time travel is. */
export async function viewAt<State>(
  store: EventReader & Snapshots,
  projection: Projection<State>,
  until: Position,
): Promise<State> {
  const running = new RunningProjection(projection);
  await running.load(store, until);
  const types = new Set(projection.handles.map(({ type }) => type));
  for await (const batch of store.readAll({ after: running.position, until, types })) {
    for (const event of batch.events) running.take(event);
  }
  return running.current();
}

/**
 * The same at a moment, by the clock of those who wrote it down: of all that a user has of it, or of some streams, one
 * after the other.
 */
export async function viewAtTime<State>(
  store: EventReader,
  projection: Projection<State>,
  of: { readonly userId: string } | { readonly streams: readonly string[] },
  time: number,
): Promise<State> {
  const state = projection.initial();
  const types = new Set(projection.handles.map(({ type }) => type));
  const take = (events: readonly StoredEvent[]) => {
    for (const event of events) if (event.at <= time && types.has(event.type)) projection.apply(state, event);
  };
  if ('userId' in of)
    for await (const { events } of store.readAll({ after: 0, userId: of.userId, types })) take(events);
  else for (const stream of of.streams) for await (const events of store.readStream(stream)) take(events);
  return state;
}

/** The same of one user's: at a place of the log, or at a moment, without what has been forgotten since. */
export function userViewAt<State, Which extends readonly string[]>(
  store: EventReader,
  projection: UserProjection<State, Which>,
  userId: string,
  past: Past,
  ...which: Which
): Promise<State> {
  return foldedUntil(store, projection, projection.stream(userId, ...which), past);
}

function isOf<State>(
  running: RunningProjection<unknown>,
  projection: Projection<State>,
): running is RunningProjection<State> {
  return running.projection === projection;
}
