import type { EventDefinition, EventOf } from '../events/definition.ts';
import type { StreamFold } from '../folds/streamFold.ts';
import type { StoredEvent } from '../store/storedEvent.ts';

/**
 * What is, drawn from what happened. A projection's state is JSON, or can be made of JSON, so that it can be kept as
 * a snapshot; it holds no personal text unless it belongs to one user.
 */
export interface Projection<State, Definition extends EventDefinition = EventDefinition> {
  readonly name: string;
  /** Raised when the state or `apply` changes its meaning: the projection is then built anew from the log. */
  readonly version: number;
  readonly handles: readonly Definition[];
  initial(): State;
  /** Changes the state in place: called once for every handled event, in order. */
  apply(state: State, event: Handled<Definition>): void;
  /** Where the state is more than JSON: makes it of what its `toJSON` gave. */
  revive?(saved: unknown): State;
  /** Where it would take too long to save at once: into how many parts it falls, and which one an event concerns. */
  readonly parts?: { readonly count: number; of(event: Handled<Definition>): number };
}

/** An event of one of these definitions, and typed by it. */
export type Handled<Definition extends EventDefinition> = Definition extends EventDefinition
  ? StoredEvent & EventOf<Definition> & { readonly sealed: { readonly data: EventOf<Definition>['data'] } }
  : never;

/**
 * What is, drawn from one stream of one user. It is read when somebody first asks for it, since there may be any number
 * of users; it may hold their personal text, and is dropped with its snapshot when they have anything forgotten.
 */
export interface UserProjection<State, Which extends readonly string[] = []> extends StreamFold<State> {
  /** `which`: of several that a user has, by its id. */
  stream(userId: string, ...which: Which): string;
}

export function defineProjection<State, Definition extends EventDefinition>(
  projection: Projection<State, Definition>,
): Projection<State> {
  return projection;
}
