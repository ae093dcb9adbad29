/**
 * The items of lists that come one after the other, for one reader. A generator would take three turns of the
 * microtask queue for each item; what has come already takes one.
 */
export class Flattened<Item extends object> implements AsyncIterableIterator<Item, undefined> {
  readonly #lists: AsyncGenerator<readonly Item[], void, undefined>;
  #list: readonly Item[] = [];
  #next = 0;

  constructor(lists: AsyncGenerator<readonly Item[], void, undefined>) {
    this.#lists = lists;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    const value = this.#list[this.#next];
    if (value === undefined) return this.#fetch();
    this.#next++;
    return Promise.resolve({ done: false, value });
  }

  /** The list may be used again by whoever gave it, once the next is asked for. */
  async #fetch(): Promise<IteratorResult<Item, undefined>> {
    for (;;) {
      const { done, value: list } = await this.#lists.next();
      if (done) return { done, value: undefined };
      const [value] = list;
      if (value === undefined) continue;
      this.#list = list;
      this.#next = 1;
      return { done: false, value };
    }
  }

  async return(): Promise<IteratorResult<Item, undefined>> {
    this.#list = [];
    await this.#lists.return();
    return { done: true, value: undefined };
  }
}
