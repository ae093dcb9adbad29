import { randomUUID } from 'node:crypto';
import { StoreCommandRunner } from '../../src/commands/runner.ts';
import { createTask } from '../../src/commands/scheduler/createTask.ts';
import { eventCatalog } from '../../src/events/catalog.ts';
import { ProjectionRuntime } from '../../src/projections/runtime.ts';
import { tasks } from '../../src/projections/scheduler/tasks.ts';
import { Log } from '../../src/store/log.ts';
import { openAdapter } from '../../src/store/open.ts';
import { callAtOnce } from './measure.ts';

const HOUR = 3_600_000;

interface Wanted {
  readonly count: number;
  /** The last of them are due a millisecond apart, from `leadMs` from now on; the others some time. */
  readonly soon: number;
  readonly leadMs: number;
  readonly userId: string;
}

/** Makes tasks that are due once, as a service would leave them that ran for long and was stopped. */
export async function writeTasks(folder: string, wanted: Wanted): Promise<void> {
  const far = Date.now() + HOUR;
  const dueFar = (index: number) => far + ((index * 7_919) % 80_000_000);
  await create(folder, wanted.userId, wanted.count - wanted.soon, dueFar);
  const start = Date.now() + wanted.leadMs;
  await create(folder, wanted.userId, wanted.soon, (index) => start + index);
}

async function create(
  folder: string,
  userId: string,
  count: number,
  dueAt: (index: number) => number,
): Promise<void> {
  const store = await Log.open(await openAdapter('embedded', folder), eventCatalog);
  const views = new ProjectionRuntime(store, [tasks]);
  await views.start();
  const runner = new StoreCommandRunner({ store, clock: Date.now, newId: String });
  await callAtOnce(512, count, (index) => {
    const schedule = { type: 'once', atTimestamp: dueAt(index) } as const;
    const payload = { agent: 'a-1', task: 'sweep' };
    const about = { taskId: randomUUID(), name: `Task ${index}`, topic: 'bench.sweep', payload };
    return runner.run(createTask, { ...about, schedule }, { userId, correlationId: 'bench' });
  });
  await views.saveSnapshots();
  await store.close();
}
