import { constants, setPriority } from 'node:os';

/**
 * For a thread with work that nobody waits for: whoever answers goes first. On Linux a priority is one thread's;
 * elsewhere it would be that of the whole process, and is left as it is.
 */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
}
