/** Unix milliseconds. Handed to whatever needs the time, so that tests can set it. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/** A clock that stands still until it is moved: what a test sees depends on nothing else. */
export class SettableClock {
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  readonly read: Clock = () => this.#now;

  advance(ms: number): number {
    this.#now += ms;
    return this.#now;
  }
}
