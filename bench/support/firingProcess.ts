import { systemClock, systemWake, type Wake } from '../../src/clock.ts';
import { StoreCommandRunner } from '../../src/commands/runner.ts';
import { eventCatalog } from '../../src/events/catalog.ts';
import { taskFired } from '../../src/events/scheduler.ts';
import { ProjectionRuntime } from '../../src/projections/runtime.ts';
import { tasks } from '../../src/projections/scheduler/tasks.ts';
import { ClockScheduler, SagaRuntime } from '../../src/sagas/runtime.ts';
import { fireTasks } from '../../src/sagas/scheduler/firing.ts';
import { Log } from '../../src/store/log.ts';
import { openAdapter } from '../../src/store/open.ts';
import { longestBlock } from './mainThread.ts';
import { percentile } from './measure.ts';

/* A process that fires the tasks of a log: how long it takes until all are known, and how late it fires those due. */

const [folder, due]: [string, number] = JSON.parse(process.argv[2] ?? '[]');
const store = await Log.open(await openAdapter('embedded', folder), eventCatalog);
globalThis.gc?.();
const before = process.memoryUsage.rss();
const started = performance.now();
const loaded = Promise.withResolvers<number>();
const fired = Promise.withResolvers<void>();
const late: number[] = [];
store.onAppended((events) => {
  const now = performance.timeOrigin + performance.now();
  for (const { type, data } of events)
    if (type === taskFired.type) late.push(now - taskFired.data.parse(data).dueAt);
  if (late.length >= due) fired.resolve();
});
const views = new ProjectionRuntime(store, [tasks]);
let looks = 0;
const wake: Wake = (at, callback) => {
  // It sets its timer when it has found all tasks.
  if (++looks === 1) loaded.resolve(performance.now() - started);
  return systemWake(at, callback);
};
const runner = new StoreCommandRunner({ store, clock: systemClock, newId: String });
const onFailure = (_what: string, error: unknown) => {
  throw error;
};
const firing = new SagaRuntime({
  ...{ store, runner, onFailure, instanceId: 'one' },
  time: new ClockScheduler({ clock: systemClock, wake }),
  sagas: [fireTasks({ context: () => ({ store, runner, views }), hasActor: () => false, onFailure })],
});
// Its timers hold up no process that has nothing else to do.
const alive = setInterval(() => {}, 1_000);
let ms = 0;
const blockedLoading = await longestBlock(async () => {
  await views.start();
  firing.start();
  ms = await loaded.promise;
});
globalThis.gc?.();
const mib = (process.memoryUsage.rss() - before) / 2 ** 20;
const blockedFiring = await longestBlock(() => fired.promise);
await firing.stop();
await store.close();
clearInterval(alive);
const lateness = { p50: percentile(late, 50), p99: percentile(late, 99) };
console.log(JSON.stringify({ ms, mib, blockedLoading, blockedFiring, ...lateness }));
