import assert from 'node:assert/strict';
import type { Command } from '../../src/commands/command.ts';
import { type ErrorCode, isHarkError } from '../../src/errors.ts';
import { eventCatalog } from '../../src/events/catalog.ts';
import type { NewEvent } from '../../src/events/definition.ts';
import type { StreamFold } from '../../src/folds/streamFold.ts';

/** The moment at which a decider is asked, and the ids it gets, where a test says nothing else. */
export const NOW = 1_700_000_000_000;

interface Outcome {
  /** Exactly these facts follow. */
  gives(...events: readonly NewEvent[]): void;
  givesNothing(): void;
  isRefused(code: ErrorCode, body?: Readonly<Record<string, unknown>>): void;
}

interface When<Input> {
  when(input: Input): Outcome;
}

/** What has been: `given(command, …events).when(input).gives(…events)`. */
export function given<Input, State>(
  command: Command<Input, State>,
  ...events: readonly (NewEvent & { readonly at?: number })[]
): When<Input> {
  return {
    when: (input) => {
      const decided = () => decide(command, fold(command.state, events), input);
      return {
        gives: (...expected) => assert.deepEqual(decided(), expected),
        givesNothing: () => assert.deepEqual(decided(), []),
        isRefused: (code, body) =>
          assert.throws(decided, (error) => {
            assert.ok(isHarkError(error, code), `${error}`);
            if (body) assert.deepEqual(error.body, body);
            return true;
          }),
      };
    },
  };
}

/** As the log would hand them on; an event that says nothing of it happened now. */
export function fold<State>(
  definition: StreamFold<State>,
  events: readonly (NewEvent & { readonly at?: number })[],
): State {
  const past = events.map((event) => ({ ...event, data: asWritten(event), at: event.at ?? NOW }));
  return past.reduce((state, event) => definition.evolve(state, event), definition.initial);
}

function asWritten({ type, data }: NewEvent): unknown {
  return eventCatalog.find((known) => known.type === type)?.data.parse(data) ?? data;
}

/** What the command decides, as the log would take it: of a known type, and nothing that its schema would change. */
export function decide<Input, State>(
  command: Command<Input, State>,
  state: State,
  input: Input,
): readonly NewEvent[] {
  let ids = 0;
  const events = command.decide(state, input, { now: NOW, newId: () => `id-${++ids}` });
  for (const { type, data } of events) {
    const definition = eventCatalog.find((known) => known.type === type);
    assert.ok(definition, `${type} is not in the catalog`);
    assert.deepEqual(definition.data.parse(data), data);
  }
  return events;
}
