import type { Blamed } from './classify.ts';
import { ModelFailure } from './failure.ts';
import type { ModelTimeouts } from './gateway.ts';

type Phase = 'connect' | 'first-part' | 'idle' | 'closing';

/** Of a provider that has said all, and is only to close its answer. */
const CLOSING_MS = 250;

/**
 * How long one call of a provider may take, and the signal that ends it: when a time-out strikes, when the caller
 * aborts, and when the call is over before the provider's answer is. There is one timer at any time, which a part
 * only winds up again: nothing is allocated for it.
 */
export class Deadlines {
  readonly #caller: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timeouts: ModelTimeouts;
  readonly #blamed: Blamed;
  #phase: Phase = 'connect';
  #timer: NodeJS.Timeout;
  #failure: ModelFailure | undefined;
  /** The provider is not being waited for. */
  #held = false;
  #complete = false;

  constructor(caller: AbortSignal, timeouts: ModelTimeouts, blamed: Blamed) {
    this.#caller = caller;
    this.#timeouts = timeouts;
    this.#blamed = blamed;
    this.#timer = setTimeout(this.#expire, timeouts.connectMs);
    if (caller.aborted) this.#cancel();
    else caller.addEventListener('abort', this.#cancel, { once: true });
  }

  /** For a call whose answer comes as a whole. */
  static whole(caller: AbortSignal, timeouts: ModelTimeouts, blamed: Blamed): Deadlines {
    return new Deadlines(caller, { ...timeouts, connectMs: timeouts.firstPartMs }, blamed);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the call was ended from here, if it was. Whatever else it threw then is of no interest. */
  get failure(): ModelFailure | undefined {
    return this.#failure;
  }

  answered(): void {
    this.#enter('first-part', this.#timeouts.firstPartMs);
  }

  /** A sign of life that has nothing to say: counts from the first part on. */
  alive(): void {
    if (this.#phase === 'idle') this.#timer.refresh();
  }

  /** A part has come, and its reader takes it: takes what time it wants, until `release`. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    if (this.#phase === 'idle') this.#timer.refresh();
    else this.#enter('idle', this.#timeouts.idleMs);
  }

  /** All has been said. */
  close(): void {
    this.#enter('closing', CLOSING_MS);
  }

  /** The answer has come to its own end: there is nothing to close. */
  complete(): void {
    this.#complete = true;
  }

  /** Ends what is still open upstream. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#cancel);
    if (!this.#complete) this.#controller.abort();
  }

  #enter(phase: Phase, ms: number): void {
    this.#phase = phase;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#expire, ms);
  }

  readonly #expire = (): void => {
    if (!this.#held) this.#end(new ModelFailure('timeout', { ...this.#blamed, code: this.#phase }));
  };

  readonly #cancel = (): void => {
    this.#end(new ModelFailure('cancelled', this.#blamed));
  };

  #end(failure: ModelFailure): void {
    this.#failure ??= failure;
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}
