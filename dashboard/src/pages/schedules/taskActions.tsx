import { ask } from '../../api/ask.ts';
import { Act } from '../../parts/act.tsx';
import { confirmed } from '../../parts/dialog.tsx';
import { Menu } from '../../parts/menu.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import type { Task } from './schedules.tsx';
import { words } from './words.ts';

/** What can be done with a task that is not over; with one that is, nothing. */
export function TaskActions({ task }: { readonly task: Task }) {
  if (isOver(task)) return null;
  return (
    <div class="actions">
      <Act says={words.runNow} what={task.name} onClick={() => void runNow(task)} />
      <Menu
        label={words.actionsOf}
        of={task.name}
        items={[
          {
            says: task.status === 'active' ? words.pause : words.resume,
            act: () => void switchOver(task),
          },
          { says: words.cancel, isGrave: true, act: () => void cancel(task) },
        ]}
      />
    </div>
  );
}

export const taskKeys = [
  { key: 'p', says: `${words.pause} / ${words.resume}`, act: (task: Task) => void switchOver(task) },
  { key: 'x', says: words.cancel, act: (task: Task) => void cancel(task) },
];

function isOver({ status }: Task): boolean {
  return status !== 'active' && status !== 'paused';
}

async function runNow({ id: taskId }: Task): Promise<void> {
  if (await attempt(() => ask('POST /api/scheduler/tasks/:taskId/run', { taskId }))) tell(words.ranNow);
}

async function switchOver(task: Task): Promise<void> {
  if (isOver(task)) return;
  const { id: taskId } = task;
  const set = (status: 'active' | 'paused') => ask('PUT /api/scheduler/tasks/:taskId', { taskId, status });
  const [next, before] =
    task.status === 'active' ? (['paused', 'active'] as const) : (['active', 'paused'] as const);
  if (await attempt(() => set(next)))
    tell(next === 'paused' ? words.paused : words.resumed, () => set(before));
}

async function cancel(task: Task): Promise<void> {
  if (isOver(task)) return;
  const { id: taskId, name } = task;
  const agreed = await confirmed({
    title: words.cancelTitle(name),
    text: words.cancelText,
    action: words.cancel,
    isGrave: true,
  });
  if (agreed && (await attempt(() => ask('DELETE /api/scheduler/tasks/:taskId', { taskId }))))
    tell(words.cancelled);
}
