import type { NewEvent } from '../events/definition.ts';

/** A fact, and when it became one. */
export interface PastEvent extends NewEvent {
  readonly at: number;
  /** From the log: whether the key to its personal text is gone, and its data with nulls for that, unopened. */
  readonly sealed?: { readonly erased: boolean; readonly data: unknown };
}

/** What has been, as far as the decisions about one stream, or its readers, need to know it. */
export interface StateDefinition<State> {
  readonly name: string;
  /** Raised when `State` or `evolve` changes its meaning: older snapshots are then ignored. */
  readonly version: number;
  /** Where `evolve` changes the state in place, another one each time. */
  readonly initial: State;
  /** Depends on nothing else. Events that do not matter to the state are passed by. */
  evolve(state: State, event: PastEvent): State;
}

/** What a decider may know of the world beside the state and the command. */
interface Surroundings {
  readonly now: number;
  newId(): string;
}

/** What may happen to one stream, and under which conditions. */
export interface Command<Input, State = unknown> {
  readonly name: string;
  readonly state: StateDefinition<State>;
  /** Whose events these are: the asking user's, or the system's. */
  readonly scope: 'user' | 'system';
  stream(input: Input, userId: string): string;
  /**
   * Whether the stream can only be a new one, as one that is named by an id that was just made. It is then not
   * looked for in the log first. From nothing, such a command must always decide on something.
   */
  isFirst?(input: Input): boolean;
  /** Its events go on from what the state tells of: once that is forgotten, it is decided anew. */
  readonly continues?: boolean;
  /** Pure. Returns the facts that follow; an expected refusal is a HarkError. */
  decide(state: State, input: Input, surroundings: Surroundings): readonly NewEvent[];
}

export function defineCommand<Input, State>(command: Command<Input, State>): Command<Input, State> {
  return command;
}
