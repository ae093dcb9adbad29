import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from '../../commands/command.ts';
import type { CommandContext, CommandOutcome, CommandRunner } from '../../commands/runner.ts';
import { isHarkError } from '../../errors.ts';

const RETRY_MS = 500;

export interface JournalOptions {
  readonly runner: CommandRunner;
  readonly context: CommandContext;
  /** Command id of the first that is written; the others have theirs from it, so that nothing is written twice. */
  readonly commandId: string;
  readonly onFailure: (what: string, error: unknown) => void;
  /** After this nothing is tried any more. */
  readonly closing: AbortSignal;
}

/**
 * Writes down what comes of a turn, in order. While the log is away the turn goes on: what could not be written
 * yet is written as soon as the log is back.
 */
export class Journal {
  readonly #options: JournalOptions;
  #last: Promise<unknown> = Promise.resolve();
  #isAway = false;
  #written = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Resolves when it is durable, or with nothing when that has to wait. Rejects when it is refused. */
  async write<Input, State>(
    command: Command<Input, State>,
    input: Input,
  ): Promise<CommandOutcome | undefined> {
    const entry = this.#written++;
    const { promise: away, resolve: goOn } = Promise.withResolvers<undefined>();
    const durable = this.#last.then(() => this.#persist(command, input, entry, () => goOn(undefined)));
    this.#last = durable.catch(() => undefined);
    if (this.#isAway) goOn(undefined);
    return Promise.race([durable, away]);
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await this.#last;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  async #persist<Input, State>(
    command: Command<Input, State>,
    input: Input,
    entry: number,
    goOn: () => void,
  ): Promise<CommandOutcome> {
    const { runner, context, closing, onFailure } = this.#options;
    const commandId = entry === 0 ? this.#options.commandId : `${this.#options.commandId}:${entry}`;
    for (;;) {
      try {
        const outcome = await runner.run(command, input, { ...context, commandId });
        this.#isAway = false;
        return outcome;
      } catch (error) {
        if (!canWait(error, entry) || closing.aborted) throw error;
        if (!this.#isAway) onFailure(command.name, error);
        this.#isAway = true;
        goOn();
        await wait(RETRY_MS, undefined, { signal: closing, ref: false }).catch(() => undefined);
      }
    }
  }
}

/** A turn is not begun on a full disk; one that was begun waits for room. */
function canWait(error: unknown, entry: number): boolean {
  return isHarkError(error, 'KVSTORE_UNAVAILABLE') || (entry > 0 && isHarkError(error, 'STORAGE_FULL'));
}
