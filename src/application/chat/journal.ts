import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from '../../commands/command.ts';
import type { CommandContext, CommandOutcome, CommandRunner } from '../../commands/runner.ts';
import { type HarkError, isHarkError } from '../../errors.ts';

const RETRY_MS = 500;

export interface JournalOptions {
  readonly runner: CommandRunner;
  readonly onFailure: (what: string, error: unknown) => void;
  /** After this nothing is tried any more. */
  readonly closing: AbortSignal;
  readonly onIdle: () => void;
}

/** With an id of its own, so that nothing is written twice. */
type EntryContext = CommandContext & { readonly commandId: string };

/**
 * Writes down what comes of the turns of one stream, in order. While the log is away the turns go on: what could
 * not be written yet is written as soon as the log is back.
 */
export class Journal {
  readonly #options: JournalOptions;
  #last: Promise<unknown> = Promise.resolve();
  /** Why nothing can be written at the moment. */
  #awayFor: HarkError | undefined;
  readonly #letGo = new Set<() => void>();

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#awayFor !== undefined;
  }

  /**
   * For what begins something: on a full disk nothing is begun. What was begun goes on, with `add`.
   * Resolves and rejects as that does.
   */
  begin<Input, State>(
    command: Command<Input, State>,
    input: Input,
    context: EntryContext,
  ): Promise<CommandOutcome | undefined> {
    if (isHarkError(this.#awayFor, 'STORAGE_FULL')) return Promise.reject(this.#awayFor);
    return this.#write(() => this.#options.runner.run(command, input, context), command.name, isGone);
  }

  /** Resolves when it is durable, or with nothing when that has to wait. Rejects when it is refused. */
  add<Input, State>(
    command: Command<Input, State>,
    input: Input,
    context: EntryContext,
  ): Promise<CommandOutcome | undefined> {
    return this.#write(() => this.#options.runner.run(command, input, context), command.name, isAwayOrFull);
  }

  /** Resolves when all that was written so far is in the log, or never will be. */
  async settled(): Promise<void> {
    await this.#last;
  }

  #write(
    run: () => Promise<CommandOutcome>,
    name: string,
    mayWaitFor: (error: unknown) => error is HarkError,
  ): Promise<CommandOutcome | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<CommandOutcome | undefined>();
    let isLetGo = false;
    const goOn = () => {
      isLetGo = true;
      resolve(undefined);
    };
    if (this.#awayFor) goOn();
    else this.#letGo.add(goOn);
    const durable = this.#last.then(() =>
      this.#persist(run, name, (error): error is HarkError => (isLetGo ? isAwayOrFull : mayWaitFor)(error)),
    );
    const mine = durable
      .then(resolve, (error) => {
        reject(error);
        // Whoever asked has gone on, and believes that it will be written.
        if (isLetGo) this.#options.onFailure(name, error);
      })
      .then(() => {
        this.#letGo.delete(goOn);
        if (this.#last === mine) this.#options.onIdle();
      });
    this.#last = mine;
    return promise;
  }

  async #persist(
    run: () => Promise<CommandOutcome>,
    name: string,
    mayWaitFor: (error: unknown) => error is HarkError,
  ): Promise<CommandOutcome> {
    const { closing, onFailure } = this.#options;
    for (;;) {
      try {
        const outcome = await run();
        this.#awayFor = undefined;
        return outcome;
      } catch (error) {
        if (!mayWaitFor(error) || closing.aborted) throw error;
        if (!this.#awayFor) onFailure(name, error);
        this.#goAway(error);
        await wait(RETRY_MS, undefined, { signal: closing, ref: false }).catch(() => undefined);
      }
    }
  }

  /** Nobody waits for the log any longer, the first in the row as little as the last. */
  #goAway(error: HarkError): void {
    this.#awayFor = error;
    for (const goOn of this.#letGo) goOn();
    this.#letGo.clear();
  }
}

function isGone(error: unknown): error is HarkError {
  return isHarkError(error, 'KVSTORE_UNAVAILABLE');
}

function isAwayOrFull(error: unknown): error is HarkError {
  return isHarkError(error, 'KVSTORE_UNAVAILABLE', 'STORAGE_FULL');
}
