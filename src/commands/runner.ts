import type { Clock } from '../clock.ts';
import { HarkError, isHarkError } from '../errors.ts';
import type { NewEvent } from '../events/definition.ts';
import type { StreamFold } from '../folds/streamFold.ts';
import { StreamStates } from '../folds/streamStates.ts';
import type { Append, EventLog, Position, Snapshots } from '../store/port.ts';
import type { Command } from './command.ts';
import { type RunningTurn, refuseErased } from './runningTurn.ts';

/** So long after it was asked for, a command that keeps losing against other processes is given up. */
const TIMEOUT_MS = 5_000;
/** Also one that has waited for long for those before it has a chance to lose. */
const FEWEST_TRIES = 3;

/** Who asks, and what it follows from. */
export interface CommandContext {
  readonly userId: string;
  readonly correlationId: string;
  readonly causationId?: string | null;
  /** Given where the same command may be issued twice; the second time changes nothing. */
  readonly commandId?: string;
  /** Set where a turn has it done while it runs: with what is said there, nothing that follows from it is kept. */
  readonly during?: RunningTurn | undefined;
}

export interface CommandOutcome {
  /** What the caller has to have seen to see its own change. Reads after this do. */
  readonly position: Position;
  readonly version: number;
  readonly repeated: boolean;
  /** What this very call appended: nothing where it came to nothing, or had been done before. */
  readonly appended: readonly NewEvent[];
}

export interface CommandRunner {
  /** The state that a command to this stream would be decided on now. Read it, do not keep it. */
  read<State>(state: StreamFold<State>, stream: string, owner: string | null): Promise<State>;
  run<Input, State>(
    command: Command<Input, State>,
    input: Input,
    context: CommandContext,
  ): Promise<CommandOutcome>;
}

interface RunnerOptions {
  readonly store: EventLog & Snapshots;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly timeoutMs?: number;
}

/**
 * The one way in which anything changes: load the stream's state, decide, append at the version that was seen.
 * Commands to one stream of this process take turns; when another process was quicker, it decides again, and is then
 * next. Nobody is told of that: at worst the store could not be written to in time.
 */
export class StoreCommandRunner implements CommandRunner {
  readonly #store: EventLog & Snapshots;
  readonly #states: StreamStates;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #timeoutMs: number;
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Streams in which this process lost against another, and goes next. */
  readonly #isNext = new Set<string>();

  constructor({ store, clock, newId, timeoutMs = TIMEOUT_MS }: RunnerOptions) {
    this.#store = store;
    this.#states = new StreamStates(store);
    this.#clock = clock;
    this.#newId = newId;
    this.#timeoutMs = timeoutMs;
  }

  async run<Input, State>(
    command: Command<Input, State>,
    input: Input,
    context: CommandContext,
  ): Promise<CommandOutcome> {
    const stream = command.stream(input, context.userId);
    const deadline = performance.now() + this.#timeoutMs;
    const before = this.#turns.get(stream);
    const turn = before
      ? before.then(() => this.#runInTurn(command, input, context, stream, deadline))
      : this.#runInTurn(command, input, context, stream, deadline);
    const settled = turn.then(ignore, ignore);
    this.#turns.set(stream, settled);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(stream) === settled) this.#turns.delete(stream);
    }
  }

  async read<State>(state: StreamFold<State>, stream: string, owner: string | null): Promise<State> {
    return (await this.#states.get(state, stream, owner)).state;
  }

  async #runInTurn<Input, State>(
    command: Command<Input, State>,
    input: Input,
    context: CommandContext,
    stream: string,
    deadline: number,
  ): Promise<CommandOutcome> {
    try {
      for (let tries = 1; ; tries++) {
        const isPresumed = tries === 1 && command.isFirst?.(input) === true;
        const outcome = await this.#tryOnce(command, input, context, stream, isPresumed);
        if (outcome) {
          if (isPresumed && outcome.repeated) this.#states.drop(stream);
          return outcome;
        }
        if (tries >= FEWEST_TRIES && performance.now() > deadline) throw contended();
      }
    } catch (error) {
      if (command.isFirst) this.#states.drop(stream);
      throw error;
    } finally {
      if (this.#isNext.delete(stream)) void this.#store.leaveTurn(stream).catch(ignore);
    }
  }

  /** Undefined where another process was quicker. What it appended is known by then. */
  async #tryOnce<Input, State>(
    command: Command<Input, State>,
    input: Input,
    { userId, correlationId, causationId = null, commandId, during }: CommandContext,
    stream: string,
    isPresumed: boolean,
  ): Promise<CommandOutcome | undefined> {
    const owner = command.scope === 'user' ? userId : null;
    const heard = this.#store.delivered;
    const loaded = isPresumed
      ? this.#states.presumeNew(command.state, stream, owner)
      : await this.#states.get(command.state, stream, owner);
    const { position, version } = loaded;
    const now = this.#clock();
    let events: readonly NewEvent[];
    try {
      // What the state tells of may be ahead of what was delivered.
      if (during) await refuseErased(this.#store, userId, during, Math.max(position, this.#store.delivered));
      events = command.decide(loaded.state, input, { now, newId: this.#newId });
    } catch (refusal) {
      return (await this.#earlier(commandId)) ?? Promise.reject(refusal);
    }
    if (events.length === 0)
      return (await this.#earlier(commandId)) ?? { position, version, repeated: false, appended: [] };
    return this.#append({
      stream,
      events,
      expected: version,
      at: now,
      userId: owner,
      correlationId,
      causationId,
      ...(commandId === undefined ? {} : { commandId }),
      ...(command.continues || during ? { heard, continues: command.continues === true } : {}),
    });
  }

  async #append(append: Append & { readonly expected: number }): Promise<CommandOutcome | undefined> {
    const { stream, expected } = append;
    try {
      const outcome = await this.#store.append(append);
      this.#isNext.delete(stream);
      return { ...outcome, appended: outcome.repeated ? [] : append.events };
    } catch (error) {
      if (!isHarkError(error, 'CONFLICT')) throw error;
      this.#isNext.add(stream);
      this.#states.dropAt(stream, expected);
      return undefined;
    }
  }

  /**
   * For a command that comes to nothing now: the first time it may have come to something. One that appends finds
   * out by that, so that most are never looked for.
   */
  async #earlier(commandId: string | undefined): Promise<CommandOutcome | undefined> {
    const found = commandId === undefined ? undefined : await this.#store.findCommand(commandId);
    return found && { ...found, appended: [] };
  }
}

function contended(): HarkError {
  return new HarkError('KVSTORE_UNAVAILABLE', {
    message: 'Too many concurrent writes to the same stream; try again',
  });
}

function ignore(): void {}
