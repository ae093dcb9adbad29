/** Unix milliseconds. Handed to whatever needs the time, so that tests can set it. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/** The clocks of several machines differ by less, mostly, and what is corrected in one that runs well is less. */
const MOST_DIFFERENCE_MS = 60 * 60_000;

/** Whether a moment of the past is one that can only have been read from a clock that was ahead. */
export function isAhead(moment: number, now: number): boolean {
  return moment - now > MOST_DIFFERENCE_MS;
}

/**
 * Calls back, once and not at once, when the clock reads this moment or a later one; or when the clock was put back
 * meanwhile, since whoever waits then has to look again. Returns how to call it off.
 */
export type Wake = (at: number, callback: () => void) => () => void;

/** Longer than this a timer cannot wait; what is further off is looked at again then. */
const LONGEST_MS = 2 ** 31 - 1;
/** A timer may ring that much too early, and a clock be corrected. */
const LEEWAY_MS = 1_000;

export function wakeBy(clock: Clock): Wake {
  return (at, callback) => {
    let timer: NodeJS.Timeout;
    const wait = () => {
      const from = clock();
      const ms = Math.max(0, Math.min(at - from, LONGEST_MS));
      timer = setTimeout(() => look(from + ms), ms).unref();
    };
    const look = (expected: number) => {
      const now = clock();
      if (now >= at || now < expected - LEEWAY_MS) callback();
      else wait();
    };
    wait();
    return () => clearTimeout(timer);
  };
}

export const systemWake: Wake = wakeBy(systemClock);

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
    this.#ring(ms < 0);
    return this.#now;
  }

  #ring(wentBack = false): void {
    for (const alarm of Array.from(this.#alarms)) {
      if ((alarm.at > this.#now && !wentBack) || !this.#alarms.delete(alarm)) continue;
      alarm.callback();
    }
  }
}
