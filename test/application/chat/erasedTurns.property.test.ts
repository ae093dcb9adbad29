import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { eraseMemory } from '../../../src/commands/memory/forgetting.ts';
import { readTurnEnding } from '../../../src/events/turnEndings.ts';
import { messageReceived } from '../../../src/events/turns.ts';
import type { ModelMessage } from '../../../src/gateways/models/gateway.ts';
import type { StoredEvent } from '../../../src/store/storedEvent.ts';
import { readAll } from '../../store/contract.ts';
import { SharedStore } from '../../support/sharedStore.ts';
import { ChatProcess, call, finish, type Speech, text } from './process.ts';

interface Plan {
  readonly session: 's1' | null;
  readonly at: 0 | 1;
  /** How many steps call a tool before the reply. */
  readonly steps: number;
}

const at = fc.constantFrom(0 as const, 1 as const);
const plan: fc.Arbitrary<Plan> = fc.record(
  { session: fc.constantFrom('s1' as const, 's1' as const, null), at, steps: fc.nat({ max: 2 }) },
  { noNullPrototype: true },
);
const plans = fc.array(plan, { minLength: 1, maxLength: 5 });
/** At the latest when all turns are over. */
const erasure = fc.record({ by: at, instant: fc.integer({ min: 1, max: 30 }) }, { noNullPrototype: true });
const ann = { userId: 'ann', correlationId: 'test' };

describe('all memory is erased while turns run', () => {
  it.prop([fc.scheduler(), plans, erasure], { numRuns: 200 })(
    'and nothing of those that were asked before can be read, whatever the instant and the process',
    async (s, all, { by, instant }) => {
      const come = Promise.withResolvers<void>();
      let moments = 0;
      const pause = (label: string) => {
        if (++moments === instant) come.resolve();
        return s.schedule(Promise.resolve(), label);
      };
      const store = new SharedStore((tell) => void pause('news').then(tell));
      const options = { speech: speechOf(all, pause), runTool: toolOf(pause) };
      const start = () => ChatProcess.start(store.hold(), options);
      const processes = [await start(), await start()] as const;
      const erase = async () => {
        await come.promise;
        const { position } = await processes[by].context.runner.run(eraseMemory, {}, ann);
        return position;
      };
      const converse = async ({ at, session: sessionId }: Plan, index: number) => {
        await pause(`begin ${index}`);
        const turn = await processes[at].say(`word-${index}-`, { sessionId, turnId: `t${index}` });
        await turn.ended;
      };
      const conversed = Promise.all(all.map(converse)).then(() => come.resolve());
      const [erasedAt] = await s.waitFor(Promise.all([erase(), conversed]));
      const fresh = await ChatProcess.start(store.hold(), options);
      check(await readAll(fresh.context.store), erasedAt);
      for (const { failures } of processes) assert.deepEqual(failures, []);
      await s.waitFor(Promise.all(processes.map(({ turns }) => turns.stop())));
    },
  );
});

function check(log: readonly StoredEvent[], erasedAt: number): void {
  const told = log.map((event) => JSON.stringify(event)).join('\n');
  const received = log.filter(({ type }) => type === messageReceived.type);
  const ends = log.filter((event) => readTurnEnding(event));
  assert.deepEqual(ends.map(turnOf).toSorted(), received.map(turnOf).toSorted());
  for (const message of received) {
    const isGone = message.position < erasedAt;
    const word = `word-${turnOf(message).slice(1)}-`;
    assert.equal(told.includes(word), !isGone, `${word} ${isGone ? 'can still' : 'cannot'} be read`);
    const end = ends.find((event) => turnOf(event) === turnOf(message));
    if (!isGone) assert.equal(end?.type, 'chat.reply.sent');
    else if (end && end.position > erasedAt) assert.equal(end.type, 'chat.turn.cancelled');
  }
}

/** What a model says has the word in it that it was asked with. */
function speechOf(all: readonly Plan[], pause: (label: string) => Promise<unknown>): Speech {
  return async function* ({ messages }, signal) {
    const lastUser = messages.findLastIndex(({ role }) => role === 'user');
    const word = wordOf(messages[lastUser]);
    const step = messages.slice(lastUser + 1).filter(({ role }) => role === 'assistant').length;
    await pause('say');
    signal.throwIfAborted();
    yield text(`${word} said`);
    await pause('more');
    signal.throwIfAborted();
    const planned = all[Number(word.split('-')[1])];
    if (planned && step < planned.steps) yield call(`${step}`);
    yield finish;
  };
}

function toolOf(pause: (label: string) => Promise<unknown>) {
  return async (name: string) => {
    await pause('tool');
    return { result: `of ${name}`, failed: false, durationMs: 1 };
  };
}

function wordOf(message: ModelMessage | undefined): string {
  const [part] = message?.role === 'user' ? message.parts : [];
  return part?.type === 'text' ? part.text : '';
}

function turnOf({ data }: StoredEvent): string {
  return String(Object(data).turnId);
}
