import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { isHarkError } from '../errors.ts';
import type { NewEvent } from '../events/definition.ts';
import type { Position, Store } from '../store/port.ts';
import type { Command, StateDefinition } from './command.ts';
import { StreamStates } from './streamStates.ts';

const MOST_TRIES = 10;
const LONGEST_PAUSE_MS = 64;

/** Who asks, and what it follows from. */
export interface CommandContext {
  readonly userId: string;
  readonly correlationId: string;
  readonly causationId?: string | null;
  /** Given where the same command may be issued twice; the second time changes nothing. */
  readonly commandId?: string;
}

export interface CommandOutcome {
  /** What the caller has to have seen to see its own change. Reads after this do. */
  readonly position: Position;
  readonly version: number;
  readonly repeated: boolean;
}

export interface CommandRunner {
  /** The state that a command to this stream would be decided on now. Read it, do not keep it. */
  read<State>(state: StateDefinition<State>, stream: string, owner: string | null): Promise<State>;
  run<Input, State>(
    command: Command<Input, State>,
    input: Input,
    context: CommandContext,
  ): Promise<CommandOutcome>;
}

interface RunnerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * The one way in which anything changes: load the stream's state, decide, append at the version that was seen.
 * Commands to one stream of this process take turns; when another process was quicker, it decides again.
 */
export class StoreCommandRunner implements CommandRunner {
  readonly #store: Store;
  readonly #states: StreamStates;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor({ store, clock, newId }: RunnerOptions) {
    this.#store = store;
    this.#states = new StreamStates(store);
    this.#clock = clock;
    this.#newId = newId;
  }

  async run<Input, State>(
    command: Command<Input, State>,
    input: Input,
    context: CommandContext,
  ): Promise<CommandOutcome> {
    const stream = command.stream(input, context.userId);
    const before = this.#turns.get(stream);
    const turn = before
      ? before.then(() => this.#runInTurn(command, input, context, stream))
      : this.#runInTurn(command, input, context, stream);
    const settled = turn.then(ignore, ignore);
    this.#turns.set(stream, settled);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(stream) === settled) this.#turns.delete(stream);
    }
  }

  async read<State>(state: StateDefinition<State>, stream: string, owner: string | null): Promise<State> {
    return (await this.#states.get(state, stream, owner)).state;
  }

  async #runInTurn<Input, State>(
    command: Command<Input, State>,
    input: Input,
    context: CommandContext,
    stream: string,
  ): Promise<CommandOutcome> {
    for (let tries = 1; ; tries++) {
      try {
        const isPresumed = tries === 1 && command.isFirst?.(input) === true;
        const outcome = await this.#tryOnce(command, input, context, stream, isPresumed);
        if (isPresumed && outcome.repeated) this.#states.drop(stream);
        return outcome;
      } catch (error) {
        const isConflict = isHarkError(error, 'CONFLICT');
        if (isConflict || command.isFirst) this.#states.drop(stream);
        if (!isConflict || tries === MOST_TRIES) throw error;
        // Whoever won need not load before the next command, and would win again and again.
        if (tries > 1) await wait(Math.random() * Math.min(2 ** tries, LONGEST_PAUSE_MS));
      }
    }
  }

  async #tryOnce<Input, State>(
    command: Command<Input, State>,
    input: Input,
    { userId, correlationId, causationId = null, commandId }: CommandContext,
    stream: string,
    isPresumed: boolean,
  ): Promise<CommandOutcome> {
    const owner = command.scope === 'user' ? userId : null;
    const heard = this.#store.delivered;
    const loaded = isPresumed
      ? this.#states.presumeNew(command.state, stream, owner)
      : await this.#states.get(command.state, stream, owner);
    const { position, version } = loaded;
    const now = this.#clock();
    let events: readonly NewEvent[];
    try {
      events = command.decide(loaded.state, input, { now, newId: this.#newId });
    } catch (refusal) {
      return (await this.#earlier(commandId)) ?? Promise.reject(refusal);
    }
    if (events.length === 0)
      return (await this.#earlier(commandId)) ?? { position, version, repeated: false };
    return this.#store.append({
      stream,
      events,
      expected: version,
      at: now,
      userId: owner,
      correlationId,
      causationId,
      ...(commandId === undefined ? {} : { commandId }),
      ...(command.continues ? { continues: heard } : {}),
    });
  }

  /**
   * For a command that comes to nothing now: the first time it may have come to something. One that appends finds
   * out by that, so that most are never looked for.
   */
  async #earlier(commandId: string | undefined): Promise<CommandOutcome | undefined> {
    return commandId === undefined ? undefined : this.#store.findCommand(commandId);
  }
}

function ignore(): void {}
