import { isStoreUnavailable } from '../../application/storeUnavailable.ts';
import type { Clock, Wake } from '../../clock.ts';
import type { WorkGuard } from './contradictions/ports.ts';
import type { SweepRequest, Sweeps } from './sweeps.ts';

/** A log that was away is looked for again. */
const AGAIN_MS = 60_000;

interface CutOffOptions {
  readonly sweeps: () => Pick<Sweeps, 'goOn'>;
  readonly guard: Pick<WorkGuard, 'mayWork'>;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** Sweeps that the log cut off are gone on with by themselves, once it is back and nobody needs the machine. */
export class CutOffSweeps {
  readonly #options: CutOffOptions;
  readonly #callOffs = new Map<string, () => void>();
  #isStopped = false;

  constructor(options: CutOffOptions) {
    this.#options = options;
  }

  add(request: SweepRequest): void {
    const { clock, wake } = this.#options;
    const { userId } = request;
    if (this.#isStopped || this.#callOffs.has(userId)) return;
    const callOff = wake(clock() + AGAIN_MS, () => {
      this.#callOffs.delete(userId);
      void this.#goOn(request);
    });
    this.#callOffs.set(userId, callOff);
  }

  stop(): void {
    this.#isStopped = true;
    for (const callOff of this.#callOffs.values()) callOff();
    this.#callOffs.clear();
  }

  async #goOn(request: SweepRequest): Promise<void> {
    const { sweeps, guard, onFailure } = this.#options;
    try {
      if ((await guard.mayWork(['maintenance'])).safe) await sweeps().goOn(request);
      else this.add(request);
    } catch (error) {
      if (isStoreUnavailable(error)) this.add(request);
      else if (!this.#isStopped) onFailure('memory maintenance', error);
    }
  }
}
