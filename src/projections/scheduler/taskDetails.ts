import { type EventOf, isEvent } from '../../events/definition.ts';
import { taskCreated, taskDescribed, taskStream } from '../../events/scheduler.ts';
import type { EventReader, StreamRange } from '../../store/port.ts';

export interface TaskDetails {
  readonly schedule: EventOf<typeof taskCreated>['data']['schedule'];
  readonly topic: string;
  readonly deviceId: string | undefined;
  /** Where it is said, of what says something. */
  readonly sessionId: string | null;
  /** The channels by which it is told; null for all. */
  readonly notify: readonly string[] | null;
  /** How many tasks, each made in the run of the one before it, led to this one in quick succession. */
  readonly generation: number;
  /** Null when it was erased; the payload then too. */
  readonly name: string | null;
  readonly payload: EventOf<typeof taskDescribed>['data']['payload'];
}

/** What was said of a task when it was made: too much to be held for all of them, and found at the head of its stream. */
export async function detailsOf(
  store: EventReader,
  taskId: string,
  range: Pick<StreamRange, 'untilPosition'> = {},
): Promise<TaskDetails | undefined> {
  for await (const [created, described] of store.readStream(taskStream(taskId), { ...range, firstPage: 2 })) {
    if (!created || !described || !isEvent(created, taskCreated) || !isEvent(described, taskDescribed))
      return undefined;
    const { schedule, topic, generation, deviceId, sessionId = null, notify = null } = created.data;
    const { name, payload } = described.data;
    return { schedule, topic, generation, deviceId, sessionId, notify, name, payload };
  }
  return undefined;
}
