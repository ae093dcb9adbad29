/** Work of one key is done one after the other, that of different keys side by side. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** The work must not fail. */
  add(key: string, work: () => Promise<unknown>): void {
    const before = this.#last.get(key);
    const mine = before ? before.then(work) : work();
    this.#last.set(key, mine);
    void mine.then(() => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    });
  }
}
