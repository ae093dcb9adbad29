import type { Clock } from '../../clock.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { readSchedulerEvent, type SchedulerEvent } from '../../events/scheduler.ts';
import { fairShare } from '../../fairShare.ts';
import type { ProjectionRuntime } from '../../projections/runtime.ts';
import { tasks } from '../../projections/scheduler/tasks.ts';
import type { Store } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { DueHeap } from './dueHeap.ts';

/** So long before a task is due, its stream is read. */
const AHEAD_MS = 1_000;
/** What is read ahead of more would push out what was read before. */
const MOST_AHEAD = 2_000;
/** For so long from a look into the tables on, what is due is known; what is due later is left to the next one. */
const KNOWN_MS = 10 * 60_000;

export interface Standing {
  readonly store: Store;
  readonly runner: CommandRunner;
  readonly views: Pick<ProjectionRuntime, 'parts' | 'position'>;
}

/**
 * When to look at which task, as long as one log stands: those that are due before long, and those that come to be.
 * A hundred thousand that are due some time lie in the tables alone, which are looked through now and then.
 */
export class DueBook {
  readonly standing: Standing;
  readonly #later = new DueHeap<string>();
  /** Those whose streams were read ahead. */
  readonly #soon = new DueHeap<string>();
  /** What was due before was missed. */
  readonly openedAt: number;
  /** The latest moment that is known to have been. */
  latest: number;
  #knownUntil = Number.NEGATIVE_INFINITY;
  #isReplaced = false;
  readonly #onDue: () => void;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(standing: Standing, now: number, onDue: () => void) {
    this.standing = standing;
    this.#onDue = onDue;
    this.openedAt = now;
    this.latest = now;
    const { store } = standing;
    this.#unsubscribe = [
      store.onAppended((events) => {
        for (const event of events) this.#take(event);
      }),
      store.onReplaced(() => {
        this.#isReplaced = true;
      }),
    ];
  }

  /** Looks through the tables, when it is time to. */
  async lookFurther(now: number): Promise<void> {
    if (now < this.#lookAt) return;
    const after = this.#knownUntil;
    // Whatever happens from now on is heard of.
    this.#knownUntil = now + KNOWN_MS;
    try {
      for (const table of this.standing.views.parts(tasks)) {
        // Once: when the clock went back since, that was noticed, and is not to be noticed again.
        if (after === Number.NEGATIVE_INFINITY) this.latest = Math.max(this.latest, table.latest);
        table.eachDue(after, now + KNOWN_MS, (at, taskId) => this.#later.push(at, taskId));
        await fairShare();
      }
    } catch (error) {
      this.#knownUntil = after;
      throw error;
    }
  }

  /** When there is something to do next. */
  get next(): number {
    return Math.min(this.#soon.first, this.#later.first - this.#ahead, this.#lookAt);
  }

  /** When the tables are to be looked through. Tasks that have not been read yet would not be found there. */
  get #lookAt(): number {
    const { views, store } = this.standing;
    return views.position < store.delivered ? Number.POSITIVE_INFINITY : this.#knownUntil - KNOWN_MS / 2;
  }

  get #ahead(): number {
    return this.#soon.size < MOST_AHEAD ? AHEAD_MS : 0;
  }

  note(at: number, taskId: string): void {
    this.#later.push(at, taskId);
    this.#onDue();
  }

  /** The first that is due by now. */
  takeDue(now: number): readonly [at: number, taskId: string] | undefined {
    const heap = this.#soon.first <= this.#later.first ? this.#soon : this.#later;
    return heap.first <= now ? heap.pop() : undefined;
  }

  /** One that will be due before long, and whose stream was not read ahead. */
  takeSoon(now: number): string | undefined {
    if (this.#later.first - this.#ahead > now) return undefined;
    const [at, taskId] = this.#later.pop() ?? [];
    if (at !== undefined && taskId !== undefined) this.#soon.push(at, taskId);
    return taskId;
  }

  /** Whether it still tells of what lies behind this. */
  isOf(standing: Standing | undefined): boolean {
    return standing?.store === this.standing.store && !this.#isReplaced;
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
    case 'schedule.task.created':
    case 'schedule.task.fired':
    case 'schedule.task.replanned':
    case 'schedule.task.resumed':
      return data.nextRunAt;
    case 'schedule.run.failed':
      return data.retryAt;
    default:
      return null;
  }
}
