interface Due<Item> {
  readonly at: number;
  readonly item: Item;
}

/** What is due next, of any number of things: a binary heap by time, in arrays. */
export class DueHeap<Item> {
  /** The first is in place 1, and what follows one of place n in 2n and 2n + 1: nothing rises beyond place 0. */
  readonly #times = [Number.NEGATIVE_INFINITY];
  readonly #items: (Item | undefined)[] = [undefined];

  /** When the first is due; never when there is none. */
  get first(): number {
    return this.#time(1);
  }

  get size(): number {
    return this.#times.length - 1;
  }

  push(at: number, item: Item): void {
    let place = this.size + 1;
    while (at < this.#time(place >> 1)) {
      this.#move(place >> 1, place);
      place >>= 1;
    }
    this.#put(place, at, item);
  }

  /** The first, once it is due, taken out. */
  takeDue(now: number): Due<Item> | undefined {
    const at = this.first;
    const item = this.#items[1];
    if (item === undefined || at > now) return undefined;
    const lastAt = this.#time(this.size);
    const last = this.#items[this.size];
    this.#times.pop();
    this.#items.pop();
    if (this.size > 0) this.#sink(lastAt, last);
    return { at, item };
  }

  #sink(at: number, item: Item | undefined): void {
    let place = 1;
    let next = this.#earlierAfter(place);
    while (this.#time(next) < at) {
      this.#move(next, place);
      place = next;
      next = this.#earlierAfter(place);
    }
    this.#put(place, at, item);
  }

  #earlierAfter(place: number): number {
    const one = 2 * place;
    return this.#time(one) < this.#time(one + 1) ? one : one + 1;
  }

  #time(place: number): number {
    return this.#times[place] ?? Number.POSITIVE_INFINITY;
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#time(from), this.#items[from]);
  }

  #put(place: number, at: number, item: Item | undefined): void {
    this.#times[place] = at;
    this.#items[place] = item;
  }
}
