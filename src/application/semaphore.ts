/** Lets so many do their work at a time; the others wait in line. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();
  #isLetting = false;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Calls back when it may begin, at once where there is room. To be told when that is over, or not wanted any more. */
  enter(begin: () => void): () => void {
    let isIn = true;
    const visit = () => begin();
    this.#waiting.add(visit);
    this.#letIn();
    return () => {
      if (!isIn) return;
      isIn = false;
      if (this.#waiting.delete(visit)) return;
      this.#free++;
      this.#letIn();
    };
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    const { promise: mayBegin, resolve } = Promise.withResolvers<void>();
    const leave = this.enter(resolve);
    await mayBegin;
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** One after the other: those that are over at once would begin one inside the other, too deep for the stack. */
  #letIn(): void {
    if (this.#isLetting) return;
    this.#isLetting = true;
    try {
      for (const begin of this.#waiting) {
        if (this.#free === 0) return;
        this.#waiting.delete(begin);
        this.#free--;
        begin();
      }
    } finally {
      this.#isLetting = false;
    }
  }
}
