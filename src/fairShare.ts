import { setImmediate as nextTurn } from 'node:timers/promises';

/*
 * Many often go on at the same moment: turns whose messages one fsync made durable, answers that came together,
 * streams that have something to send. Each takes little, but all of them would be done with nobody else in
 * between. Together they have some milliseconds of each turn of the event loop.
 */

const LONGEST_MS = 4;

let isRunning = false;
let since = 0;

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

/** For work with pauses: before it goes on, whoever was let go on before has come to one. */
export async function fairShare(): Promise<void> {
  do await nextTurn();
  while (!hasTime());
}
