import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, it, vi } from 'vitest';
import type { NumberedSignal } from '../../../src/application/chat/signals.ts';
import type { TurnHandle } from '../../../src/application/chat/turns.ts';
import { eraseMemory } from '../../../src/commands/memory/forgetting.ts';
import type { CompletionPart } from '../../../src/gateways/models/gateway.ts';
import { historyOf } from '../../../src/projections/chat/conversation.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { readAll } from '../../store/contract.ts';
import { replaceableAdapter } from '../../support/replaceableAdapter.ts';
import { SharedStore } from '../../support/sharedStore.ts';
import { ChatProcess, call, finish, type Speech, text } from './process.ts';

const ann = { userId: 'ann', correlationId: 'cause' };

/** Says what was asked last, once it may. */
class Models {
  readonly asked: (readonly string[])[] = [];
  readonly stopped: string[] = [];
  #gates = new Map<string, PromiseWithResolvers<void>>();
  #arrivals: (() => void)[] = [];

  gate(of: string): PromiseWithResolvers<void> {
    const gate = this.#gates.get(of) ?? Promise.withResolvers<void>();
    this.#gates.set(of, gate);
    return gate;
  }

  async asks(count: number): Promise<void> {
    while (this.asked.length < count) await new Promise<void>((resolve) => this.#arrivals.push(resolve));
  }

  get speech(): Speech {
    const models = this;
    return async function* ({ messages }, signal): AsyncGenerator<CompletionPart> {
      const said = messages.map((message) =>
        message.role === 'user'
          ? message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
          : message.role === 'tool'
            ? message.result
            : message.text,
      );
      const last = said.at(-1) ?? '';
      models.asked.push(said);
      for (const arrived of models.#arrivals.splice(0)) arrived();
      const gone = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => {
        models.stopped.push(last);
        gone.reject(signal.reason);
      });
      gone.promise.catch(() => undefined);
      if (models.#gates.has(last)) {
        yield text('So: ');
        await Promise.race([models.#gates.get(last)?.promise, gone.promise]);
      }
      if (last.startsWith('Use two')) yield* [call('a'), call('b', 'clock.set')];
      else if (last.startsWith('Use one')) yield call('a');
      else if (last !== 'Be silent') yield text(`re ${last}`);
      yield finish;
    };
  }
}

async function signals(handle: TurnHandle | undefined, after?: string): Promise<readonly string[]> {
  assert.ok(handle);
  const read = await Array.fromAsync(handle.transcript.read(after, new AbortController().signal));
  return read.flat().map(({ signal }) => signal.type);
}

function typeOf({ signal }: NumberedSignal): string {
  return signal.type;
}

describe('turns', () => {
  const started: ChatProcess[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map(({ turns }) => turns.stop()));
  });
  async function start(
    hold: Parameters<typeof ChatProcess.start>[0],
    options: Parameters<typeof ChatProcess.start>[1],
  ): Promise<ChatProcess> {
    const process = await ChatProcess.start(hold, options);
    started.push(process);
    return process;
  }
  const history = async (process: ChatProcess, sessionId = 's') =>
    historyOf({ exchanges: await process.turns.exchanges('ann', sessionId) }).map(({ content }) => content);

  it('of one session run one after the other, and are told what was said before them alone', async () => {
    const models = new Models();
    const one = await start(new SharedStore().hold(), models);
    const gate = models.gate('first');
    const first = await one.say('first', { sessionId: 's' });
    const second = await one.say('second', { sessionId: 's' });
    await models.asks(1);
    assert.deepEqual(await history(one), ['first']);
    gate.resolve();
    await Promise.all([first.ended, second.ended]);
    assert.deepEqual(models.asked, [['first'], ['first', 'So: re first', 'second']]);
    assert.deepEqual(await history(one), ['first', 'So: re first', 'second', 're second']);
  });

  it('of one session run one after the other also in two processes', async () => {
    const models = new Models();
    const store = new SharedStore();
    const one = await start(store.hold(), models);
    const two = await start(store.hold(), models);
    const gate = models.gate('first');
    const first = await one.say('first', { sessionId: 's' });
    const second = await two.say('second', { sessionId: 's' });
    const third = await one.say('third', { sessionId: 's' });
    await models.asks(1);
    gate.resolve();
    await Promise.all([first.ended, second.ended, third.ended]);
    assert.deepEqual(
      models.asked.map((said) => said.at(-1)),
      ['first', 'second', 'third'],
    );
    assert.equal(models.asked.at(-1)?.length, 5);
    assert.deepEqual(await history(one), await history(two));
  });

  it('asked for twice at once under one id are one turn, in one process and in two', async () => {
    const models = new Models();
    const store = new SharedStore();
    const one = await start(store.hold(), models);
    const two = await start(store.hold(), models);
    const same = { sessionId: 's', turnId: 'same' };
    const handles = await Promise.all([one.say('hi', same), one.say('hi', same), two.say('hi', same)]);
    const ends = await Promise.all(handles.map(({ ended }) => ended));
    assert.deepEqual(
      ends.map(({ end }) => end?.as),
      ['replied', 'replied', 'replied'],
    );
    assert.equal(models.asked.length, 1);
    assert.deepEqual(await history(two), ['hi', 're hi']);
    const again = await two.say('hi', same);
    assert.deepEqual(await signals(again), ['step', 'content', 'done']);
    assert.equal(models.asked.length, 1);
  });

  it('go on when the log goes away while several tools are at work, and are kept later', async () => {
    const models = new Models();
    const hold = new SharedStore().hold();
    const tools = Promise.withResolvers<void>();
    const running = Promise.withResolvers<void>();
    const runTool = async (name: string) => {
      running.resolve();
      await tools.promise;
      return { result: `of ${name}`, failed: false, durationMs: 1 };
    };
    const one = await start(hold, { speech: models.speech, runTool });
    const turn = await one.say('Use two', { sessionId: 's' });
    await running.promise;
    hold.goAway();
    tools.resolve();
    const { end } = await turn.ended;
    assert.equal(end?.as, 'replied');
    assert.deepEqual(await history(one), ['Use two', 're of clock.set']);
    const next = await one.say('and now?', { sessionId: 's' });
    assert.equal((await next.ended).end?.as, 'replied');
    assert.deepEqual(models.asked.at(-1)?.slice(-3), ['of clock.set', 're of clock.set', 'and now?']);
    assert.deepEqual(await signals(await one.turns.find('ann', turn.turnId)), await signals(turn));
    await hold.comeBack();
    while ((await readAll(one.context.store)).filter(({ type }) => type === 'chat.reply.sent').length < 2)
      await nextTurn();
    const kept = await readAll(one.context.store);
    assert.deepEqual(
      kept.map(({ type }) => type.replace('chat.', '')),
      [
        'message.received',
        ...['step.taken', 'tool.called', 'tool.called', 'tool.returned', 'tool.returned', 'reply.sent'],
        ...['message.received', 'reply.sent'],
      ],
    );
    const conversations = kept.map(({ data }) => Object(data).conversationId);
    assert.deepEqual(new Set(conversations), new Set([turn.turnId]));
    assert.equal((await one.turns.exchanges('ann', 's')).length, 2);
  });

  it('are begun while the log is away, in what turns out to be one conversation', async () => {
    const models = new Models();
    const hold = new SharedStore().hold();
    const one = await start(hold, models);
    hold.goAway();
    const first = await one.say('first', { sessionId: 's' });
    await first.ended;
    const second = await one.say('second', { sessionId: 's', turnId: 'same' });
    await second.ended;
    assert.deepEqual(models.asked.at(-1), ['first', 're first', 'second']);
    assert.equal(await one.say('second', { sessionId: 's', turnId: 'same' }), second);
    assert.equal(models.asked.length, 2);
    await hold.comeBack();
    while ((await readAll(one.context.store)).length < 4) await nextTurn();
    const kept = await readAll(one.context.store);
    assert.deepEqual(
      kept.map(({ data }) => [Object(data).turnId, Object(data).conversationId]),
      [first, first, second, second].map(({ turnId }) => [turnId, first.turnId]),
    );
  });

  it('are refused while more waits for the log than this process is to remember', async () => {
    const models = new Models();
    const hold = new SharedStore().hold();
    const one = await start(hold, { speech: models.speech, mostUnsaved: 6_000 });
    hold.goAway();
    const long = 'x'.repeat(2_000);
    for (const sessionId of ['s', null]) await (await one.say(long, { sessionId })).ended;
    await assert.rejects(one.say('more'), { code: 'KVSTORE_UNAVAILABLE' });
    assert.equal(models.asked.length, 2);
    await hold.comeBack();
    while ((await readAll(one.context.store)).length < 4) await nextTurn();
    const next = await one.say('more', { sessionId: 's' });
    assert.equal((await next.ended).end?.as, 'replied');
  });

  it('end when their log is lost, and hold up nobody', async () => {
    const models = new Models();
    const { adapter, replaceBy } = replaceableAdapter();
    const one = await start({ adapter }, models);
    const gate = models.gate('Use one');
    const turn = await one.say('Use one', { sessionId: 's' });
    const waiting = await one.say('waiting', { sessionId: 's' });
    await models.asks(1);
    await replaceBy(new MemoryAdapter());
    gate.resolve();
    assert.equal((await turn.ended).end?.as, 'interrupted');
    assert.equal((await waiting.ended).end?.as, 'interrupted');
    const next = await one.say('next', { sessionId: 's' });
    assert.equal((await next.ended).end?.as, 'replied');
  });

  it('are cancelled where they run and where they wait, by any process', async () => {
    const models = new Models();
    const store = new SharedStore();
    const one = await start(store.hold(), models);
    const two = await start(store.hold(), models);
    models.gate('first');
    const first = await one.say('first', { sessionId: 's' });
    const second = await one.say('second', { sessionId: 's' });
    const third = await two.say('third', { sessionId: 's' });
    const fourth = await one.say('fourth', { sessionId: 's' });
    await models.asks(1);
    assert.equal(await one.turns.cancel(ann, second.turnId), true);
    assert.equal(await one.turns.cancel(ann, third.turnId), true);
    assert.deepEqual(models.stopped, []);
    assert.equal(await two.turns.cancel(ann, first.turnId), true);
    assert.deepEqual(models.stopped, ['first']);
    assert.equal((await fourth.ended).end?.as, 'replied');
    assert.equal(await two.turns.cancel(ann, fourth.turnId), false);
    assert.equal(models.asked.length, 2);
    const bob = { userId: 'bob', correlationId: 'cause' };
    await assert.rejects(one.turns.cancel(bob, fourth.turnId), { code: 'TURN_UNKNOWN' });
    assert.equal(await one.turns.find('bob', fourth.turnId), undefined);
  });

  for (const said of ['first', 'Use one'])
    it(`end as the log has it, also when no word of that came: "${said}"`, async () => {
      const models = new Models();
      const news: (() => void)[] = [];
      const store = new SharedStore((tell) => news.push(tell));
      const one = await start(store.hold(), models);
      const two = await start(store.hold(), { speech: models.speech, now: () => 7 });
      const gate = models.gate(said);
      const turn = await one.say(said, { sessionId: 's' });
      await models.asks(1);
      assert.equal(await two.turns.cancel(ann, turn.turnId), true);
      gate.resolve();
      const { end } = await turn.ended;
      assert.deepEqual([end?.as, end?.at], ['cancelled', 7]);
      assert.deepEqual((await signals(turn)).slice(-2), ['error', 'done']);
      assert.deepEqual(one.failures, []);
      for (const tell of news) tell();
      while ((await history(one)).length < 2) await nextTurn();
      assert.deepEqual(await history(one), await history(two));
    });

  it('ask again when all tools are back, and tell of them in the order of their calls', async () => {
    const models = new Models();
    const gates = { 'clock.read': Promise.withResolvers<void>(), 'clock.set': Promise.withResolvers<void>() };
    const runTool = async (name: string) => {
      await Object.entries(gates).find(([tool]) => tool === name)?.[1].promise;
      return { result: `of ${name}`, failed: false, durationMs: 1 };
    };
    const one = await start(new SharedStore().hold(), { speech: models.speech, runTool });
    const turn = await one.say('Use two');
    const told = turn.transcript.read(undefined, new AbortController().signal);
    const heard: string[] = [];
    const until = async (type: string) => {
      while (heard.at(-1) !== type) heard.push(...((await told.next()).value ?? []).map(typeOf));
    };
    await until('tool_start');
    gates['clock.set'].resolve();
    await until('tool_result');
    // As long as it would take to ask.
    for (let times = 0; times < 20; times++) await nextTurn();
    assert.equal(models.asked.length, 1);
    gates['clock.read'].resolve();
    await until('done');
    assert.deepEqual(models.asked[1]?.slice(-2), ['of clock.read', 'of clock.set']);
  });

  it('are cancelled in every process when all memory of their user is erased', async () => {
    const models = new Models();
    const store = new SharedStore();
    const one = await start(store.hold(), models);
    const two = await start(store.hold(), models);
    for (const message of ['first', 'third']) models.gate(message);
    const first = await one.say('first', { sessionId: 's' });
    const second = await one.say('second', { sessionId: 's' });
    const third = await two.say('third');
    const other = await two.say('fourth', { userId: 'bob' });
    await models.asks(3);
    await two.context.runner.run(eraseMemory, {}, ann);
    for (const turn of [first, second, third]) assert.equal((await turn.ended).end?.as, 'cancelled');
    assert.equal((await other.ended).end?.as, 'replied');
    assert.deepEqual(models.stopped.toSorted(), ['first', 'third']);
    assert.deepEqual([...one.failures, ...two.failures], []);
  });

  it('tell a listener in another process to come back when the log goes away', async () => {
    const models = new Models();
    const store = new SharedStore();
    const { adapter, replaceBy } = replaceableAdapter();
    await replaceBy(store.hold().adapter);
    const one = await start(store.hold(), models);
    const two = await start({ adapter }, models);
    const gate = models.gate('first');
    const { turnId } = await one.say('first', { sessionId: 's' });
    await models.asks(1);
    const gone = new AbortController();
    const followed = await two.turns.find('ann', turnId, gone.signal);
    const other = await two.turns.find('ann', turnId, gone.signal);
    assert.ok(followed && other);
    const reading = signals(followed);
    assert.equal(getEventListeners(gone.signal, 'abort').length, 2);
    await replaceBy(new MemoryAdapter());
    assert.deepEqual(await reading, []);
    assert.equal((await other.ended).end, null);
    assert.equal(getEventListeners(gone.signal, 'abort').length, 0);
    gate.resolve();
  });

  it('that another process runs are followed no longer than somebody listens', async () => {
    const models = new Models();
    const store = new SharedStore();
    const one = await start(store.hold(), models);
    const two = await start(store.hold(), models);
    const gate = models.gate('first');
    const { turnId } = await one.say('first');
    await models.asks(1);
    const gone = new AbortController();
    const left = await two.turns.find('ann', turnId, gone.signal);
    gone.abort();
    assert.equal((await left?.ended)?.end, null);
    const stays = await two.turns.find('ann', turnId);
    gate.resolve();
    assert.deepEqual(await signals(stays), ['step', 'content', 'done']);
    assert.equal((await stays?.ended)?.end?.as, 'replied');
  });

  it('take no more steps than they may', async () => {
    const models = new Models();
    const one = await start(new SharedStore().hold(), {
      speech: models.speech,
      mostSteps: 3,
      runTool: async () => ({ result: 'Use one more', failed: false, durationMs: 1 }),
    });
    const turn = await one.say('Use one');
    const { end } = await turn.ended;
    assert.deepEqual([end?.as, end?.code, end?.metadata.stepCount], ['failed', 'MAX_STEPS', 3]);
    const step = ['step', 'tool_start', 'tool_result'];
    assert.deepEqual(await signals(turn), [...step, ...step, ...step, 'error', 'done']);
  });

  it('ask a model that says nothing once more, and no more than that', async () => {
    const models = new Models();
    const one = await start(new SharedStore().hold(), models);
    const turn = await one.say('Be silent', { sessionId: 's' });
    assert.equal((await turn.ended).end?.code, 'MODEL_UNAVAILABLE');
    assert.equal(models.asked.length, 2);
    assert.deepEqual(models.asked[0], models.asked[1]);
  });

  it('that do not end by themselves are interrupted when the process stops', async (t) => {
    const models = new Models();
    const store = new SharedStore();
    const one = await start(store.hold(), models);
    models.gate('first');
    const first = await one.say('first', { sessionId: 's' });
    const second = await one.say('second', { sessionId: 's' });
    await models.asks(1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    t.onTestFinished(() => void vi.useRealTimers());
    const stopping = one.turns.stop();
    await assert.rejects(one.say('late'), { code: 'NOT_READY' });
    await nextTurn();
    vi.advanceTimersByTime(3_000);
    await stopping;
    assert.equal((await first.ended).end?.as, 'interrupted');
    assert.equal((await second.ended).end?.as, 'interrupted');
    const two = await start(store.hold(), models);
    assert.equal((await history(two))[1]?.startsWith('So: \n\n['), true);
  });
});
