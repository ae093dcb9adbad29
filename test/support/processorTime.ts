/** What a piece of work takes of the processor: the same on a machine that has much else to do. */
function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Whether it takes too much each time: what did so once may have had its code made, or garbage collected. */
export function isSlow(work: () => unknown, mostMs: number): boolean {
  return [1, 2, 3].every(() => processorMs(work) > mostMs);
}
