import type { Position } from '../store/port.ts';

/** Which events are being answered, and up to where everything is: the cursor may only move that far. */
export class Progress {
  /** In order of position, since they begin in that order. */
  readonly #open = new Set<Position>();
  #read: Position;

  constructor(position: Position) {
    this.#read = position;
  }

  begin(position: Position): void {
    this.#open.add(position);
  }

  end(position: Position): void {
    this.#open.delete(position);
  }

  /** The log has been looked through up to here. */
  readTo(position: Position): void {
    this.#read = Math.max(this.#read, position);
  }

  get openCount(): number {
    return this.#open.size;
  }

  get done(): Position {
    const [oldest] = this.#open;
    return oldest === undefined ? this.#read : Math.min(this.#read, oldest - 1);
  }
}
