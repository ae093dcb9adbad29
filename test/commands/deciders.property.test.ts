import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Command } from '../../src/commands/command.ts';
import { changeSettings } from '../../src/commands/settings/changeSettings.ts';
import { abandonWork } from '../../src/commands/system/abandonWork.ts';
import { recordLoss } from '../../src/commands/system/recordLoss.ts';
import { startInstance } from '../../src/commands/system/startInstance.ts';
import { stopInstance } from '../../src/commands/system/stopInstance.ts';
import { settings } from '../../src/config.ts';
import { isHarkError } from '../../src/errors.ts';
import type { NewEvent } from '../../src/events/definition.ts';
import { decide, fold } from '../support/given.ts';

/** Something that is asked of one stream: a command with its input, whatever types these are of. */
interface Request {
  /** What follows after these events: facts, or the code of the refusal. */
  decide(history: readonly NewEvent[]): readonly NewEvent[] | string;
  evolved(history: readonly NewEvent[]): unknown;
  /** For the counterexample. */
  readonly [fc.toStringMethod]: () => string;
}

function request<Input, State>(command: Command<Input, State>, input: Input): Request {
  return {
    [fc.toStringMethod]: () => `${command.name} ${fc.stringify(input)}`,
    evolved: (history) => fold(command.state, history),
    decide(history) {
      try {
        return decide(command, fold(command.state, history), input);
      } catch (error) {
        assert.ok(isHarkError(error), `${error}`);
        return error.code;
      }
    },
  };
}

const settingKey = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...settings.keys()) },
  { weight: 1, arbitrary: fc.constantFrom('unknown', '__proto__', 'toString') },
);
const settingValue = fc.oneof(
  fc.constantFrom(null, 'keyword', 'hybrid', 'small', 'always', true, false, 0, -0, 0.5, 1, 7, 1_200, ''),
  fc.jsonValue(),
);
const changes = fc.dictionary(settingKey, settingValue, { maxKeys: 4, noNullPrototype: true });
const plain = { noNullPrototype: true };
const instance = fc.record({ instanceId: fc.constant('one'), version: fc.string(), pid: fc.nat() }, plain);
const work = fc.record(
  {
    saga: fc.constant('mail'),
    position: fc.integer({ min: 1, max: 4 }),
    attempts: fc.nat(),
    code: fc.string(),
  },
  plain,
);

/** By stream: what may be asked of one is asked of the same one. */
const requests: Readonly<Record<string, fc.Arbitrary<Request>>> = {
  settings: changes.map((given) => request(changeSettings, { changes: given })),
  instance: fc.oneof(
    instance.map((input) => request(startInstance, input)),
    instance.map((input) => request(stopInstance, input)),
    instance.map((input) => request(recordLoss, input)),
  ),
  work: work.map((input) => request(abandonWork, input)),
};

describe('every decider', () => {
  for (const [stream, asked] of Object.entries(requests)) {
    it(`of ${stream} has nothing to add when it is asked the same again, whatever came before`, () => {
      fc.assert(
        fc.property(fc.array(asked, { maxLength: 12 }), asked, (before, again) => {
          const history = happen(before);
          const first = again.decide(history);
          if (typeof first === 'string') assert.equal(again.decide(history), first);
          else assert.deepEqual(again.decide([...history, ...first]), []);
        }),
        { numRuns: 300 },
      );
    });

    it(`of ${stream} comes to the same from events that went through JSON, and leaves alone what it is given`, () => {
      fc.assert(
        fc.property(fc.array(asked, { maxLength: 12 }), asked, (before, last) => {
          const history = happen(before);
          const stored: NewEvent[] = JSON.parse(JSON.stringify(history));
          deepFreeze(history);
          assert.deepEqual(last.decide(stored), last.decide(history));
          assert.deepEqual(last.evolved(stored), last.evolved(history));
        }),
        { numRuns: 300 },
      );
    });
  }
});

function happen(asked: readonly Request[]): NewEvent[] {
  const history: NewEvent[] = [];
  for (const each of asked) {
    const decided = each.decide(history);
    if (typeof decided !== 'string') history.push(...decided);
  }
  return history;
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
}
