import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Briefing } from '../../../src/application/chat/briefing.ts';
import { beginTurn, next } from '../../../src/application/chat/turnMachine.ts';
import type { TurnInput, TurnOutput, TurnState } from '../../../src/application/chat/turnState.ts';
import type { ChatEvent } from '../../../src/events/chat.ts';
import { contentOf } from '../../../src/projections/chat/exchange.ts';
import { cancelled, exchangeOf, received } from '../../support/chatFacts.ts';
import { NOW } from '../../support/given.ts';

const MOST_STEPS = 2;

const briefing: Briefing = {
  slot: 'chat',
  intent: null,
  system: 'You are tested.',
  history: [],
  tools: { shown: [], tokens: 7, run: () => Promise.reject(new TypeError('Nothing is run here')) },
};
const briefed = (more: Partial<Briefing> = {}) =>
  ({ type: 'briefed', briefing: { ...briefing, ...more }, mostSteps: MOST_STEPS, toolTokens: 7 }) as const;
const due = { type: 'due' } as const;
const routed = {
  type: 'routed',
  slot: 'chat',
  provider: 'cloud-a',
  model: 'model-a',
  fallback: false,
} as const;
const text = (said: string) => ({ type: 'text', text: said }) as const;
const finish = { type: 'finish', reason: 'stop', usage: { inputTokens: 1, outputTokens: 2 } } as const;
const answered = { type: 'answered', toolTokens: 7 } as const;
const call = (id: string) => ({ type: 'tool-call', call: { id, name: 'clock.read', input: {} } }) as const;
const returned = (callId: string) =>
  ({ type: 'returned', result: { callId, result: 'noon', failed: false, durationMs: 3 } }) as const;
const keptLast = { type: 'kept last' } as const;
const refused = { type: 'refused', code: 'INTERNAL', at: NOW } as const;
const over = { ...refused, code: 'TURN_OVER' } as const;
const cancel = { type: 'stopped', as: 'cancelled' } as const;
const endedElsewhere = { type: 'recorded', ending: { event: cancelled('t'), at: NOW + 5 } } as const;

const asking = [due, briefed()];
const calling = [...asking, routed, text('Let me see'), call('a'), call('b'), finish, answered, keptLast];
const replying = [...asking, routed, text('Good '), text('day'), finish, answered];

/** A turn to which all this happened; `kept last` is that the oldest write is kept. */
function given(...inputs: readonly (TurnInput | typeof keptLast)[]) {
  let state: TurnState = beginTurn({
    place: { turnId: 't', sessionId: 's', conversationId: 'c' },
    exchange: exchangeOf(received('t')),
    startedMs: 1_000,
  });
  const unkept: (readonly ChatEvent[])[] = [];
  const put = (input: TurnInput | typeof keptLast): readonly TurnOutput[] => {
    const kept = () => ({ type: 'kept', events: unkept.shift() ?? [], at: NOW + 9 }) as const;
    const step = next(state, input.type === 'kept last' ? kept() : input, 1_250);
    state = step.state;
    for (const output of step.outputs) if (output.type === 'write') unkept.push(output.events);
    return step.outputs;
  };
  for (const input of inputs) put(input);
  return {
    when: (input: TurnInput | typeof keptLast) => {
      const before = state;
      const outputs = put(input);
      return {
        puts: (...expected: readonly string[]) => assert.deepEqual(outputs.map(shortly), expected),
        is: (phase: TurnState['phase']) => assert.equal(state.phase, phase),
        changesNothing: () => assert.deepEqual([outputs, state === before], [[], true]),
        writes: (type: ChatEvent['type'], data: Readonly<Record<string, unknown>>) => {
          const [event] = outputs.flatMap((output) => (output.type === 'write' ? output.events : []));
          assert.equal(event?.type, type);
          for (const [key, value] of Object.entries(data)) assert.deepEqual(Object(event?.data)[key], value);
        },
        remembers: (check: (exchange: TurnState['turn']['exchange']) => void) => {
          const remembered = outputs.flatMap((one) => (one.type === 'remember' ? [one.exchange] : []));
          assert.equal(remembered.length, 1);
          for (const exchange of remembered) check(exchange);
        },
      };
    },
  };
}

function shortly(output: TurnOutput): string {
  if (output.type === 'tell') return `tell ${output.signal.type}`;
  if (output.type === 'write')
    return `write ${output.events.map(({ type }) => type.replace('chat.', '')).join(', ')}`;
  return output.type === 'call' ? `call ${output.calls.map(({ id }) => id).join(', ')}` : output.type;
}

describe('the machine of a turn', () => {
  it('is briefed when those before it are over, and then asks the model', () => {
    given().when(due).puts('brief');
    given(due).when(briefed()).puts('tell step', 'ask');
    given().when(briefed()).changesNothing();
  });

  it('keeps what was summed up before it asks', () => {
    const summed = { uptoTurnId: 'before', summary: 'They met.', tokens: 3 };
    given(due).when(briefed({ summed })).puts('write history.summarized');
    given(due, briefed({ summed })).when(keptLast).puts('tell step', 'ask');
  });

  it('tells what the model says when it comes, and nothing of what is no word', () => {
    given(...asking)
      .when(text('Good'))
      .puts('tell content');
    given(...asking)
      .when({ type: 'reasoning', text: 'Hm' })
      .puts('tell thinking');
    given(...asking)
      .when(text(''))
      .changesNothing();
    given(...asking)
      .when(call('a'))
      .puts();
  });

  it('takes what rules answer as if a model had said it, and names none', () => {
    const reply = given(...asking).when({ type: 'ruled', text: 'Noted.', calls: [] });
    reply.puts('tell content', 'write reply.sent');
    reply.writes('chat.reply.sent', { step: 1, provider: null, model: null });
    const search = { id: 'r', name: 'memory.search', input: {} };
    const asked = { type: 'ruled', text: '', calls: [search] } as const;
    given(...asking)
      .when(asked)
      .puts('write step.taken, tool.called');
    given(...asking, asked)
      .when(keptLast)
      .puts('tell tool_start', 'call r');
    given(...replying)
      .when(asked)
      .changesNothing();
  });

  it('ends with a reply that was kept before it is told', () => {
    const when = given(...replying.slice(0, -1)).when(answered);
    when.puts('write reply.sent');
    when.writes('chat.reply.sent', { step: 1, parts: [{ type: 'content', text: 'Good day' }] });
    const then = given(...replying).when(keptLast);
    then.puts('tell done', 'remember');
    then.remembers((exchange) => {
      assert.equal(contentOf(exchange), 'Good day');
      assert.deepEqual([exchange.end?.as, exchange.end?.at], ['replied', NOW + 9]);
    });
  });

  it('counts who answered, what was used, and how long it took', () => {
    given(...replying)
      .when(keptLast)
      .remembers(({ end }) => {
        const { provider, model, stepCount, toolTokens, usage, durationMs } = end?.metadata ?? {};
        assert.deepEqual([provider, model, stepCount, toolTokens], ['cloud-a', 'model-a', 1, 7]);
        assert.deepEqual([usage, durationMs], [{ inputTokens: 1, outputTokens: 2 }, 250]);
      });
  });

  it('runs what the model calls once the calls are kept, and tells of them then', () => {
    given(...calling.slice(0, -2))
      .when(answered)
      .puts('write step.taken, tool.called, tool.called');
    given(...calling.slice(0, -1))
      .when(keptLast)
      .puts('tell tool_start', 'tell tool_start', 'call a, b');
  });

  it('asks again when all results are kept, in whichever order they came', () => {
    given(...calling)
      .when(returned('b'))
      .puts('write tool.returned');
    given(...calling, returned('b'))
      .when(returned('a'))
      .puts('write tool.returned');
    given(...calling, returned('b'), returned('a'))
      .when(keptLast)
      .puts('tell tool_result');
    given(...calling, returned('b'), returned('a'), keptLast)
      .when(keptLast)
      .puts('tell tool_result', 'tell step', 'ask');
    given(...calling, returned('b'), returned('a'))
      .when(returned('a'))
      .changesNothing();
  });

  it('leaves the calls of its own tools to the client, and is over', () => {
    const ofTheClient = { messages: [], tools: [], manner: {} };
    const delegating = [due, briefed({ given: ofTheClient }), routed, call('a'), finish, answered];
    given(...delegating)
      .when(keptLast)
      .puts('tell tool_start', 'write turn.delegated');
    given(...delegating, keptLast)
      .when(keptLast)
      .puts('tell done', 'remember');
  });

  it('takes what a client left no words for as the reply', () => {
    const limited = [due, briefed({ given: { messages: [], manner: {} } }), routed];
    const ended = [...limited, { ...finish, reason: 'length' } as const];
    given(...ended)
      .when(answered)
      .puts('write reply.sent');
    given(...limited, finish)
      .when(answered)
      .puts('write step.taken');
  });

  it('asks a model that says nothing once more, and no more than that', () => {
    const silent = [routed, finish, answered];
    given(...asking, routed, finish)
      .when(answered)
      .puts('write step.taken');
    given(...asking, ...silent)
      .when(keptLast)
      .puts('tell step', 'ask');
    const when = given(...asking, ...silent, keptLast, routed, finish).when(answered);
    when.puts('stop', 'write turn.failed');
    when.writes('chat.turn.failed', { code: 'MODEL_UNAVAILABLE', step: 2, parts: [] });
  });

  it('fails when the model ends without having answered', () => {
    given(...asking, routed)
      .when(answered)
      .writes('chat.turn.failed', { code: 'MODEL_UNAVAILABLE' });
    given(...asking, finish)
      .when(answered)
      .writes('chat.turn.failed', { code: 'MODEL_UNAVAILABLE' });
  });

  it('takes no more steps than it may', () => {
    const step = [routed, call('a'), finish, answered, keptLast, returned('a')];
    const when = given(...asking, ...step, keptLast, ...step).when(keptLast);
    when.puts('tell tool_result', 'write turn.failed');
    when.writes('chat.turn.failed', { code: 'MAX_STEPS', step: 2, parts: [] });
  });

  it('fails with what had been said when the model takes too long', () => {
    const when = given(...asking, text('So')).when({ type: 'failed', code: 'MODEL_TIMEOUT' });
    when.puts('stop', 'write turn.failed');
    when.writes('chat.turn.failed', {
      code: 'MODEL_TIMEOUT',
      step: 1,
      parts: [{ type: 'content', text: 'So' }],
    });
  });

  it('is cancelled where it waits, and with what had been said where it is answered', () => {
    given().when(cancel).puts('stop', 'write turn.cancelled');
    const when = given(...asking, text('So')).when(cancel);
    when.writes('chat.turn.cancelled', { step: 1, parts: [{ type: 'content', text: 'So' }] });
    given(cancel).when(due).changesNothing();
    given(...asking, cancel)
      .when(text('late'))
      .changesNothing();
  });

  it('is cancelled no sooner than what is being written is kept, so that it is told too', () => {
    given(...calling, returned('a'))
      .when(cancel)
      .puts('stop');
    given(...calling, returned('a'), cancel)
      .when(keptLast)
      .puts('tell tool_result', 'write turn.cancelled');
    given(...calling.slice(0, -1))
      .when(cancel)
      .puts('stop');
    given(...calling.slice(0, -1), cancel)
      .when(keptLast)
      .puts('tell tool_start', 'tell tool_start', 'write turn.cancelled');
    given(...calling, returned('a'), cancel)
      .when(returned('b'))
      .changesNothing();
  });

  it('is interrupted, and not cancelled, when its process stops', () => {
    given(...asking)
      .when({ type: 'stopped', as: 'interrupted' })
      .puts('stop', 'write turn.interrupted');
  });

  it('ends as somebody else ended it, and writes no ending of its own', () => {
    const when = given(...asking, text('So')).when(endedElsewhere);
    when.puts('stop', 'tell error', 'tell done', 'remember');
    when.remembers(({ end }) => assert.deepEqual([end?.as, end?.at], ['cancelled', NOW + 5]));
    given(...calling, returned('a'))
      .when(endedElsewhere)
      .puts('stop');
    given(...calling, returned('a'), endedElsewhere)
      .when(keptLast)
      .puts('tell tool_result', 'tell error', 'tell done', 'remember');
  });

  it('ends as the log says when its reply came too late, or was kept as cancelled', () => {
    given(...replying)
      .when(endedElsewhere)
      .puts();
    for (const answer of [keptLast, over])
      given(...replying, endedElsewhere)
        .when(answer)
        .remembers(({ end }) => assert.deepEqual([end?.as, end?.at], ['cancelled', NOW + 5]));
  });

  it('asks the log how it ended when it is refused and has not heard of it', () => {
    given(...replying)
      .when(over)
      .puts('stop', 'look up');
    given(...calling, returned('a'))
      .when(over)
      .puts('stop', 'look up');
    given(...calling, returned('a'), cancel)
      .when(over)
      .puts('stop', 'look up');
    given(due).when({ type: 'failed', code: 'TURN_OVER' }).puts('stop', 'look up');
    const { ending } = endedElsewhere;
    given(...replying, over)
      .when({ type: 'looked up', ending, at: NOW })
      .remembers(({ end }) => assert.equal(end?.as, 'cancelled'));
    given(...replying, over)
      .when(endedElsewhere)
      .puts('tell error', 'tell done', 'remember');
  });

  it('is interrupted when the log was lost and does not know how it ended', () => {
    const nothing = { type: 'looked up', ending: undefined, at: NOW + 2 } as const;
    given(...calling, returned('a'), over)
      .when(nothing)
      .remembers(({ end }) => assert.deepEqual([end?.as, end?.at], ['interrupted', NOW + 2]));
    given(...calling, returned('a'), cancel, over)
      .when(nothing)
      .remembers(({ end }) => assert.equal(end?.as, 'cancelled'));
    // What it came to is known here.
    given(...replying, over)
      .when(nothing)
      .remembers(({ end }) => assert.equal(end?.as, 'replied'));
  });

  it('fails when a step cannot be written for good, and tells its end all the same', () => {
    given(...calling.slice(0, -1))
      .when(refused)
      .writes('chat.turn.failed', { code: 'INTERNAL', parts: [{ type: 'content', text: 'Let me see' }] });
    given(...replying)
      .when(refused)
      .puts('tell done', 'remember');
  });

  it('hears nothing more once it is over', () => {
    const all = [due, briefed(), routed, text('x'), call('x'), finish, answered, returned('a'), keptLast];
    const late = [
      ...all,
      refused,
      over,
      cancel,
      endedElsewhere,
      { type: 'failed', code: 'INTERNAL' } as const,
    ];
    for (const input of late)
      given(...replying, keptLast)
        .when(input)
        .changesNothing();
  });
});
