import type { NewEvent } from '../events/definition.ts';
import type { StreamFold } from '../folds/streamFold.ts';

/** What a decider may know of the world beside the state and the command. */
interface Surroundings {
  readonly now: number;
  newId(): string;
}

/** What may happen to one stream, and under which conditions. */
export interface Command<Input, State = unknown> {
  readonly name: string;
  readonly state: StreamFold<State>;
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
