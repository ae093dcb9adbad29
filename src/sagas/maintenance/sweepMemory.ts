import {
  catchError,
  concat,
  defer,
  EMPTY,
  filter,
  from,
  ignoreElements,
  merge,
  mergeMap,
  Observable,
  of,
  tap,
  throwError,
} from 'rxjs';
import { Pace } from '../../application/maintenance/pace.ts';
import type { ContradictionFinder } from '../../application/maintenance/ports.ts';
import type { AskedSweep, SweepRequest, SweepRequests } from '../../application/maintenance/sweepRequests.ts';
import { isStoreUnavailable } from '../../application/retryWhileUnavailable.ts';
import { type Clock, isAhead } from '../../clock.ts';
import { userMemory } from '../../commands/memory/state.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { isHarkError } from '../../errors.ts';
import { type CompletedSweep, maintenanceCompleted, type Thresholds } from '../../events/maintenance.ts';
import { memoryStream } from '../../events/memory.ts';
import { sweptUsers } from '../../projections/maintenance/sweptUsers.ts';
import { firstReportFrom } from '../../projections/memory/sweepReport.ts';
import type { Views } from '../../projections/runtime.ts';
import type { Deliveries, EventReader } from '../../store/port.ts';
import type { TimedSaga } from '../saga.ts';

/*
 * What happens when a sweep is asked for: by a request, by an event, by the night, or because one was cut off.
 *
 *   asked ─► is another process at it? ─► its report, when the log has it
 *             └► no: was one made since? ─► its report
 *                     └► no: swept, from the beginning or from where one was cut off
 *                          ├► its report, when the log has it
 *                          ├► something broke: that is in the log, and the next sweep is another one
 *                          └► the log is away, the lease is lost, or the service stops: gone on with, here or elsewhere
 */

interface SweepContext {
  readonly store: Deliveries & EventReader;
  readonly runner: CommandRunner;
  readonly views: Views;
}

export interface SweepMemoryOptions {
  readonly requests: Pick<SweepRequests, 'onAsked' | 'isOpen' | 'complete' | 'fail'>;
  /** Throws while the log is away. */
  readonly context: () => SweepContext;
  readonly thresholds: () => Thresholds;
  readonly clock: Clock;
  readonly contradictions?: ContradictionFinder | undefined;
  readonly isChatting: () => boolean;
}

/** Sweeps what is asked for, in each process what was asked there, and never two at once for a user. */
export function sweepMemory(options: SweepMemoryOptions): TimedSaga<AskedSweep> {
  const { requests, context } = options;
  return {
    name: 'sweep-memory',
    everywhere: true,
    on: () => new Observable((subscriber) => requests.onAsked((asked) => subscriber.next(asked))),
    // Whoever asked is told.
    retry: { tries: 1 },
    key: ({ request }) => request.userId,
    react(asked, { onceAmongProcesses }) {
      // Who asked while a sweep of the user went on has had its report.
      if (!requests.isOpen(asked)) return EMPTY;
      const { request } = asked;
      const { userId } = request;
      return defer(() => lastReport(context(), userId)).pipe(
        mergeMap((before) =>
          onceAmongProcesses(
            `maintenance-${userId}`,
            (signal) => sweepUnlessMade(options, { request, before, signal }),
            reportsSince(context(), userId, before),
          ),
        ),
        tap((report) => requests.complete(userId, report)),
        catchError((error) => {
          requests.fail(request, error);
          return EMPTY;
        }),
      );
    },
  };
}

interface Sweeping {
  readonly request: SweepRequest;
  /** The last report when it was asked for. */
  readonly before: CompletedSweep | undefined;
  readonly signal: AbortSignal;
}

function sweepUnlessMade(options: SweepMemoryOptions, sweeping: Sweeping): Observable<CompletedSweep> {
  const { context, clock } = options;
  const { request, before } = sweeping;
  return defer(() => lastReport(context(), request.userId)).pipe(
    mergeMap((last) =>
      last && isWanted(last, request, before, clock()) ? of(last) : sweep(options, sweeping),
    ),
  );
}

/** Whether this report is what was asked for: it has come since, or is of a time that will do. */
export function isWanted(
  last: Pick<CompletedSweep, 'sweepId' | 'timestamp'>,
  { since = Number.POSITIVE_INFINITY }: Pick<SweepRequest, 'since'>,
  before: Pick<CompletedSweep, 'sweepId'> | undefined,
  now: number,
): boolean {
  return last.sweepId !== before?.sweepId || (last.timestamp >= since && !isAhead(last.timestamp, now));
}

/** The report; none when the signal came before: somebody goes on. */
function sweep(options: SweepMemoryOptions, { request, signal }: Sweeping): Observable<CompletedSweep> {
  const { context, thresholds, contradictions, isChatting } = options;
  const { userId, by, correlationId, commandId } = request;
  // Loaded when it is wanted: few starts are followed by a sweep.
  return defer(() => import('./sweep.ts')).pipe(
    mergeMap(({ SweepRun }) => {
      const { runner, store } = context();
      const parts = { runner, store, contradictions, pace: new Pace({ isChatting }) };
      const run = new SweepRun(parts, { userId, correlationId }, signal);
      return run.run({ by, thresholds: thresholds() }, commandId);
    }),
    catchError((error) => {
      if (signal.aborted) return EMPTY;
      const broken = throwError(() => error);
      // What the log cut off is gone on with once it is back.
      if (isStoreUnavailable(error)) return broken;
      const noted = defer(() => noteFailure(context(), request, error));
      return concat(
        noted.pipe(
          catchError(() => EMPTY),
          ignoreElements(),
        ),
        broken,
      );
    }),
  );
}

async function noteFailure({ runner }: SweepContext, request: SweepRequest, error: unknown): Promise<void> {
  const { userId, correlationId } = request;
  const { upkeep } = await runner.read(userMemory, memoryStream(userId), userId);
  if (!upkeep.sweep) return;
  const code = isHarkError(error) ? error.code : 'INTERNAL';
  const { failSweep } = await import('../../commands/memory/sweep/sweep.ts');
  await runner.run(failSweep, { sweepId: upkeep.sweep.sweepId, code }, { userId, correlationId });
}

/** Where it is, is known of every user: nothing of a memory is read for it. */
async function lastReport(
  { store, views }: SweepContext,
  userId: string,
): Promise<CompletedSweep | undefined> {
  const place = views.view(sweptUsers).byStream[memoryStream(userId)]?.lastReport;
  return place === undefined ? undefined : firstReportFrom(store, userId, place);
}

/** The last report of the user, when it is not this one and as soon as it is there, whichever process made it. */
function reportsSince(
  context: SweepContext,
  userId: string,
  before: CompletedSweep | undefined,
): Observable<CompletedSweep> {
  const completions = new Observable<number>((subscriber) =>
    context.store.onAppended((events) => {
      if (events.some((event) => event.type === maintenanceCompleted.type && event.userId === userId))
        subscriber.next(0);
    }),
  );
  return merge(completions, of(0)).pipe(
    mergeMap(() => from(lastReport(context, userId))),
    filter((last): last is CompletedSweep => last !== undefined && last.sweepId !== before?.sweepId),
  );
}
