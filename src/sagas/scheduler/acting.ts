import { isStoreUnavailable } from '../../application/retryWhileUnavailable.ts';
import type { SaidToUser, TopicActors } from '../../application/topicActors.ts';
import { type NotifyUser, notifyUser } from '../../commands/notifications/notify.ts';
import { endRun } from '../../commands/scheduler/endRun.ts';
import { isHarkError } from '../../errors.ts';
import type { EventOf } from '../../events/definition.ts';
import { runRetried, taskFired } from '../../events/scheduler.ts';
import { findReceived } from '../../projections/chat/received.ts';
import type { Views } from '../../projections/runtime.ts';
import { detailsOf } from '../../projections/scheduler/taskDetails.ts';
import { findTask } from '../../projections/scheduler/tasks.ts';
import type { EventReader } from '../../store/port.ts';
import type { TaskMaker } from '../../vocabulary.ts';
import { defineSaga, type Saga } from '../saga.ts';

interface ActingContext {
  readonly store: EventReader;
  readonly views: Pick<Views, 'parts'>;
}

interface ActingOptions {
  readonly actors: TopicActors;
  readonly context: () => ActingContext;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** Characters of a notification. The whole is in the conversation. */
const MOST_TOLD = 4_000;

/** One attempt at one occurrence. */
interface Attempt {
  readonly taskId: string;
  readonly occurrenceId: string;
  readonly attempt: number;
  readonly topic: string;
  readonly payload: unknown;
  readonly madeBy: TaskMaker;
  readonly deviceId?: string | undefined;
  readonly sessionId: string | null;
  readonly notify?: readonly string[] | undefined;
  readonly late: boolean;
}

/**
 * Has done what a fired topic asks for, and records how that went. Cut off, it is asked for again under the same id:
 * whoever acts begins it once.
 */
export function actOnFired({ actors, context, onFailure }: ActingOptions): Saga {
  return defineSaga({
    name: 'act-on-fired',
    on: [taskFired, runRetried],
    // How often a run is tried again is decided with the task; this is about recording how it went.
    retry: { tries: 10, firstPauseMs: 100 },
    key: ({ stream }) => stream,
    async react(event, { run, signal }) {
      const { userId, correlationId } = event;
      const asked = await attemptIn(event, context());
      if (!asked || userId === null) return;
      const { taskId, occurrenceId, attempt, topic, payload, sessionId, late, madeBy, deviceId } = asked;
      const id = `${occurrenceId}-${attempt}`;
      // What the user set is said by the schedule; what others made is theirs whenever it is said.
      const origin = madeBy === 'user' ? 'schedule' : madeBy;
      const by = deviceId === undefined ? {} : { deviceId };
      const whose = { userId, ...by, id, correlationId, origin, source: taskId, sessionId } as const;
      const acted = actors.act(topic, payload, { ...whose, late, signal });
      const failure = await untilStopped(acted, signal).then(
        async (told) => {
          const message = told && (await whatToTell(context(), asked, { userId, id, ...told }));
          if (message) await run(notifyUser, message);
          return null;
        },
        (error: unknown) => {
          // Not its fault: it is asked for again, by this process or another.
          if (signal.aborted || isStoreUnavailable(error)) throw error;
          if (!isHarkError(error)) onFailure(topic, error);
          return { code: isHarkError(error) ? error.code : 'INTERNAL' };
        },
      );
      await run(endRun, { taskId, occurrenceId, attempt, failure });
    },
  });
}

interface Said extends SaidToUser {
  readonly userId: string;
  /** Of the attempt, and of the turn in which it was said. */
  readonly id: string;
}

/** What the user is notified of; nothing, where it has been forgotten since. */
async function whatToTell(
  { store }: ActingContext,
  { taskId, notify: channels }: Attempt,
  { userId, id, text, sessionId }: Said,
): Promise<NotifyUser | undefined> {
  const received = await findReceived(store, userId, id);
  const details = await detailsOf(store, taskId);
  if (received?.data.text === null || !details?.name) return undefined;
  return {
    notificationId: id,
    title: details.name,
    text: text.length > MOST_TOLD ? `${text.slice(0, MOST_TOLD)}…` : text,
    by: 'schedule',
    taskId,
    sessionId: sessionId ?? undefined,
    conversationId: received?.data.conversationId,
    channels,
  };
}

/** Rejects when the process is to stop: what takes its time is not waited for then. */
async function untilStopped<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function attemptIn(
  event: EventOf<typeof taskFired | typeof runRetried>,
  { store, views }: ActingContext,
): Promise<Attempt | undefined> {
  if (event.type === taskFired.type) {
    const { acts, sessionId = null, ...fired } = event.data;
    return acts ? { ...fired, sessionId, attempt: 1 } : undefined;
  }
  const { taskId } = event.data;
  const task = findTask(views, taskId);
  const details = await detailsOf(store, taskId);
  if (!task || !details) return undefined;
  const { topic, payload, deviceId, sessionId, notify } = details;
  return {
    ...event.data,
    topic,
    payload,
    deviceId,
    sessionId,
    notify: notify ?? undefined,
    madeBy: task.madeBy,
    late: true,
  };
}
