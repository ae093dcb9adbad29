/**
 * For answers that nobody waits for long. One question at a time may go on after that: a model that was not loaded is
 * then there for the next, where aborting each would never load it. Until its answer comes, nobody waits at all.
 */
export class Timeout {
  #late: Promise<unknown> | undefined;

  /** An answer that came too late still goes on: nothing else is asked. */
  get isWaiting(): boolean {
    return this.#late !== undefined;
  }

  /** Resolves when nothing goes on any more for which nobody waits. */
  async rested(): Promise<void> {
    await this.#late;
  }

  /** Undefined when it takes longer, or when one that took longer still goes on. */
  async within<Value>(ms: number, ask: () => Promise<Value>): Promise<Value | undefined> {
    if (this.#late) return undefined;
    const answer = ask();
    const inTime = await withinTime(answer, ms);
    if (inTime) return inTime.value;
    this.#late = answer
      .catch(() => undefined)
      .finally(() => {
        this.#late = undefined;
      });
    return undefined;
  }
}

/** Undefined when it takes longer. */
export async function withinTime<Value>(
  answer: Promise<Value>,
  ms: number,
): Promise<{ readonly value: Value } | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, ms, undefined);
  try {
    return await Promise.race([answer.then((value) => ({ value })), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A signal as far as work that has bounds looks at it. */
export interface Cancelled {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Where hardly anybody listens: a signal of Node's is most of what some calls of a tool cost. */
export class Cancelling implements Cancelled {
  readonly #listeners = new Set<() => void>();
  aborted = false;

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }
}

/** What is made of it has a `signal` that is asked for when somebody looks at it, as few do. */
export class LateSignal {
  readonly #ask: () => AbortSignal;

  constructor(ask: () => AbortSignal) {
    this.#ask = ask;
  }

  get signal(): AbortSignal {
    return this.#ask();
  }
}

interface Bounds {
  readonly ms: number;
  readonly cancelled: Cancelled;
  /** What the work is refused with when it is ended before it is done; its signal says the same. */
  reasonFor(end: 'late' | 'cancelled'): unknown;
}

/**
 * Work that does not end in time, or does not heed that it was cancelled, is left behind. Its signal is made when it asks
 * for it.
 */
export async function bounded<Result>(
  { ms, cancelled, reasonFor }: Bounds,
  work: (signal: () => AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (cancelled.aborted) throw reasonFor('cancelled');
  let stopped: { readonly reason: unknown } | undefined;
  let end: AbortController | undefined;
  const signal = () => {
    end ??= new AbortController();
    if (stopped && !end.signal.aborted) end.abort(stopped.reason);
    return end.signal;
  };
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const stop = (why: 'late' | 'cancelled') => {
    const reason = reasonFor(why);
    // First, since work that heeds its signal may say so at once, in words of its own.
    reject(reason);
    stopped = { reason };
    end?.abort(reason);
  };
  const onCancelled = () => stop('cancelled');
  cancelled.addEventListener('abort', onCancelled, { once: true });
  // Work that was left behind with its process must not keep that alive.
  const timer = setTimeout(() => stop('late'), ms).unref();
  try {
    return await Promise.race([ended, work(signal)]);
  } finally {
    clearTimeout(timer);
    cancelled.removeEventListener('abort', onCancelled);
  }
}

const GRACE_MS = 3_000;

/** The time that a stop gives what is under way to end by itself: once for all of it, whatever waits for what. */
export class Grace {
  readonly #endsAt = performance.now() + GRACE_MS;

  /** Resolves with the work, which is broken off when its time is over. */
  async over(work: Promise<unknown>, breakOff: () => void): Promise<void> {
    const force = setTimeout(breakOff, Math.max(0, this.#endsAt - performance.now()));
    await work;
    clearTimeout(force);
  }
}
