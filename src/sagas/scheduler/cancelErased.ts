import { cancelTask } from '../../commands/scheduler/changeStatus.ts';
import { memoryErased } from '../../events/memory.ts';
import type { Views } from '../../projections/runtime.ts';
import { tasksOf } from '../../projections/scheduler/tasks.ts';
import { defineSaga, type Saga } from '../saga.ts';

/** With everything of a user, what their tasks were to say is erased: they are over. */
export function cancelErased(views: () => Views): Saga {
  return defineSaga({
    name: 'cancel-erased-tasks',
    on: [memoryErased],
    // What was to be erased must not go on.
    retry: { tries: 12, firstPauseMs: 100 },
    key: ({ owner }) => owner,
    async react({ owner, position }, { run, signal }) {
      for (const { taskId, status, position: createdAt } of tasksOf(views(), owner)) {
        if (signal.aborted) return;
        const isOver = status !== 'active' && status !== 'paused';
        if (isOver || createdAt > position) continue;
        await run(cancelTask, { taskId, because: 'erased' }, { step: taskId });
      }
    },
  });
}
