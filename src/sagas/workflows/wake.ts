import { defer, EMPTY, merge, Observable, type SchedulerLike } from 'rxjs';
import type { Executions } from '../../application/workflows/executions.ts';
import { memoryErased } from '../../events/memory.ts';
import { executionResumed, executionStarted, stepFailed, waitBegun } from '../../events/workflows.ts';
import type { OpenExecution } from '../../projections/workflows/openExecutions.ts';
import type { Deliveries } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { TimedSaga } from '../saga.ts';
import { type Noted, whenDue } from '../whenDue.ts';

/** After a failure that is nobody's but ours. */
const AGAIN_MS = 60_000;

type OpenByStream = Readonly<Record<string, OpenExecution>>;

interface WakeContext {
  readonly store: Pick<Deliveries, 'onAppended'>;
  readonly open: () => OpenByStream;
  readonly instanceId: string;
}

interface WakeOptions {
  readonly context: () => WakeContext;
  readonly executions: Pick<Executions, 'goOn' | 'onFault'>;
}

/** Executions of this process go on when what they wait for is due, when what they work on is erased, or after a fault. */
export function wakeExecutions({ context, executions }: WakeOptions): TimedSaga<string> {
  return {
    name: 'wake-executions',
    everywhere: true,
    on: (time) => defer(() => whenDue(merge(looksNeeded(context()), faults(executions, time)), time)),
    key: (stream) => stream,
    react(stream) {
      executions.goOn(stream);
      return EMPTY;
    },
  };
}

function looksNeeded({ store, open, instanceId }: WakeContext): Observable<Noted<string>> {
  return new Observable((subscriber) => {
    const note = (looks: readonly Noted<string>[]) => {
      for (const look of looks) subscriber.next(look);
    };
    const stopListening = store.onAppended((events) => {
      for (const event of events) note(looksAfter(event, open, instanceId));
    });
    // What happened before this began to listen was heard by nobody.
    for (const stream of Object.keys(open())) {
      const due = dueIn(stream, open(), instanceId);
      if (due) note([{ at: 0, item: stream }, ...due]);
    }
    return stopListening;
  });
}

function faults(executions: Pick<Executions, 'onFault'>, time: SchedulerLike): Observable<Noted<string>> {
  return new Observable((subscriber) =>
    executions.onFault((item) => subscriber.next({ at: time.now() + AGAIN_MS, item })),
  );
}

const bringsMoments: ReadonlySet<string> = new Set([waitBegun.type, stepFailed.type]);
/** Who writes these goes on at once, unless the store let it know so late that it did not find the execution its own. */
const makesItOurs: ReadonlySet<string> = new Set([executionStarted.type, executionResumed.type]);

/** When to look at which executions of this process, because of this event. */
export function looksAfter(
  { type, stream, userId }: Pick<StoredEvent, 'type' | 'stream' | 'userId'>,
  open: () => OpenByStream,
  instanceId: string,
): readonly Noted<string>[] {
  if (bringsMoments.has(type)) return dueIn(stream, open(), instanceId) ?? [];
  if (makesItOurs.has(type)) {
    const due = dueIn(stream, open(), instanceId);
    return due ? [{ at: 0, item: stream }, ...due] : [];
  }
  if (type !== memoryErased.type) return [];
  // What they work on is erased: they find that out now, and not when their wait is over.
  return Object.entries(open())
    .filter(([, one]) => one.userId === userId && one.instanceId === instanceId)
    .map(([item]) => ({ at: 0, item }));
}

/** Undefined when this process does not have it. */
function dueIn(item: string, open: OpenByStream, instanceId: string): readonly Noted<string>[] | undefined {
  const execution = open[item];
  if (execution?.instanceId !== instanceId) return undefined;
  return Object.values(execution.due).map((at) => ({ at, item }));
}
