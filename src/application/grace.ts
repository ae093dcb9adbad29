const GRACE_MS = 3_000;

/** The time that a stop gives what is under way to end by itself: once for all of it, whatever waits for what. */
export class Grace {
  readonly #endsAt = performance.now() + GRACE_MS;

  /** Resolves with the work, which is broken off when its time is over. */
  async over(work: Promise<unknown>, breakOff: () => void): Promise<void> {
    const force = setTimeout(breakOff, this.#endsAt - performance.now());
    await work;
    clearTimeout(force);
  }
}
