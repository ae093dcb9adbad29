import {
  catchError,
  concat,
  defer,
  delay,
  distinctUntilChanged,
  EMPTY,
  finalize,
  from,
  map,
  mergeMap,
  type Observable,
  type ObservableInput,
  of,
  repeat,
  type SchedulerLike,
  startWith,
  switchMap,
  take,
  takeUntil,
  timer,
} from 'rxjs';
import type { Clock } from '../../clock.ts';
import type { Command } from '../../commands/command.ts';
import { fireTask } from '../../commands/scheduler/fireTask.ts';
import { replanTask } from '../../commands/scheduler/replanTask.ts';
import { occurrenceOf, readTask } from '../../commands/scheduler/state.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import { findTask } from '../../projections/scheduler/tasks.ts';
import { aborted } from '../aborted.ts';
import { pull, type Source } from '../pull.ts';
import type { TimedSaga } from '../saga.ts';
import { DueBook, type DueBookContext, type DueTask } from './dueBook.ts';

/** The clock may be put forward, the machine may sleep, the log may come back: no timer tells of it. */
const LOOK_EVERY_MS = 5_000;
const WHILE_AWAY_MS = 1_000;
const AFTER_A_FAULT_MS = 60_000;
/** Those that are due beyond these wait. Enough for the disk; what comes back from it together takes some milliseconds. */
const MOST_AT_ONCE = 64;
const LONGEST_STOP_MS = 2_000;

interface FiringOptions {
  /** Undefined while the log is away. */
  readonly context: () => DueBookContext | undefined;
  readonly hasActor: (topic: string) => boolean;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** Something to be done about a task, by the book that told of it. */
interface Work extends DueTask {
  readonly book: DueBook;
  readonly clock: Clock;
}

/**
 * Fires tasks when they are due, in every process; that an occurrence is fired once, the log sees to. The stream of due
 * times only says when to look at a task: what is due, its stream says.
 */
export function fireTasks({ context, hasActor, onFailure }: FiringOptions): TimedSaga<Work> {
  const perform = ({ is, taskId, at, book, clock }: Work): Observable<unknown> => {
    const { runner, views } = book.context;
    const run = <Input, State>(command: Command<Input, State>, input: Input) =>
      defer(async () => {
        const task = findTask(views, taskId);
        // It happened already, but has not been read yet.
        if (!task) throw new HarkError('CONFLICT');
        await runner.run(command, input, { userId: task.userId, correlationId: occurrenceOf(taskId, at) });
        return findTask(views, taskId);
      }).pipe(
        catchError((error) => {
          const isPassing = isHarkError(error, 'KVSTORE_UNAVAILABLE', 'STORAGE_FULL', 'CONFLICT');
          if (!isPassing) onFailure(command.name, error);
          book.note(clock() + (isPassing ? WHILE_AWAY_MS : AFTER_A_FAULT_MS), taskId);
          return EMPTY;
        }),
      );
    if (is === 'replan') return run(replanTask, { taskId });
    if (is === 'soon') return readAhead(book, taskId);
    return run(fireTask, { taskId, presentSince: book.openedAt, hasActor }).pipe(
      map((row) => {
        // Not due after all: the clock went back in the moment in which it was looked at.
        for (const left of [row?.nextRunAt, row?.retryAt])
          if (typeof left === 'number' && left <= at) book.note(left, taskId);
      }),
    );
  };

  return {
    name: 'fire-tasks',
    everywhere: true,
    atOnce: MOST_AT_ONCE,
    on: (time, room) =>
      dueTasks(time, () => from(room()).pipe(mergeMap(() => (hasTime() ? of(true) : fairShare()))), {
        context,
        onFailure,
      }),
    key: ({ taskId }) => taskId,
    // A log that is away may not answer at all; what it does not take now is due at the next start.
    react: (work, { signal }) => perform(work).pipe(takeUntil(aborted(signal).pipe(delay(LONGEST_STOP_MS)))),
  };
}

/**
 * What there is to do about tasks, each in its time and as soon as there is room for it. Looked for whenever something
 * falls due by what is known, and every few seconds.
 */
export function dueTasks(
  time: SchedulerLike,
  room: () => ObservableInput<unknown>,
  { context, onFailure }: Pick<FiringOptions, 'context' | 'onFailure'>,
): Observable<Work> {
  const clock = () => time.now();
  return defer(() => {
    let book: DueBook | undefined;
    let hasFailed = false;
    const look = defer(() => {
      hasFailed = false;
      if (book && !book.isOf(context())) {
        book.close();
        book = undefined;
      }
      book ??= openBook(context(), clock());
      if (!book) return EMPTY;
      const current = book;
      const todo = defer(() => pull(inSteps(current.todo(clock)), room));
      return concat(current.lookFurther(clock()), todo).pipe(
        map((task): Work => ({ ...task, book: current, clock })),
      );
    }).pipe(
      catchError((error) => {
        hasFailed = true;
        onFailure('scheduler', error);
        return EMPTY;
      }),
    );
    // What is due stays due when looking fails: by the book, it would be looked for again at once.
    const again = () => (book && !hasFailed ? nextLook(book, time) : timer(LOOK_EVERY_MS, time));
    return look.pipe(
      repeat({ delay: again }),
      finalize(() => book?.close()),
    );
  });
}

/** Tasks that have not been read yet would not be found. */
function openBook(context: DueBookContext | undefined, now: number): DueBook | undefined {
  if (!context || context.views.position < context.store.delivered) return undefined;
  return new DueBook(context, now);
}

/** Emits when it is time to look again. */
function nextLook(book: DueBook, time: SchedulerLike): Observable<unknown> {
  const again = book.read(() => time.now()) + LOOK_EVERY_MS;
  return book.noted.pipe(
    startWith(null),
    map(() => Math.min(book.next, again)),
    distinctUntilChanged(),
    switchMap((at) => timer(new Date(at), time)),
    take(1),
  );
}

function inSteps<Value>(values: Iterator<Value>): Source<Value> {
  return { [Symbol.asyncIterator]: () => ({ next: () => of(values.next()) }) };
}

/** So that nothing has to be read when it is due. What fails here fails then again, and is dealt with there. */
function readAhead({ context: { runner, views } }: DueBook, taskId: string): Observable<unknown> {
  return defer(() => {
    const task = findTask(views, taskId);
    return task ? readTask(runner, taskId, task.userId) : EMPTY;
  }).pipe(catchError(() => EMPTY));
}
