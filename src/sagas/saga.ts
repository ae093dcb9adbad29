import type { Observable, ObservableInput, SchedulerLike } from 'rxjs';
import type { Command } from '../commands/command.ts';
import type { CommandOutcome } from '../commands/runner.ts';
import type { EventDefinition } from '../events/definition.ts';
import type { Handled } from '../projections/projection.ts';
import type { Position } from '../store/port.ts';
import type { RetryPolicy } from './retryPolicy.ts';

/**
 * What happens next: a saga answers events with commands and calls to the outside. It is at-least-once, so the
 * commands it runs carry ids made from the event; what it does outside has to bear being done twice.
 */
export interface Saga<Definition extends EventDefinition = EventDefinition> {
  readonly name: string;
  /** What drives it: events of the log, typed by these. */
  readonly on: readonly Definition[];
  /** Of one user alone, and from where on when it is new. Where it says nothing: of all, from the end of the log on. */
  readonly range?: { readonly userId: string; readonly since: Position };
  /** Where it says nothing: so often as is usual. */
  readonly retry?: RetryPolicy;
  /** Events of one key are answered one after the other, in order; different keys side by side. */
  key(event: Handled<Definition>): string;
  react(event: Handled<Definition>, reaction: Reaction): ObservableInput<unknown>;
}

export function defineSaga<Definition extends EventDefinition>(saga: Saga<Definition>): Saga {
  return saga;
}

/** What happens next because it is time. What it does has to bear being done twice, as with a saga that events drive. */
export interface TimedSaga<Due = unknown> {
  readonly name: string;
  /**
   * What drives it: that which falls due, by the clock of this scheduler. When it has ended and all of it is answered,
   * it is asked again. What may be much waits with the next until there is room for it.
   */
  readonly on: (time: SchedulerLike, room: () => ObservableInput<unknown>) => Observable<Due>;
  readonly retry?: RetryPolicy;
  /** Not in one process alone: what it does is a matter of each. */
  readonly everywhere?: true;
  /** Answers under way at the same time, where it is not as many as usual. */
  readonly atOnce?: number;
  /** What is due under one key is answered one after the other; different keys side by side. */
  key(due: Due): string;
  react(due: Due, reaction: TimedReaction): ObservableInput<unknown>;
}

/** Sagas that come and go, each with a cursor of its own, all in the process that holds the one lease of the group. */
export interface SagaGroup {
  readonly name: string;
  /** The names of those that there are, and of each that has come, changed or gone since. */
  readonly changes: Observable<string>;
  /** As it is at the moment; undefined when there is none. */
  saga(name: string, time: SchedulerLike): Saga | undefined;
}

export type AnySaga = Saga | TimedSaga | SagaGroup;

/** What a saga may do about one event. */
export interface Reaction {
  /** Runs a command as a consequence of the event. */
  run<Input, State>(
    command: Command<Input, State>,
    input: Input,
    consequence?: Consequence,
  ): Promise<CommandOutcome>;
  /** How often this event was tried before. */
  readonly failures: number;
  readonly signal: AbortSignal;
}

/** What a saga may do about what is due. */
export interface TimedReaction extends Pick<Reaction, 'failures' | 'signal'> {
  /**
   * Emits what came of the work, which no two processes on a store do at the same time; or, while another one is at
   * it, what `elsewhere` has to tell of that. Ends without either when it is to stop.
   */
  onceAmongProcesses<Result>(
    name: string,
    work: (signal: AbortSignal) => ObservableInput<Result>,
    elsewhere: Observable<Result>,
  ): Observable<Result>;
}

interface Consequence {
  /** Tells several commands from one event apart. */
  readonly step?: string;
  /** Whose it is, where that is not whose the event is. */
  readonly userId?: string;
}

/** Thrown by a saga that cannot answer yet: the event is tried again after this time, and that is no failure. */
export class TryAgainLater extends Error {
  override readonly name = 'TryAgainLater';
  readonly afterMs: number;

  constructor(afterMs: number) {
    super(`Not yet; again in ${afterMs} ms`);
    this.afterMs = afterMs;
  }
}
