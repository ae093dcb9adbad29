import { concatMap, defer, EMPTY, ignoreElements, type Observable, Subject, tap } from 'rxjs';
import type { Clock } from '../../clock.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { readSchedulerEvent, type SchedulerEvent } from '../../events/scheduler.ts';
import { fairShare } from '../../fairShare.ts';
import type { ProjectionRuntime } from '../../projections/runtime.ts';
import { tasks } from '../../projections/scheduler/tasks.ts';
import type { Deliveries } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { DueHeap } from '../dueHeap.ts';

/** So long before a task is due, its stream is read. */
const AHEAD_MS = 1_000;
/** What is read ahead of more would push out what was read before. */
const MOST_AHEAD = 2_000;
/** For so long from a look into the tables on, what is due is known; what is due later is left to the next one. */
const KNOWN_MS = 10 * 60_000;
/** A clock that is set right by less than this changes no plan. */
const STEP_BACK_MS = 60_000;

export interface DueBookContext {
  readonly store: Deliveries;
  readonly runner: CommandRunner;
  readonly views: Pick<ProjectionRuntime, 'parts' | 'position'>;
}

/** What is to be done about a task: it is due, will be before long, or is to be planned anew. */
export interface DueTask {
  readonly is: 'due' | 'soon' | 'replan';
  readonly taskId: string;
  readonly at: number;
}

/**
 * When to look at which task, as long as one log stands: those that are due before long, and those that come to be.
 * A hundred thousand that are due some time lie in the tables alone, which are looked through now and then.
 */
export class DueBook {
  readonly context: DueBookContext;
  /** Emits when there may be something to do earlier than before. */
  readonly noted = new Subject<void>();
  readonly #later = new DueHeap<string>();
  /** Those whose streams were read ahead. */
  readonly #soon = new DueHeap<string>();
  /** What was due before was missed. */
  readonly openedAt: number;
  /** The latest moment that is known to have been. */
  latest: number;
  #knownUntil = Number.NEGATIVE_INFINITY;
  #isReplaced = false;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(context: DueBookContext, now: number) {
    this.context = context;
    this.openedAt = now;
    this.latest = now;
    const { store } = context;
    this.#unsubscribe = [
      store.onAppended((events) => {
        for (const event of events) this.#take(event);
      }),
      store.onReplaced(() => {
        this.#isReplaced = true;
      }),
    ];
  }

  /** Looks through the tables, when it is time to; others have their turn in between. */
  lookFurther(now: number): Observable<never> {
    return defer(() => {
      if (now < this.#lookAt) return EMPTY;
      const after = this.#knownUntil;
      // Whatever happens from now on is heard of.
      this.#knownUntil = now + KNOWN_MS;
      return defer(() => this.context.views.parts(tasks)).pipe(
        concatMap((table) => {
          // Once: when the clock went back since, that was noticed, and is not to be noticed again.
          if (after === Number.NEGATIVE_INFINITY) this.latest = Math.max(this.latest, table.latest);
          table.eachDue(after, now + KNOWN_MS, (at, taskId) => this.#later.push(at, taskId));
          return fairShare();
        }),
        tap({
          error: () => {
            this.#knownUntil = after;
          },
        }),
        ignoreElements(),
      );
    });
  }

  /** When there is something to do next. */
  get next(): number {
    return Math.min(this.#soon.first, this.#later.first - this.#ahead, this.#lookAt);
  }

  /** When the tables are to be looked through. Tasks that have not been read yet would not be found there. */
  get #lookAt(): number {
    const { views, store } = this.context;
    return views.position < store.delivered ? Number.POSITIVE_INFINITY : this.#knownUntil - KNOWN_MS / 2;
  }

  get #ahead(): number {
    return this.#soon.size < MOST_AHEAD ? AHEAD_MS : 0;
  }

  note(at: number, taskId: string): void {
    this.#later.push(at, taskId);
    this.noted.next();
  }

  /** What there is to do now: what is due goes before what will be, and before both what a clock put back has upset. */
  *todo(clock: Clock): Generator<DueTask> {
    if (clock() < this.latest - STEP_BACK_MS) {
      this.latest = clock();
      yield* this.#plans();
    }
    for (;;) {
      const now = this.read(clock);
      const next = this.#takeDue(now) ?? this.#takeSoon(now);
      if (!next) return;
      yield next;
    }
  }

  *#plans(): Generator<DueTask> {
    for (const table of this.context.views.parts(tasks)) {
      const all: DueTask[] = [];
      table.eachDue(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, (at, taskId) =>
        all.push({ is: 'replan', taskId, at }),
      );
      yield* all;
    }
  }

  #takeDue(now: number): DueTask | undefined {
    const heap = this.#soon.first <= this.#later.first ? this.#soon : this.#later;
    const due = heap.takeDue(now);
    return due && { is: 'due', taskId: due.item, at: due.at };
  }

  /** One that will be due before long, and whose stream was not read ahead. */
  #takeSoon(now: number): DueTask | undefined {
    const soon = this.#later.takeDue(now + this.#ahead);
    if (!soon) return undefined;
    this.#soon.push(soon.at, soon.item);
    return { is: 'soon', taskId: soon.item, at: soon.at };
  }

  /** Whether it still tells of what lies behind this. */
  isOf(context: DueBookContext | undefined): boolean {
    return context?.store === this.context.store && !this.#isReplaced;
  }

  /** Whoever reads the clock here will notice when it goes back. */
  read(clock: Clock): number {
    const now = clock();
    this.latest = Math.max(this.latest, now);
    return now;
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #take(stored: StoredEvent): void {
    const event = readSchedulerEvent(stored);
    const at = event ? dueAfter(event) : null;
    if (event && at !== null && at <= this.#knownUntil) this.note(at, event.data.taskId);
  }
}

/** When the task is to be looked at because of this event. */
function dueAfter({ type, data }: SchedulerEvent): number | null {
  switch (type) {
    case 'schedule.task.fired':
      return data.asked ? null : data.nextRunAt;
    case 'schedule.task.created':
    case 'schedule.task.replanned':
    case 'schedule.task.resumed':
      return data.nextRunAt;
    case 'schedule.run.failed':
      return data.retryAt;
    default:
      return null;
  }
}
