import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { endToForget } from '../../../src/application/chat/sessionToForget.ts';
import { rememberByWord } from '../../../src/application/memory/rememberingByWord.ts';
import { eraseConversations, eraseMemory } from '../../../src/commands/memory/forgetting.ts';
import { createTask } from '../../../src/commands/scheduler/createTask.ts';
import { HarkError, isHarkError } from '../../../src/errors.ts';
import { conversationsErasedBy, readConversationErasure } from '../../../src/events/episodes.ts';
import { messageReceived } from '../../../src/events/turns.ts';
import type { StoredEvent } from '../../../src/store/storedEvent.ts';
import { readAll } from '../../store/contract.ts';
import { SharedStore } from '../../support/sharedStore.ts';
import { ChatProcess, call, finish, type Speech, text } from './process.ts';

const ann = { userId: 'ann', correlationId: 'test' };
const at = fc.constantFrom(0 as const, 1 as const);
const plans = fc.array(at, { minLength: 1, maxLength: 4 });
const erasure = fc.record(
  { what: fc.constantFrom('session', 'all'), by: at, instant: fc.integer({ min: 1, max: 30 }) },
  { noNullPrototype: true },
);

describe('what a tool has remembered and scheduled in a turn', () => {
  it.prop([fc.scheduler(), plans, erasure], { numRuns: 200 })(
    'is gone with the turn, whenever that is erased and by whichever process',
    async (s, all, { what, by, instant }) => {
      const come = Promise.withResolvers<void>();
      let moments = 0;
      const pause = (label: string) => {
        if (++moments === instant) come.resolve();
        return s.schedule(Promise.resolve(), label);
      };
      const store = new SharedStore((tell) => void pause('news').then(tell));
      const processes = await Promise.all([0, 1].map(() => rememberingProcess(store, pause)));
      const at = (index: number) => processes[index] ?? assert.fail();
      const erase = async () => {
        await come.promise;
        const { context } = at(by);
        if (what === 'all') return void (await context.runner.run(eraseMemory, {}, ann));
        const said = await endToForget(context, { ...ann, sessionId: 's1' }).catch(unlessUnknown);
        if (said) await context.runner.run(eraseConversations, said, ann);
      };
      const converse = async (index: number, process: number) => {
        await pause(`begin ${index}`);
        const turn = await at(process).say(`word-${index}-`, { sessionId: 's1', turnId: `t${index}` });
        await turn.ended;
      };
      const conversed = Promise.all(all.map((process, index) => converse(index, process)));
      await s.waitFor(Promise.all([erase(), conversed.then(() => come.resolve())]));
      const fresh = await ChatProcess.start(store.hold(), { speech: remembers(pause) });
      check(await readAll(fresh.context.store));
      for (const { failures } of processes) assert.deepEqual(failures, []);
      await s.waitFor(Promise.all(processes.map(({ turns }) => turns.stop())));
    },
  );
});

async function rememberingProcess(store: SharedStore, pause: (label: string) => Promise<unknown>) {
  let context: (() => ChatProcess['context']) | undefined;
  const process = await ChatProcess.start(store.hold(), {
    speech: remembers(pause),
    runTool: async (_name, _signal, { turn }) => {
      await pause('tool');
      const parts = { context: () => context?.() ?? assert.fail(), clock: () => 1 };
      const told = await rememberByWord(parts, `${turn?.said}is dear to me`, { ...ann, turn }).catch(
        unlessOver,
      );
      await pause('another tool');
      const schedule = { type: 'once', atTimestamp: 1 } as const;
      const task = { taskId: randomUUID(), schedule, topic: 'tea.ready', payload: null };
      await parts
        .context()
        .runner.run(createTask, { ...task, name: `${turn?.said}is due` }, { ...ann, during: turn })
        .catch(unlessOver);
      return { result: JSON.stringify(told), failed: !told, durationMs: 1 };
    },
  });
  context = () => process.context;
  return process;
}

/** What was erased is nowhere, and all else is where it was. */
function check(log: readonly StoredEvent[]): void {
  const isOfTask = ({ type }: StoredEvent) => type.startsWith('schedule.');
  const textOf = (events: readonly StoredEvent[]) => events.map((event) => JSON.stringify(event)).join('\n');
  const told = textOf(log.filter((event) => !isOfTask(event)));
  const scheduled = textOf(log.filter(isOfTask));
  const allGone = log.findLast(({ type }) => type === 'memory.erased')?.position ?? 0;
  const gone = new Set(
    log.flatMap((event) => {
      const erasure = readConversationErasure(event);
      return erasure ? conversationsErasedBy(erasure) : [];
    }),
  );
  for (const { type, position, data } of log) {
    if (type !== messageReceived.type) continue;
    const { turnId, conversationId } = Object(data);
    const isGone = position < allGone || gone.has(conversationId);
    const word = `word-${String(turnId).slice(1)}-`;
    assert.equal(told.includes(word), !isGone, `${word} ${isGone ? 'can still' : 'cannot'} be read`);
    assert.equal(told.includes(`${word}is dear to me`), !isGone, `belief of ${word}`);
    // A task outlives the session in which it was made.
    if (position < allGone || !isGone) assert.equal(scheduled.includes(word), !isGone, `task of ${word}`);
  }
}

function remembers(pause: (label: string) => Promise<unknown>): Speech {
  return async function* ({ messages }, signal) {
    await pause('say');
    signal.throwIfAborted();
    if (messages.at(-1)?.role === 'user') yield call('c', 'memory.remember');
    else yield text('Noted.');
    yield finish;
  };
}

function unlessUnknown(error: unknown): undefined {
  if (!isHarkError(error, 'SESSION_UNKNOWN')) throw error;
}

function unlessOver(error: unknown): undefined {
  if (!(error instanceof HarkError) || error.code !== 'TURN_OVER') throw error;
}
