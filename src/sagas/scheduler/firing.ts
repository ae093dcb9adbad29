import { withinTime } from '../../application/patience.ts';
import type { Clock, Wake } from '../../clock.ts';
import type { Command } from '../../commands/command.ts';
import { fireTask } from '../../commands/scheduler/fireTask.ts';
import { replanTask } from '../../commands/scheduler/replanTask.ts';
import { occurrenceOf, taskState, taskStream } from '../../commands/scheduler/state.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import { findTask, tasks } from '../../projections/scheduler/tasks.ts';
import type { TaskRow } from '../../projections/scheduler/taskTable.ts';
import { DueBook, type Standing } from './dueBook.ts';

/** The clock may be put forward, the machine may sleep, the log may come back: no timer tells of it. */
const LOOK_EVERY_MS = 5_000;
const WHILE_AWAY_MS = 1_000;
const AFTER_A_FAULT_MS = 60_000;
/** Those that are due beyond these wait. Enough for the disk; what comes back from it together takes some milliseconds. */
const MOST_AT_ONCE = 64;
/** A clock that is set right by less than this changes no plan. */
const STEP_BACK_MS = 60_000;
const LONGEST_STOP_MS = 2_000;

interface FiringOptions {
  /** Undefined while the log is away. */
  readonly backing: () => Standing | undefined;
  readonly hasActor: (topic: string) => boolean;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
}

/**
 * Fires tasks when they are due: one heap and one timer for all of them. Every process does; that an occurrence is
 * fired once, the log sees to. The heap only says when to look at a task: what is due, its stream says.
 */
export class Firing {
  readonly #options: FiringOptions;
  readonly #underWay = new Set<Promise<unknown>>();
  #book: DueBook | undefined;
  #callOff: () => void = () => {};
  #wakesAt = Number.POSITIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: FiringOptions) {
    this.#options = options;
  }

  start(): void {
    this.#wakeAt(this.#options.clock());
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#callOff();
    // A log that is away may not answer at all; what it does not take now is due at the next start.
    await withinTime(Promise.all([this.#looking, ...this.#underWay]), LONGEST_STOP_MS);
    this.#book?.close();
  }

  readonly #wakeAt = (at: number): void => {
    if (this.#isStopping || this.#looking || at >= this.#wakesAt) return;
    this.#callOff();
    this.#wakesAt = at;
    this.#callOff = this.#options.wake(at, () => this.#ring());
  };

  readonly #wakeForNext = (): void => {
    if (this.#book) this.#wakeAt(this.#book.next);
  };

  #ring(): void {
    const { clock, onFailure } = this.#options;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    this.#looking = this.#look()
      .catch((error) => onFailure('scheduler', error))
      .finally(() => {
        this.#looking = undefined;
        const again = (this.#book?.read(clock) ?? clock()) + LOOK_EVERY_MS;
        this.#wakeAt(Math.min(this.#book?.next ?? again, again));
      });
  }

  async #look(): Promise<void> {
    const { clock } = this.#options;
    const book = this.#currentBook();
    if (!book) return;
    await book.lookFurther(clock());
    if (clock() < book.latest - STEP_BACK_MS) {
      book.latest = clock();
      await this.#replan(book);
    }
    while (!this.#isStopping) {
      const now = book.read(clock);
      const work = this.#nextOf(book, now);
      if (!work) return;
      await this.#begin(work);
    }
  }

  /** What is due goes before what will be. */
  #nextOf(book: DueBook, now: number): Promise<unknown> | undefined {
    const due = book.takeDue(now);
    if (due) return this.#fire(book, due[1], due[0]);
    const soon = book.takeSoon(now);
    return soon === undefined ? undefined : readAhead(book, soon);
  }

  #currentBook(): DueBook | undefined {
    const standing = this.#options.backing();
    if (this.#book?.isOf(standing)) return this.#book;
    this.#book?.close();
    this.#book = undefined;
    // Tasks that have not been read yet would not be found.
    if (!standing || standing.views.position < standing.store.delivered) return undefined;
    this.#book = new DueBook(standing, this.#options.clock(), this.#wakeForNext);
    return this.#book;
  }

  /** Resolves when there is room for another one, in time as well. */
  async #begin(work: Promise<unknown>): Promise<void> {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
    if (this.#underWay.size >= MOST_AT_ONCE) await Promise.race(this.#underWay);
    if (!hasTime()) await fairShare();
  }

  async #fire(book: DueBook, taskId: string, at: number): Promise<void> {
    const { hasActor } = this.#options;
    const row = await this.#run(book, fireTask, { taskId, presentSince: book.openedAt, hasActor }, at);
    // Not due after all: the clock went back in the moment in which it was looked at.
    for (const left of [row?.nextRunAt, row?.retryAt])
      if (typeof left === 'number' && left <= at) book.note(left, taskId);
  }

  /** How the task is then. When it could not be done now, it is looked at again later. */
  async #run<Input extends { readonly taskId: string }, State>(
    book: DueBook,
    command: Command<Input, State>,
    input: Input,
    at: number,
  ): Promise<TaskRow | undefined> {
    const { clock, onFailure } = this.#options;
    const { taskId } = input;
    try {
      const { standing } = book;
      const task = findTask(standing.views, taskId);
      // It happened already, but has not been read yet.
      if (!task) throw new HarkError('CONFLICT');
      const context = { userId: task.userId, correlationId: occurrenceOf(taskId, at) };
      await standing.runner.run(command, input, context);
      return findTask(standing.views, taskId);
    } catch (error) {
      const isPassing = isHarkError(error, 'KVSTORE_UNAVAILABLE', 'STORAGE_FULL', 'CONFLICT');
      if (!isPassing) onFailure(command.name, error);
      book.note(clock() + (isPassing ? WHILE_AWAY_MS : AFTER_A_FAULT_MS), taskId);
      return undefined;
    }
  }

  async #replan(book: DueBook): Promise<void> {
    for (const table of book.standing.views.parts(tasks)) {
      const due: (readonly [number, string])[] = [];
      table.eachDue(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, (at, taskId) =>
        due.push([at, taskId]),
      );
      for (const [at, taskId] of due) {
        if (this.#isStopping) return;
        await this.#begin(this.#run(book, replanTask, { taskId }, at));
      }
    }
  }
}

/** So that nothing has to be read when it is due. What fails here fails then again, and is dealt with there. */
async function readAhead({ standing }: DueBook, taskId: string): Promise<void> {
  try {
    const task = findTask(standing.views, taskId);
    if (task) await standing.runner.read(taskState, taskStream(taskId), task.userId);
  } catch {}
}
