/*
 * Many often go on at the same moment: turns whose messages one fsync made durable, answers that came together,
 * streams that have something to send. Each takes little, but all of them would be done with nobody else in
 * between. Together they have some milliseconds at a stretch: once in a turn of the event loop while it hears what has
 * come, and once for those that wait. With what is not shared, and a collection of garbage, that stays below 10 ms.
 */

const LONGEST_MS = 2;

let isRunning = false;
let since = 0;
const waiting: (() => void)[] = [];

/** For work that is done without a pause: false when it has to wait for its share. */
export function hasTime(): boolean {
  if (isRunning) return performance.now() - since < LONGEST_MS;
  isRunning = true;
  since = performance.now();
  setImmediate(() => {
    isRunning = false;
  });
  return true;
}

/** For work with pauses: before it goes on, whoever was let go on before has come to one. First come, first served. */
export function fairShare(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });
}

/** One by one. A tick that is asked for among promises comes when none of them has anything left to do. */
function goOn(): void {
  if (!hasTime()) {
    setImmediate(goOn);
    return;
  }
  waiting.shift()?.();
  if (waiting.length > 0) queueMicrotask(() => process.nextTick(goOn));
}
