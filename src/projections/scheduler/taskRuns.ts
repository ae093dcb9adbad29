import { readSchedulerEvent, type SchedulerEvent, taskStream } from '../../events/scheduler.ts';
import type { EventReader } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';

/** One occurrence of a task, and what became of it. */
export interface TaskRun {
  readonly occurrenceId: string;
  readonly at: number;
  readonly dueAt: number;
  readonly late: boolean;
  /** The user wanted it then. */
  readonly asked: boolean;
  /** `published`: nothing acts on its topic. `held`: something does, and did not, since another run was in the way. */
  readonly state: 'published' | 'held' | 'running' | 'succeeded' | 'failed';
  readonly attempts: number;
  readonly endedAt: number | null;
  /** Why the last attempt failed. */
  readonly code: string | null;
  /** When it is tried again. */
  readonly retryAt: number | null;
}

/** Events to look through for each run: it fires, ends, and now and then is tried again. */
const EVENTS_OF_A_RUN = 4;

/**
 * The last runs of a task, newest first. Of a stream however long, the end alone is read; of the past, what was written
 * down by then.
 */
export async function lastRuns(
  store: EventReader,
  { taskId, runCount }: { readonly taskId: string; readonly runCount: number },
  most: number,
  time?: number,
): Promise<readonly TaskRun[]> {
  const runs = new Map<string, TaskRun>();
  const stream = taskStream(taskId);
  const last = time === undefined ? await lastVersion(store, stream, runCount + 1) : 0;
  const fromVersion = Math.max(1, last - most * EVENTS_OF_A_RUN);
  for await (const batch of store.readStream(stream, { fromVersion }))
    for (const stored of batch) {
      const event = readSchedulerEvent(stored);
      if (event && stored.at <= (time ?? stored.at)) take(runs, event, stored);
      const [oldest] = runs.size > most ? runs.keys() : [];
      if (oldest !== undefined) runs.delete(oldest);
    }
  return Array.from(runs.values()).reverse();
}

/** Nobody keeps it: it is asked for in growing steps, and then in halves. */
async function lastVersion(store: EventReader, stream: string, known: number): Promise<number> {
  let last = known;
  let step = 1;
  for (; await hasVersion(store, stream, last + step); step *= 2) last += step;
  for (; step >= 1; step /= 2) if (await hasVersion(store, stream, last + step)) last += step;
  return last;
}

async function hasVersion(store: EventReader, stream: string, fromVersion: number): Promise<boolean> {
  for await (const { length } of store.readStream(stream, { fromVersion, firstPage: 1 })) return length > 0;
  return false;
}

function take(runs: Map<string, TaskRun>, { type, data }: SchedulerEvent, { at }: StoredEvent): void {
  if (type === 'schedule.task.fired') {
    const { occurrenceId, dueAt, late, asked = false, acts, held } = data;
    const state = acts ? 'running' : held === null ? 'published' : 'held';
    const begun = { attempts: 1, endedAt: null, code: null, retryAt: null };
    runs.set(occurrenceId, { occurrenceId, at, dueAt, late, asked, state, ...begun });
    return;
  }
  if (!('occurrenceId' in data)) return;
  const run = runs.get(data.occurrenceId);
  if (!run) return;
  const { occurrenceId, attempt: attempts } = data;
  if (type === 'schedule.run.retried')
    runs.set(occurrenceId, { ...run, attempts, state: 'running', retryAt: null });
  if (type === 'schedule.run.succeeded')
    runs.set(occurrenceId, { ...run, attempts, state: 'succeeded', endedAt: at, code: null });
  if (type === 'schedule.run.failed') {
    const { code, retryAt } = data;
    runs.set(occurrenceId, { ...run, attempts, state: 'failed', endedAt: at, code, retryAt });
  }
}
