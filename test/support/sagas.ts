import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  defer,
  from,
  lastValueFrom,
  type SchedulerAction,
  type SchedulerLike,
  Subscription,
  VirtualTimeScheduler,
} from 'rxjs';
import { systemEvents } from '../../src/events/system.ts';
import type { RetryPolicy } from '../../src/sagas/retryPolicy.ts';
import { SagaRuntime, type SagaRuntimeOptions } from '../../src/sagas/runtime.ts';
import type { AnySaga, Reaction, Saga, TimedReaction } from '../../src/sagas/saga.ts';
import type { Log } from '../../src/store/log.ts';
import type { Position, Store } from '../../src/store/port.ts';
import type { StoredEvent } from '../../src/store/storedEvent.ts';
import { counted } from '../store/sampleEvents.ts';
import { countingCatalog, runnerOn } from './counting.ts';

export const sagaCatalog = [...countingCatalog, ...systemEvents];

/**
 * A saga that answers each number with what the test says; a stream is a key. Numbers in streams that are named
 * `…-answer` are answers, and not answered in turn.
 */
export function sagaOf(
  react: (event: StoredEvent, reaction: Reaction, n: number) => Promise<unknown> | unknown,
  name = 'sample',
  retry: RetryPolicy = { tries: 5, firstPauseMs: 100 },
): Saga {
  return {
    name,
    on: [counted],
    retry,
    key: ({ stream }) => stream,
    async react(event, reaction) {
      if (!event.stream.endsWith('-answer')) await react(event, reaction, counted.data.parse(event.data).n);
    },
  };
}

interface Waiting {
  readonly at: number;
  ring(): void;
}

/**
 * Virtual time that passes as soon as nothing else is to be done: what is first in it comes with the next turn of the
 * event loop, however long it was to wait.
 */
export class PassingTime implements SchedulerLike {
  readonly #waiting: Waiting[] = [];
  #now = 0;
  #isPassing = false;

  now(): number {
    return this.#now;
  }

  schedule<State>(
    work: (this: SchedulerAction<State>, state?: State) => void,
    delay = 0,
    state?: State,
  ): Subscription {
    return new PassingAction(this, work).schedule(state, delay);
  }

  /** Behind what comes at the same time. */
  enter(action: Waiting): void {
    const place = this.#waiting.findIndex(({ at }) => at > action.at);
    this.#waiting.splice(place === -1 ? this.#waiting.length : place, 0, action);
    this.#passLater();
  }

  leave(action: Waiting): void {
    const place = this.#waiting.indexOf(action);
    if (place !== -1) this.#waiting.splice(place, 1);
  }

  #passLater(): void {
    if (this.#isPassing) return;
    this.#isPassing = true;
    setImmediate(() => {
      this.#isPassing = false;
      this.#now = this.#waiting[0]?.at ?? this.#now;
      for (let next = this.#waiting[0]; next && next.at <= this.#now; next = this.#waiting[0]) {
        this.#waiting.shift();
        next.ring();
      }
      if (this.#waiting.length > 0) this.#passLater();
    });
  }
}

/**
 * Scheduled again it is the same, as those of time that does not pass by itself: those of RxJS's own virtual time are
 * added one to the other, and after some thousands of them the stack does not hold what ends them all.
 */
class PassingAction<State> extends Subscription implements SchedulerAction<State> {
  readonly #time: PassingTime;
  readonly #work: (this: SchedulerAction<State>, state?: State) => void;
  #state: State | undefined;
  at = 0;

  constructor(time: PassingTime, work: (this: SchedulerAction<State>, state?: State) => void) {
    super(() => time.leave(this));
    this.#time = time;
    this.#work = work;
  }

  schedule(state?: State, delay = 0): Subscription {
    if (this.closed) return this;
    this.#time.leave(this);
    this.#state = state;
    this.at = this.#time.now() + delay;
    this.#time.enter(this);
    return this;
  }

  ring(): void {
    this.#work(this.#state);
  }
}

/** Time that stands still: what waits waits for ever. */
export function standstill(): SchedulerLike {
  return new VirtualTimeScheduler();
}

/** Resolves when the saga has answered this event. */
export async function answered(saga: Saga, event: StoredEvent, reaction: Reaction): Promise<void> {
  await lastValueFrom(from(saga.react(event, reaction)), { defaultValue: undefined });
}

/** What a saga that time drives may do the first time, in a process that is the only one. */
export function timedReaction(): TimedReaction {
  const { signal } = new AbortController();
  return { failures: 0, signal, onceAmongProcesses: (_name, work) => defer(() => work(signal)) };
}

/** A process with one saga on this log, in which time passes by itself. */
export function runtimeOn(log: Log, saga: AnySaga, options: Partial<SagaRuntimeOptions> = {}): SagaRuntime {
  return new SagaRuntime({
    store: log,
    runner: runnerOn(log),
    sagas: [saga],
    instanceId: 'one',
    onFailure: () => {},
    scheduler: new PassingTime(),
    ...options,
  });
}

/** A list that can be waited on until it is as a test wants it. */
export class Witness<Item> {
  readonly items: Item[] = [];
  #waiting: (() => void)[] = [];

  add(item: Item): void {
    this.items.push(item);
    for (const look of this.#waiting.splice(0)) look();
  }

  async until(isSo: (items: readonly Item[]) => boolean): Promise<readonly Item[]> {
    while (!isSo(this.items)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.items;
  }

  count(wanted: number): Promise<readonly Item[]> {
    return this.until(({ length }) => length >= wanted);
  }
}

/** Resolves once the saga's cursor stands at this position. */
export async function cursorAt(log: Log, saga: string, position: Position): Promise<void> {
  while ((await log.readCursor(saga)).position !== position) await nextTurn();
}

/** A saga is new to a log only once; from here on it answers whatever comes. */
export async function begun(log: Store, saga = 'sample'): Promise<void> {
  await log.moveCursor(saga, await log.readCursor(saga), await log.head());
}
