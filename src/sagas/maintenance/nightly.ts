import type { ResourceGuard } from '../../application/maintenance/resourceGuard.ts';
import { isStoreUnavailable } from '../../application/storeUnavailable.ts';
import { type Clock, isAhead, type Wake } from '../../clock.ts';
import { memoryStream } from '../../events/memory.ts';
import { sweptUsers } from '../../projections/maintenance/sweptUsers.ts';
import type { Views } from '../../projections/runtime.ts';
import { nextAfter, type Schedule } from '../../recurrence.ts';
import type { Sweeps } from './sweeps.ts';

/** A start has enough to do; what was missed meanwhile is made up for after this time. */
const AFTER_START_MS = 60_000;
/** A log that was away is looked for again. */
const AGAIN_MS = 600_000;
const LONGEST_LOOK_BACK_MS = 400 * 24 * 60 * 60_000;

interface NightlyOptions {
  /** Undefined while the log is away. */
  readonly backing: () => { readonly views: Views } | undefined;
  readonly schedule: Schedule;
  /** Swept also when nothing is remembered of them, so that it shows that sweeps are made. */
  readonly usualUser: string;
  readonly sweeps: Pick<Sweeps, 'sweep'>;
  readonly guard: Pick<ResourceGuard, 'mayWork'>;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
}

/**
 * Sweeps the memory of every user by the schedule, one after the other, and what was missed while no process ran soon
 * after the next start. While the machine is needed it leaves all to the next time. Several processes do it once.
 */
export class Nightly {
  readonly #options: NightlyOptions;
  #callOffs: (() => void)[] = [];
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: NightlyOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock } = this.#options;
    this.#wakeAt(clock() + AFTER_START_MS, () => this.#look());
    // Not at once: the first look at a cron expression takes longer than anything else in the start.
    this.#wakeAt(clock(), () => this.#planNext());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const callOff of this.#callOffs) callOff();
    await this.#looking;
  }

  #planNext(): void {
    const { clock, schedule } = this.#options;
    const next = nextAfter(schedule, clock(), clock());
    if (next === null) return;
    this.#wakeAt(next, () => {
      this.#look();
      this.#planNext();
    });
  }

  #wakeAt(at: number, callback: () => void): void {
    const callOff = this.#options.wake(at, () => {
      this.#callOffs = this.#callOffs.filter((one) => one !== callOff);
      if (!this.#isStopped) callback();
    });
    this.#callOffs.push(callOff);
  }

  #look(): void {
    const { clock, onFailure } = this.#options;
    this.#looking = this.#looking
      .then(() => this.#sweepDue())
      .catch((error) => {
        if (this.#isStopped) return;
        if (isStoreUnavailable(error)) this.#wakeAt(clock() + AGAIN_MS, () => this.#look());
        else onFailure('memory maintenance', error);
      });
  }

  async #sweepDue(): Promise<void> {
    const { backing, schedule, usualUser, sweeps, guard, clock, onFailure } = this.#options;
    const due = lastUntil(schedule, clock());
    const state = backing()?.views.view(sweptUsers);
    if (!state || due === null) return;
    const usual = { userId: usualUser, since: state.startedAt ?? clock() };
    const users = Object.values({ [memoryStream(usualUser)]: usual, ...state.byStream });
    for (const { userId } of users.filter(({ since }) => since < due || isAhead(since, clock()))) {
      if (this.#isStopped || !(await guard.mayWork(['maintenance'])).safe) return;
      try {
        await sweeps.sweep({ userId, by: 'schedule', correlationId: `maintenance-${due}`, since: due });
      } catch (error) {
        if (isStoreUnavailable(error)) throw error;
        if (!this.#isStopped) onFailure('memory maintenance', error);
      }
    }
  }
}

/** The last moment until now at which it was due; looked for nearby first, since it may be due every minute. */
function lastUntil(schedule: Schedule, now: number): number | null {
  for (let back = 60_000; back < LONGEST_LOOK_BACK_MS; back *= 4) {
    let last: number | null = null;
    const begin = now - back;
    for (let next = nextAfter(schedule, begin, begin); next !== null && next <= now; ) {
      last = next;
      next = nextAfter(schedule, next, next);
    }
    if (last !== null) return last;
  }
  return null;
}
