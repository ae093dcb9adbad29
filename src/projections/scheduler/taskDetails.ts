import { type EventOf, isEvent } from '../../events/definition.ts';
import { taskCreated, taskDescribed } from '../../events/scheduler.ts';
import type { Store } from '../../store/port.ts';

export interface TaskDetails {
  readonly schedule: EventOf<typeof taskCreated>['data']['schedule'];
  readonly topic: string;
  /** Null when it was erased; the payload then too. */
  readonly name: string | null;
  readonly payload: EventOf<typeof taskDescribed>['data']['payload'];
}

/** What was said of a task when it was made: too much to be held for all of them, and found at the head of its stream. */
export async function detailsOf(
  store: Pick<Store, 'readStream'>,
  stream: string,
): Promise<TaskDetails | undefined> {
  for await (const [created, described] of store.readStream(stream, { firstPage: 2 })) {
    if (!created || !described || !isEvent(created, taskCreated) || !isEvent(described, taskDescribed))
      return undefined;
    const { schedule, topic } = created.data;
    const { name, payload } = described.data;
    return { schedule, topic, name, payload };
  }
  return undefined;
}
