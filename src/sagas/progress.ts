import type { Position } from '../store/port.ts';

/** What became of the log: an event is being answered, was answered, or everything was looked through up to here. */
export interface Mark {
  readonly kind: 'begun' | 'answered' | 'read';
  readonly position: Position;
}

/** Which events are being answered, and up to where everything is: the cursor may only move that far. */
export class Progress {
  /** In order of position, since they begin in that order. */
  readonly #open = new Set<Position>();
  #read: Position;

  constructor(position: Position) {
    this.#read = position;
  }

  take({ kind, position }: Mark): this {
    if (kind === 'begun') this.#open.add(position);
    else if (kind === 'answered') this.#open.delete(position);
    else this.#read = Math.max(this.#read, position);
    return this;
  }

  get openCount(): number {
    return this.#open.size;
  }

  get done(): Position {
    const [oldest] = this.#open;
    return oldest === undefined ? this.#read : Math.min(this.#read, oldest - 1);
  }
}
