export const TASKS = '/api/scheduler/tasks';

/** What the tools of the scheduler have in common. */
export const scheduling = {
  category: 'scheduling',
  needsKvstore: 'SCHEDULER_UNAVAILABLE',
  wording: { SCHEDULER_UNAVAILABLE: 'Task scheduler not available' },
} as const;
