import {
  auditTime,
  catchError,
  concatMap,
  concatWith,
  defer,
  EMPTY,
  filter,
  finalize,
  first,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type ObservableInput,
  of,
  retry,
  type SchedulerLike,
  Subject,
  scan,
  share,
  takeLast,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import type { CommandRunner } from '../commands/runner.ts';
import { abandonWork } from '../commands/system/abandonWork.ts';
import { isHarkError } from '../errors.ts';
import type { Cursor, EventBatch, LogRange, Position } from '../store/port.ts';
import type { StoredEvent } from '../store/storedEvent.ts';
import { aborted } from './aborted.ts';
import { type AnsweringContext, answer, pause } from './answer.ts';
import { inOrderOfKeys } from './inOrderOfKeys.ts';
import { places } from './places.ts';
import { type Mark, Progress } from './progress.ts';
import { pull, type Source } from './pull.ts';
import type { Reaction, Saga } from './saga.ts';

/** Reactions under way at the same time; an event that waits to be tried again takes no place. */
const MOST_AT_ONCE = 32;
/** How far is mostly read ahead of an event that is not answered yet, so that one slow key does not hold up the others. */
const MOST_OPEN = 1_024;
/** A move waits for the disk, and what users wait for waits behind it: moves that come so closely are one. */
const MOVES_APART_MS = 100;
/** Past events that the saga does not handle, the cursor moves in steps. */
const FAR_BEHIND = 1_000;
/** Before it is said once more that an event is given up. */
const SAID_AGAIN_MS = 1_000;

/** How far all is answered, and what was told of it last. */
interface Seen {
  readonly progress: Progress;
  readonly last: Mark['kind'];
}

/** What a saga needs of the log. */
export interface SagaLog {
  readCursor(name: string): ObservableInput<Cursor>;
  /** Undefined when somebody else moved it. */
  moveCursor(name: string, from: Cursor, to: Position): ObservableInput<Cursor | undefined>;
  head(): ObservableInput<Position>;
  follow(range: LogRange, signal: AbortSignal): Source<EventBatch>;
}

export interface SagaWork {
  readonly saga: Saga;
  readonly log: SagaLog;
  readonly runner: Pick<CommandRunner, 'run'>;
  readonly onFailure: (saga: string, error: unknown, correlationId?: string) => void;
  readonly scheduler: SchedulerLike;
  /** Events that are not answered, beyond which none are read; a saga with one key needs no more than one. */
  readonly mostOpen?: number;
}

/**
 * One saga at work while its process holds the lease: follows the log from the saga's cursor, answers each event in its
 * key's order, and moves the cursor past what is answered. Completes when another process moved the cursor or when the
 * signal says so, and fails when the log does; by then all that was begun has ended. Nothing is lost, only done again.
 */
export function work(options: SagaWork, stopping: AbortSignal): Observable<never> {
  const { saga, log, scheduler, mostOpen = MOST_OPEN } = options;
  return openCursor(log, saga).pipe(
    mergeMap((opened) => {
      let cursor = opened;
      const ending = new AbortController();
      const signal = AbortSignal.any([stopping, ending.signal]);
      const progress = new Progress(cursor.position);
      const marks = new Subject<Mark>();
      const over = new Subject<void>();

      const context = { ...options, signal, inPlaces: places(MOST_AT_ONCE) };
      const hasRoom = () => progress.openCount < mostOpen;
      // Asked after each batch, when there mostly is some: to listen for it takes a third of all that an event costs.
      const room = () =>
        hasRoom() ? of(true) : merge(marks.pipe(filter(hasRoom)), aborted(signal)).pipe(first());
      const range = {
        after: cursor.position,
        types: new Set(saga.on.map(({ type }) => type)),
        ...ownerOf(saga),
      };
      let failure: Observable<never> = EMPTY;
      const events = pull(log.follow(range, signal), room).pipe(
        tap(({ events, position }) => {
          for (const event of events) marks.next({ kind: 'begun', position: event.position });
          marks.next({ kind: 'read', position });
        }),
        concatMap(({ events }) => events),
        catchError((error) => {
          // What was begun ends first: whoever holds the lease next must not meet reactions of this one.
          failure = throwError(() => error);
          ending.abort();
          return EMPTY;
        }),
      );

      const answers = events.pipe(
        inOrderOfKeys(
          (event) => saga.key(event),
          (event) => answerEvent(options, event, context),
          signal,
        ),
        tap(({ position }) => marks.next({ kind: 'answered', position })),
        finalize(() => {
          over.next();
          marks.complete();
        }),
      );

      const worthMoving = marks.pipe(
        scan<Mark, Seen>(({ progress: seen }, mark) => ({ progress: seen.take(mark), last: mark.kind }), {
          progress,
          last: 'read',
        }),
        filter(({ last }) => last === 'answered' || progress.done - cursor.position >= FAR_BEHIND),
        share(),
      );
      const moves = merge(
        worthMoving.pipe(auditTime(MOVES_APART_MS, scheduler), takeUntil(over)),
        worthMoving.pipe(takeLast(1)),
      ).pipe(
        map(() => progress.done),
        concatMap((position) => {
          if (ending.signal.aborted || position <= cursor.position) return EMPTY;
          return defer(() => log.moveCursor(saga.name, cursor, position)).pipe(
            catchError(() => of(undefined)),
          );
        }),
        tap((moved) => {
          if (moved) cursor = moved;
          else ending.abort();
        }),
      );

      return merge(moves, answers).pipe(ignoreElements(), concatWith(defer(() => failure)));
    }),
  );
}

/** A saga that is new to this log mostly starts at its end: what is past was past before the saga was there. */
function openCursor(log: SagaLog, { name, range }: Saga): Observable<Cursor> {
  const read = defer(() => log.readCursor(name));
  return read.pipe(
    mergeMap((found) => {
      if (found.token > 0) return of(found);
      const begun = defer(() => (range ? of(range.since) : log.head())).pipe(
        mergeMap((start) => log.moveCursor(name, found, start)),
      );
      return begun.pipe(mergeMap((moved) => (moved ? of(moved) : read)));
    }),
  );
}

function ownerOf({ range }: Saga): Pick<LogRange, 'userId'> {
  return range ? { userId: range.userId } : {};
}

/** The event, once it is answered or given up, which is recorded. */
function answerEvent(
  { saga, runner }: SagaWork,
  event: StoredEvent,
  context: AnsweringContext,
): Observable<StoredEvent> {
  const { scheduler, signal } = context;
  const reaction = (failures: number): Reaction => ({
    failures,
    signal,
    run: (command, input, { step = command.name, userId = event.owner } = {}) =>
      runner.run(command, input, {
        userId,
        correlationId: event.correlationId,
        causationId: event.id,
        commandId: `${saga.name}:${event.id}:${step}`,
      }),
  });
  /** Said for as long as it takes: an event that is neither answered nor given up would hold up its key. */
  const giveUp = (error: unknown, attempts: number) => {
    const code = isHarkError(error) ? error.code : 'INTERNAL';
    const input = { saga: saga.name, position: event.position, attempts, code };
    return defer(() => reaction(attempts).run(abandonWork, input)).pipe(
      retry({ delay: () => pause(SAID_AGAIN_MS, scheduler, signal) }),
    );
  };
  const attempt = (failures: number) => saga.react(event, reaction(failures));
  const { correlationId } = event;
  return answer(event, { name: saga.name, policy: saga.retry, correlationId, attempt, giveUp }, context);
}
