import type { Clock, Wake } from '../../clock.ts';
import { expireEpisodes } from '../../commands/memory/expireEpisodes.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { nextExpiries } from '../../projections/memory/nextExpiries.ts';
import type { Views } from '../../projections/runtime.ts';

const LOOK_EVERY_MS = 60 * 60_000;

interface RetentionOptions {
  /** Undefined while the log is away. */
  readonly backing: () => { readonly runner: CommandRunner; readonly views: Views } | undefined;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** Erases what is older than it may become. Every process looks now and then; the log sees to it that it goes once. */
export class Retention {
  readonly #options: RetentionOptions;
  #callOff: () => void = () => {};
  #looking: Promise<void> = Promise.resolve();

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  start(): void {
    const { wake, clock, onFailure } = this.#options;
    this.#callOff = wake(clock(), () => {
      this.#looking = this.#expire().catch((error) => onFailure('memory.expireEpisodes', error));
      this.#callOff = wake(clock() + LOOK_EVERY_MS, () => this.start());
    });
  }

  async stop(): Promise<void> {
    this.#callOff();
    await this.#looking;
  }

  async #expire(): Promise<void> {
    const { backing, clock } = this.#options;
    const standing = backing();
    if (!standing) return;
    const now = clock();
    const { byStream: due } = standing.views.view(nextExpiries);
    for (const stream of Object.keys(due)) {
      // A batch at a time, so that others get their turn.
      for (let next = due[stream]; next && next.at <= now; next = due[stream]) {
        const context = { userId: next.userId, correlationId: `retention-${now}` };
        await standing.runner.run(expireEpisodes, { now }, context);
      }
    }
  }
}
