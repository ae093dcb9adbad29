import type { Clock, Wake } from '../../clock.ts';
import { expireConversations } from '../../commands/memory/expireConversations.ts';
import { expireEpisodes } from '../../commands/memory/expireEpisodes.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { endedConversations } from '../../projections/memory/endedConversations.ts';
import { nextExpiries } from '../../projections/memory/nextExpiries.ts';
import type { Views } from '../../projections/runtime.ts';
import type { Store } from '../../store/port.ts';
import { findEndedTalk } from './endedTalk.ts';

const LOOK_EVERY_MS = 60 * 60_000;

interface Standing {
  readonly store: Store;
  readonly runner: CommandRunner;
  readonly views: Views;
}

interface RetentionOptions {
  /** Undefined while the log is away. */
  readonly backing: () => Standing | undefined;
  readonly retentionMs: () => number;
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
    await this.#expireEpisodes(standing, now);
    await this.#expireConversations(standing, now);
  }

  async #expireEpisodes({ runner, views }: Standing, now: number): Promise<void> {
    const { byStream: due } = views.view(nextExpiries);
    for (const stream of Object.keys(due)) {
      // A batch at a time, so that others get their turn.
      for (let next = due[stream]; next && next.at <= now; next = due[stream]) {
        const context = { userId: next.userId, correlationId: `retention-${now}` };
        await runner.run(expireEpisodes, { now }, context);
      }
    }
  }

  /** After the episodes: what none of them tells of any more by then goes as well. */
  async #expireConversations({ store, runner, views }: Standing, now: number): Promise<void> {
    const { byUser: due } = views.view(endedConversations);
    const endedBy = now - this.#options.retentionMs();
    for (const name of Object.keys(due)) {
      for (let next = due[name]; next && next.at <= endedBy; ) {
        const { userId, after } = next;
        const found = await findEndedTalk(store, { userId, after, endedBy });
        // What waits to be consolidated is looked for the next time.
        if (found.upTo === after) break;
        const context = { userId, correlationId: `retention-${now}` };
        await runner.run(expireConversations, { ...found, after }, context);
        next = due[name];
      }
    }
  }
}
