import { setTimeout as wait } from 'node:timers/promises';
import { fairShare, hasTime } from '../../fairShare.ts';
import { Allowance } from './allowance.ts';

/** Takes in what one tool server says, no faster than it may. */
export class Intake {
  readonly #allowance = new Allowance(() => performance.now());
  readonly #onCutOff: (why: string) => void;
  readonly #closed = new AbortController();

  constructor(onCutOff: (why: string) => void) {
    this.#onCutOff = onCutOff;
  }

  /** Resolves when the next of so many bytes may be looked at: whoever waits for that reads nothing more. */
  async take(bytes: number): Promise<void> {
    if (!hasTime()) await fairShare();
    this.#closed.signal.throwIfAborted();
    const ms = this.#allowance.spend(bytes);
    if (ms === Number.POSITIVE_INFINITY) this.cutOff('It never stopped talking');
    if (ms > 0) await wait(ms, undefined, { signal: this.#closed.signal, ref: false });
  }

  whileAsked<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#allowance.whileAsked(work);
  }

  cutOff(why: string): never {
    this.#onCutOff(why);
    throw new Error(why);
  }

  close(): void {
    this.#closed.abort();
  }
}
