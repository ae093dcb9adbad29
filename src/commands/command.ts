import type { NewEvent } from '../events/definition.ts';

/** What has been, as far as the decisions about one stream need to know it. */
export interface StateDefinition<State> {
  readonly name: string;
  /** Raised when `State` or `evolve` changes its meaning: older snapshots are then ignored. */
  readonly version: number;
  readonly initial: State;
  /** Pure. Events that do not matter to the state are passed by. */
  evolve(state: State, event: NewEvent): State;
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
  /** Pure. Returns the facts that follow; an expected refusal is a HarkError. */
  decide(state: State, input: Input, surroundings: Surroundings): readonly NewEvent[];
}

export function defineCommand<Input, State>(command: Command<Input, State>): Command<Input, State> {
  return command;
}
