/** Unix milliseconds. Handed to whatever needs the time, so that tests can set it. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/** Calls back, once and not at once, when the clock reads this moment or a later one. Returns how to call it off. */
export type Wake = (at: number, callback: () => void) => () => void;

/** Longer than this a timer cannot wait; what is further off is looked at again then. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemWake: Wake = (at, callback) => {
  let timer: NodeJS.Timeout;
  const wait = () => {
    const ms = at - systemClock();
    timer = setTimeout(look, Math.max(0, Math.min(ms, LONGEST_MS))).unref();
  };
  const look = () => (systemClock() < at ? wait() : callback());
  wait();
  return () => clearTimeout(timer);
};

/** A clock that stands still until it is moved: what a test sees depends on nothing else. */
export class SettableClock {
  readonly #alarms = new Set<{ readonly at: number; readonly callback: () => void }>();
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  readonly read: Clock = () => this.#now;

  readonly wake: Wake = (at, callback) => {
    const alarm = { at, callback };
    this.#alarms.add(alarm);
    if (at <= this.#now) setImmediate(() => this.#ring());
    return () => void this.#alarms.delete(alarm);
  };

  advance(ms: number): number {
    this.#now += ms;
    this.#ring();
    return this.#now;
  }

  #ring(): void {
    for (const alarm of Array.from(this.#alarms)) {
      if (alarm.at > this.#now || !this.#alarms.delete(alarm)) continue;
      alarm.callback();
    }
  }
}
