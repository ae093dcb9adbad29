/**
 * What waits to be done, by whose it is. They take turns: however much one of them has waiting, another's is done
 * after at most one of each who waits too.
 */
export class FairQueue<Item> {
  /** In the order of their turns. */
  readonly #lines = new Map<string, Item[]>();
  /** Whose the last one was. */
  #last: string | undefined;

  /** How much of somebody's waits. */
  waitingOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  push(owner: string, item: Item): void {
    const line = this.#lines.get(owner);
    if (line) line.push(item);
    else this.#lines.set(owner, [item]);
  }

  shift(): Item | undefined {
    const owners = this.#lines.keys();
    const { value: first } = owners.next();
    // Who has just had a turn lets the next one pass.
    const owner = first === this.#last ? (owners.next().value ?? first) : first;
    const line = owner === undefined ? undefined : this.#lines.get(owner);
    if (owner === undefined || !line) return undefined;
    this.#last = owner;
    this.#lines.delete(owner);
    const item = line.shift();
    if (line.length > 0) this.#lines.set(owner, line);
    return item;
  }

  remove(owner: string, item: Item): void {
    const line = this.#lines.get(owner);
    const index = line?.indexOf(item) ?? -1;
    if (!line || index < 0) return;
    line.splice(index, 1);
    if (line.length === 0) this.#lines.delete(owner);
  }

  /** All that waits, which waits no more. */
  drain(): readonly Item[] {
    const all = Array.from(this.#lines.values()).flat();
    this.#lines.clear();
    return all;
  }
}
