import type { SchedulerEvent } from '../../../src/events/scheduler.ts';
import type { Schedule } from '../../../src/recurrence.ts';
import { NOW } from '../../support/given.ts';

type DataOf<Type extends SchedulerEvent['type']> = Extract<SchedulerEvent, { type: Type }>['data'];

export const taskId = 'tea';
export const MINUTE = 60_000;

export function created(changes: Partial<DataOf<'schedule.task.created'>> = {}): SchedulerEvent {
  const schedule: Schedule = { type: 'interval', intervalMs: MINUTE };
  const data = { taskId, schedule, topic: 'tea.time', madeBy: 'user', nextRunAt: NOW } as const;
  return { type: 'schedule.task.created', data: { ...data, generation: 0, ...changes } };
}

export function described(changes: Partial<DataOf<'schedule.task.described'>> = {}): SchedulerEvent {
  return {
    type: 'schedule.task.described',
    data: { taskId, name: 'Tea', payload: { sugar: 2 }, ...changes },
  };
}

/** The occurrence that is due at this time. */
export function fired(dueAt: number, changes: Partial<DataOf<'schedule.task.fired'>> = {}): SchedulerEvent {
  const occurrence = {
    taskId,
    occurrenceId: `tea-${dueAt}`,
    topic: 'tea.time',
    payload: { sugar: 2 },
    madeBy: 'user',
    dueAt,
  } as const;
  const next = { late: false, nextRunAt: dueAt + MINUTE, acts: false, held: null };
  return { type: 'schedule.task.fired', data: { ...occurrence, ...next, ...changes } };
}

export function run(dueAt: number, attempt = 1) {
  return { taskId, occurrenceId: `tea-${dueAt}`, attempt };
}

export function runFailed(
  dueAt: number,
  {
    attempt = 1,
    failures = 1,
    retryAt = null,
  }: { attempt?: number; failures?: number; retryAt?: number | null } = {},
): SchedulerEvent {
  const data = { ...run(dueAt, attempt), code: 'MODEL_UNAVAILABLE', failures, retryAt };
  return { type: 'schedule.run.failed', data };
}
