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
