import { toned } from '../output.ts';

/** One line that changes, below what was said: on a terminal alone. */
export function showState(state: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${toned('dim', state)}\r`);
}

/** Before anything else is printed. */
export function clearState(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
}
