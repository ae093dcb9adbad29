import { constants, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/*
 * For threads whose work can wait: where there is more to do than processors, whoever answers goes first. Only Linux
 * has a priority for a thread; elsewhere it would be that of the whole process, and is left as it is. It also counts
 * for each thread that they begin from then on.
 */

/** For work that somebody waits for, but not in a conversation: a tenth of what others have. */
export function giveWayToOthers(): void {
  give(PRIORITY_BELOW_NORMAL);
}

/** For work that nobody waits for. */
export function giveWay(): void {
  give(PRIORITY_LOW);
}

function give(priority: number): void {
  if (process.platform === 'linux') setPriority(priority);
}
