import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import {
  advanceTurn,
  breakOffTurn,
  chooseBranch,
  endSession,
  receiveMessage,
} from '../../src/commands/chat/turns.ts';
import type { Command } from '../../src/commands/command.ts';
import { recordModels } from '../../src/commands/models/models.ts';
import { changeSettings } from '../../src/commands/settings/changeSettings.ts';
import { abandonWork } from '../../src/commands/system/abandonWork.ts';
import { recordLoss, startInstance, stopInstance } from '../../src/commands/system/instances.ts';
import { keepToolServers, recordToolServer } from '../../src/commands/tools/toolServers.ts';
import { settings } from '../../src/config.ts';
import { isHarkError } from '../../src/errors.ts';
import type { NewEvent } from '../../src/events/definition.ts';
import {
  CONVERSATION,
  cancelled,
  delegated,
  failed,
  interrupted,
  received,
  replied,
  stepTaken,
} from '../support/chatFacts.ts';
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

const turnId = fc.constantFrom('t1', 't2', 't3');
const conversationId = fc.constantFrom(CONVERSATION, 't1', 't2');
const found = fc.record({ turnId, conversationId }, plain);
const messages = fc.tuple(turnId, fc.option(found)).map(([id, other]) => {
  const { replaces: _none, ...said } = received(id).data;
  return request(receiveMessage, other ? { ...said, replaces: other } : said);
});
const choices = found.map((turn) => request(chooseBranch, { sessionId: 's', ...turn }));
const breaks = fc
  .tuple(turnId, fc.constantFrom('cancelled' as const, 'interrupted' as const))
  .map(([id, as]) => request(breakOffTurn, { turnId: id, sessionId: 's', as }));
const idleEnds = fc
  .tuple(conversationId, fc.nat({ max: 3 }))
  .map(([id, turns]) => request(endSession, { sessionId: 's', idle: { conversationId: id, turns } }));
const ends = fc.constant(request(endSession, { sessionId: 's' }));
const advances = fc
  .tuple(turnId, fc.constantFrom(stepTaken, replied, failed, delegated, cancelled, interrupted))
  .map(([id, fact]) => request(advanceTurn, { turnId: id, sessionId: 's', events: [fact(id)] }));

const serverName = fc.record({ name: fc.constantFrom('far', '__proto__'), prefix: fc.string() }, plain);
const foundServer = fc
  .tuple(
    serverName,
    fc.oneof(
      fc.record({ error: fc.string() }, plain),
      fc.record(
        { tools: fc.nat(), names: fc.array(fc.string(), { maxLength: 2 }), refused: fc.nat() },
        plain,
      ),
    ),
  )
  .map(([name, rest]) => ({ ...name, ...rest }));
const here = fc.record(
  {
    models: fc
      .tuple(fc.boolean(), fc.boolean())
      .map((all) => all.map((isHere, index) => ({ id: `model-${index}`, isHere }))),
    isDownloaded: fc.boolean(),
  },
  plain,
);

interface Stream {
  /** What may be asked of it again, and then finds that it is done. */
  readonly asked: fc.Arbitrary<Request>;
  /** What else may have been asked: the same again under the same id is found before anything is decided. */
  readonly happened?: fc.Arbitrary<Request>;
}

/** By stream: what may be asked of one is asked of the same one. */
const requests: Readonly<Record<string, fc.Arbitrary<Request> | Stream>> = {
  session: { asked: fc.oneof(messages, breaks, idleEnds), happened: fc.oneof(advances, ends, choices) },
  settings: changes.map((given) => request(changeSettings, { changes: given })),
  instance: fc.oneof(
    instance.map((input) => request(startInstance, input)),
    instance.map((input) => request(stopInstance, input)),
    instance.map((input) => request(recordLoss, input)),
  ),
  work: work.map((input) => request(abandonWork, input)),
  toolServers: fc.oneof(
    foundServer.map((input) => request(recordToolServer, input)),
    fc.subarray(['far', '__proto__']).map((names) => request(keepToolServers, { names })),
  ),
  models: here.map((input) => request(recordModels, input)),
};

describe('every decider', () => {
  for (const [stream, any] of Object.entries(requests)) {
    const { asked, happened = asked }: Stream = 'asked' in any ? any : { asked: any };
    const earlier = fc.array(fc.oneof(asked, happened), { maxLength: 12 });
    it.prop([earlier, asked], { numRuns: 300 })(
      `of ${stream} has nothing to add when it is asked the same again, whatever came before`,
      (before, again) => {
        const history = happen(before);
        const first = again.decide(history);
        if (typeof first === 'string') assert.equal(again.decide(history), first);
        else assert.deepEqual(again.decide([...history, ...first]), []);
      },
    );

    it.prop([earlier, fc.oneof(asked, happened)], { numRuns: 300 })(
      `of ${stream} comes to the same from events that went through JSON, and leaves alone what it is given`,
      (before, last) => {
        const history = happen(before);
        const stored: NewEvent[] = JSON.parse(JSON.stringify(history));
        deepFreeze(history);
        assert.deepEqual(last.decide(stored), last.decide(history));
        assert.deepEqual(last.evolved(stored), last.evolved(history));
      },
    );
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
