/** What is due next, of any number of things: a binary heap by time, in arrays. */
export class DueHeap<Item> {
  readonly #times: number[] = [];
  readonly #items: Item[] = [];

  /** When the first is due; never when there is none. */
  get first(): number {
    return this.#time(0);
  }

  get size(): number {
    return this.#times.length;
  }

  push(time: number, item: Item): void {
    let place = this.#times.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#time(parent) <= time) break;
      this.#move(parent, place);
      place = parent;
    }
    this.#put(place, time, item);
  }

  /** The first, and when it was due. */
  pop(): readonly [time: number, item: Item] | undefined {
    const first = this.#items[0];
    const due = this.first;
    const time = this.#times.pop();
    const last = this.#items.pop();
    if (first === undefined || last === undefined || time === undefined) return undefined;
    if (this.#times.length > 0) this.#sink(time, last);
    return [due, first];
  }

  #sink(time: number, item: Item): void {
    const size = this.#times.length;
    let place = 0;
    for (let child = 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && this.#time(child + 1) < this.#time(child)) child++;
      if (this.#time(child) >= time) break;
      this.#move(child, place);
      place = child;
    }
    this.#put(place, time, item);
  }

  #time(place: number): number {
    return this.#times[place] ?? Number.POSITIVE_INFINITY;
  }

  #move(from: number, to: number): void {
    const item = this.#items[from];
    if (item !== undefined) this.#put(to, this.#time(from), item);
  }

  #put(place: number, time: number, item: Item): void {
    this.#times[place] = time;
    this.#items[place] = item;
  }
}
