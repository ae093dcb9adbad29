import { setImmediate as nextTurn } from 'node:timers/promises';

const LONGEST_SLICE_MS = 4;

/** Long work on the main thread in slices: `breathe` lets everybody else have a turn once a slice is used up. */
export class Slices {
  #since = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.#since < LONGEST_SLICE_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
