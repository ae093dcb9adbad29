import type { StoredEvent } from '../store/storedEvent.ts';

/**
 * What is, drawn from what happened. A projection's state is JSON, so that it can be kept as a snapshot; it
 * holds no personal text unless it belongs to one user.
 */
export interface Projection<State> {
  readonly name: string;
  /** Raised when the state or `apply` changes its meaning: the projection is then built anew from the log. */
  readonly version: number;
  readonly handles: readonly string[];
  initial(): State;
  /** Changes the state in place: called once for every handled event, in order. */
  apply(state: State, event: StoredEvent): void;
}

export function defineProjection<State>(projection: Projection<State>): Projection<State> {
  return projection;
}
