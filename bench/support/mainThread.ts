import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How long the main thread was held up at most while `work` ran, in milliseconds beyond the timer's own step. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  monitor.enable();
  await work();
  monitor.disable();
  return monitor.max / 1e6;
}
