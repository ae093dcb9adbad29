import { constants, setPriority } from 'node:os';

/**
 * For a thread whose work can wait: where there is more to do than processors, it and each thread that it begins from
 * now on have a tenth of what others have. Only Linux has a priority for a thread; elsewhere it would be that of the
 * whole process.
 */
export function giveWayToOthers(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
