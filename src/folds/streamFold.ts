import type { PastEvent } from '../events/definition.ts';
import type { EventReader, Position } from '../store/port.ts';

/** What the events of one stream add up to: for those who decide what may come next, or for those who read what is. */
export interface StreamFold<State> {
  readonly name: string;
  /** Raised when `State` or `evolve` changes its meaning: older snapshots are then ignored. */
  readonly version: number;
  /** Where `evolve` changes the state in place, another one each time. */
  readonly initial: State;
  /** Depends on nothing else. Events that do not matter to the state are passed by. */
  evolve(state: State, event: PastEvent): State;
}

export interface Past {
  /** Up to the event at this place of the log. */
  readonly position?: Position;
  /** Of what had happened by then, by the clock of those who wrote it down. */
  readonly time?: number;
}

/** The state as it was once, without what has been forgotten since. It is the caller's own. */
export async function foldedUntil<State>(
  store: EventReader,
  fold: StreamFold<State>,
  stream: string,
  { position, time = Number.POSITIVE_INFINITY }: Past = {},
): Promise<State> {
  let state = fold.initial;
  const range = position === undefined ? {} : { untilPosition: position };
  for await (const events of store.readStream(stream, range))
    for (const event of events) if (event.at <= time) state = fold.evolve(state, event);
  return state;
}
