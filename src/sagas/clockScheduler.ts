import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';
import type { Clock, Wake } from '../clock.ts';

interface Times {
  readonly clock: Clock;
  readonly wake: Wake;
}

/** Time as the service's clock has it: what waits goes on early when the clock is put back, and looks again. */
export class ClockScheduler implements SchedulerLike {
  readonly #times: Times;

  constructor(times: Times) {
    this.#times = times;
  }

  now(): number {
    return this.#times.clock();
  }

  schedule<State>(
    work: (this: SchedulerAction<State>, state?: State) => void,
    delay = 0,
    state?: State,
  ): Subscription {
    return new ClockAction(this.#times, work).schedule(state, delay);
  }
}

class ClockAction<State> extends Subscription implements SchedulerAction<State> {
  readonly #times: Times;
  readonly #work: (this: SchedulerAction<State>, state?: State) => void;
  #cancel: () => void = () => {};

  constructor(times: Times, work: (this: SchedulerAction<State>, state?: State) => void) {
    super(() => this.#cancel());
    this.#times = times;
    this.#work = work;
  }

  schedule(state?: State, delay = 0): Subscription {
    if (this.closed) return this;
    const { clock, wake } = this.#times;
    this.#cancel();
    this.#cancel = wake(clock() + delay, () => this.#work(state));
    return this;
  }
}
