import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'vitest';
import { wordsOfEpisode } from '../../../src/application/memory/importedWords.ts';
import type { BackgroundGuard, Understand } from '../../../src/application/memory/ports.ts';
import { advanceTurn, endSession, receiveMessage } from '../../../src/commands/chat/turns.ts';
import { askForConsolidation } from '../../../src/commands/memory/consolidate.ts';
import { eraseMemory } from '../../../src/commands/memory/forgetting.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { HarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { consolidateSessions } from '../../../src/sagas/memory/consolidation.ts';
import { SagaRuntime } from '../../../src/sagas/runtime.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { StoredEvent } from '../../../src/store/storedEvent.ts';
import type { SlotName } from '../../../src/vocabulary.ts';
import { NOW } from '../../support/given.ts';
import { PassingTime, Witness } from '../../support/sagas.ts';

const ann = { userId: 'ann', correlationId: 'test' };
const metadata = {
  stepCount: 1,
  toolCallCount: 0,
  durationMs: 1,
  intent: null,
  slot: 'chat',
  provider: 'cloud-a',
  model: 'm',
  fallback: false,
  recalled: [],
  toolTokens: 0,
  usage: { inputTokens: 1, outputTokens: 1 },
} as const;

const understood: Understand = async (words) => ({
  summary: words.map(({ text }) => text).join(' '),
  topic: 'a topic',
  keywords: [],
  importance: 5,
  reasons: [],
  trivial: false,
  findings: [],
  answer: null,
  by: 'offline',
});

class World {
  readonly store: Log;
  readonly runner: StoreCommandRunner;
  readonly events = new Witness<StoredEvent>();
  readonly #test: TestContext;

  private constructor(store: Log, test: TestContext) {
    this.store = store;
    this.runner = new StoreCommandRunner({ store, clock: () => NOW, newId: randomUUID });
    this.#test = test;
    store.onAppended((events) => {
      for (const event of events) this.events.add(event);
    });
  }

  static async start(test: TestContext): Promise<World> {
    return new World(await Log.open(new MemoryAdapter(), eventCatalog), test);
  }

  /** A process that consolidates. */
  process(
    understand: Understand = understood,
    guard: BackgroundGuard['mayWork'] = async () => ({ safe: true }),
    offline = understood,
  ) {
    const { store, runner } = this;
    const views = new ProjectionRuntime(store, []);
    const saga = consolidateSessions({
      context: () => ({ store, runner, views }),
      understand,
      offline,
      slots: () => ['summarization', 'consolidation'],
      guard: { mayWork: guard },
      retentionMs: () => 1_000,
    });
    const options = { store, runner, instanceId: randomUUID(), scheduler: new PassingTime() };
    const runtime = new SagaRuntime({ ...options, sagas: [saga], onFailure: () => {} });
    runtime.start();
    this.#test.onTestFinished(() => runtime.stop());
    return runtime;
  }

  /** One session, from its first word to its end. */
  async talk(): Promise<void> {
    await this.say('t1', 'I live in Oslo.');
    await this.runner.run(endSession, { sessionId: 's1' }, ann);
  }

  async say(turnId: string, text: string): Promise<void> {
    await this.receive(turnId, text);
    await this.reply(turnId);
  }

  async receive(turnId: string, text: string): Promise<void> {
    const from = { turnId, sessionId: 's1', platform: 'web', origin: 'user', instanceId: 'i' } as const;
    const message = { ...from, images: [], text };
    await this.runner.run(receiveMessage, message, ann);
  }

  async reply(turnId: string): Promise<void> {
    const place = { turnId, sessionId: 's1' };
    const reply = {
      step: 1,
      provider: 'cloud-a',
      model: 'm',
      parts: [{ type: 'content', text: 'Nice.' }],
    } as const;
    const spoken = {
      ...place,
      conversationId: 't1',
      ...reply,
      reasoning: null,
      usage: metadata.usage,
      metadata,
    };
    await this.runner.run(
      advanceTurn,
      { ...place, events: [{ type: 'chat.reply.sent', data: spoken }] },
      ann,
    );
  }

  async happened(type: string, count = 1): Promise<readonly StoredEvent[]> {
    const all = await this.events.until(
      (events) => events.filter((event) => event.type === type).length >= count,
    );
    return all.filter((event) => event.type === type);
  }
}

/** A saga that is new to a log begins where the log ends: it has to be there before something happens. */
async function begun({ store }: World): Promise<void> {
  const name = 'consolidate-sessions';
  await store.moveCursor(name, await store.readCursor(name), await store.head());
}

describe('consolidation', () => {
  it('settles a session once, whatever the number of processes', async (t) => {
    const world = await World.start(t);
    await begun(world);
    world.process();
    world.process();
    await world.talk();
    const [settled] = await world.happened('memory.conversation.consolidated');
    assert.equal(settled?.userId, 'ann');
    const episodes = world.events.items.filter(({ type }) => type === 'memory.episode.created');
    assert.equal(episodes.length, 1);
  });

  it('keeps nothing that was erased while it was being understood', async (t) => {
    const world = await World.start(t);
    await begun(world);
    world.process(async (words, asking) => {
      if (words.length > 0) await world.runner.run(eraseMemory, {}, ann);
      return understood(words, asking);
    });
    await world.talk();
    const [settled] = await world.happened('memory.conversation.consolidated');
    assert.equal(Reflect.get(Object(settled?.data), 'skipped'), 'erased');
    assert.ok(!world.events.items.some(({ type }) => type === 'memory.episode.created'));
  });

  it('waits for the machine to be free five times, and then does without a model', async (t) => {
    const world = await World.start(t);
    await begun(world);
    const asked: SlotName[][] = [];
    const withModel: Understand = () => Promise.reject(new Error('Asked in spite of the guard'));
    const busy: BackgroundGuard['mayWork'] = async (slots) => {
      asked.push([...slots]);
      return { safe: false, reason: 'an active voice session' };
    };
    world.process(withModel, busy, understood);
    await world.talk();
    await world.happened('memory.conversation.consolidated');
    const [episode] = await world.happened('memory.episode.created');
    assert.equal(Reflect.get(Object(episode?.data), 'by'), 'offline');
    assert.deepEqual(asked, Array(6).fill(['summarization', 'consolidation']));
    const deferred = await world.happened('memory.consolidation.deferred', 5);
    assert.deepEqual(
      deferred.map(({ data }) => Reflect.get(Object(data), 'attempt')),
      [1, 2, 3, 4, 5],
    );
  });

  it('asks the model that may be asked at last after five deferrals', async (t) => {
    const world = await World.start(t);
    await begun(world);
    let refusals = 5;
    const guard: BackgroundGuard['mayWork'] = async () =>
      refusals-- > 0 ? { safe: false, reason: 'load' } : { safe: true };
    const withoutModel: Understand = () => Promise.reject(new Error('Nobody was asked'));
    world.process(understood, guard, withoutModel);
    await world.talk();
    await world.happened('memory.conversation.consolidated');
    assert.equal((await world.happened('memory.episode.created')).length, 1);
  });

  it('waits for a model that is away five times, and then does with what it has', async (t) => {
    const world = await World.start(t);
    await begun(world);
    const needed: unknown[] = [];
    world.process(async (words, asking) => {
      needed.push(asking.needsModel);
      if (asking.needsModel) throw new HarkError('MODEL_UNAVAILABLE', { cause: 'network' });
      return understood(words, asking);
    });
    await world.talk();
    await world.happened('memory.conversation.consolidated');
    assert.equal((await world.happened('memory.episode.created')).length, 1);
    assert.deepEqual(needed, [true, true, true, true, true, false]);
    const deferred = await world.happened('memory.consolidation.deferred', 5);
    assert.deepEqual(
      deferred.map(({ data }) => [Reflect.get(Object(data), 'attempt'), Reflect.get(Object(data), 'reason')]),
      [1, 2, 3, 4, 5].map((attempt) => [attempt, 'model_away']),
    );
  });

  it('defers nothing a sixth time: a model that is away even then is asked again until it answers', async (t) => {
    const world = await World.start(t);
    await begun(world);
    let asked = 0;
    world.process(async (words, asking) => {
      if (++asked < 8) throw new HarkError('MODEL_UNAVAILABLE');
      return understood(words, asking);
    });
    await world.talk();
    await world.happened('memory.conversation.consolidated');
    assert.equal((await world.happened('memory.consolidation.deferred', 5)).length, 5);
    assert.equal(asked, 8);
  });

  it('defers nothing for an error that says nothing of the model', async (t) => {
    const world = await World.start(t);
    await begun(world);
    let asked = 0;
    world.process(async (words, asking) => {
      if (++asked < 3) throw new HarkError('BAD_REQUEST');
      return understood(words, asking);
    });
    await world.talk();
    await world.happened('memory.conversation.consolidated');
    assert.deepEqual(await world.happened('memory.consolidation.deferred', 0), []);
  });

  it('counts the waits for the machine and those for a model together', async (t) => {
    const world = await World.start(t);
    await begun(world);
    let asked = 0;
    const guard: BackgroundGuard['mayWork'] = async () =>
      ++asked % 2 === 1 ? { safe: false, reason: 'load' } : { safe: true };
    world.process(async (words, asking) => {
      if (asking.needsModel) throw new HarkError('BILLING_EXHAUSTED');
      return understood(words, asking);
    }, guard);
    await world.talk();
    await world.happened('memory.conversation.consolidated');
    const deferred = await world.happened('memory.consolidation.deferred', 5);
    assert.deepEqual(
      deferred.map(({ data }) => Reflect.get(Object(data), 'reason')),
      ['load', 'model_away', 'load', 'model_away', 'load'],
    );
  });

  it('takes the answer of a model that is back', async (t) => {
    const world = await World.start(t);
    await begun(world);
    let away = 2;
    world.process(async (words, asking) => {
      if (away-- > 0) throw new HarkError('MODEL_TIMEOUT');
      return { ...(await understood(words, asking)), by: 'model' };
    });
    await world.talk();
    const [episode] = await world.happened('memory.episode.created');
    assert.equal(Reflect.get(Object(episode?.data), 'by'), 'model');
    assert.equal((await world.happened('memory.consolidation.deferred', 2)).length, 2);
  });

  it('goes on counting where a process that ended had come to', async (t) => {
    const world = await World.start(t);
    await begun(world);
    const busy: BackgroundGuard['mayWork'] = async () => ({ safe: false, reason: 'load' });
    const first = world.process(understood, busy);
    await world.talk();
    await world.happened('memory.consolidation.deferred', 2);
    await first.stop();
    world.process(understood, busy);
    await world.happened('memory.conversation.consolidated');
    const deferred = await world.happened('memory.consolidation.deferred', 5);
    assert.deepEqual(
      deferred.map(({ data }) => Reflect.get(Object(data), 'attempt')),
      [1, 2, 3, 4, 5],
    );
  });

  it('settles what there is of a session that goes on, and at its end the rest', async (t) => {
    const world = await World.start(t);
    await begun(world);
    world.process();
    const ask = () =>
      world.runner.run(askForConsolidation, { sessions: [{ sessionId: 's1', conversationId: 't1' }] }, ann);
    await world.say('t1', 'I live in Oslo.');
    await world.receive('t2', 'I have a cat.');
    await ask();
    await world.happened('memory.conversation.consolidated');
    await world.reply('t2');
    await ask();
    await world.happened('memory.conversation.consolidated', 2);
    await world.say('t3', 'I play the cello.');
    await world.runner.run(endSession, { sessionId: 's1' }, ann);
    const settled = await world.happened('memory.conversation.consolidated', 3);
    assert.deepEqual(
      settled.map(({ data }) => [Reflect.get(Object(data), 'upTo'), Reflect.get(Object(data), 'skipped')]),
      [
        ['t1', null],
        ['t2', null],
        [undefined, null],
      ],
    );
    const episodes = await world.happened('memory.episode.created', 3);
    assert.deepEqual(
      episodes.map(({ data }) => Reflect.get(Object(data), 'summary')),
      ['I live in Oslo. Nice.', 'I have a cat. Nice.', 'I play the cello. Nice.'],
    );
    for (const [index, created] of episodes.entries()) {
      const words = await wordsOfEpisode(world.store, created);
      assert.deepEqual([...new Set(words.map(({ turnId }) => turnId))], [`t${index + 1}`]);
    }
  });

  it('has nothing to add at the end of a session of which all was settled before', async (t) => {
    const world = await World.start(t);
    await begun(world);
    world.process();
    await world.say('t1', 'I live in Oslo.');
    const sessions = [{ sessionId: 's1', conversationId: 't1' }];
    await world.runner.run(askForConsolidation, { sessions }, ann);
    await world.runner.run(askForConsolidation, { sessions }, ann);
    await world.happened('memory.conversation.consolidated');
    await world.runner.run(endSession, { sessionId: 's1' }, ann);
    const settled = await world.happened('memory.conversation.consolidated', 2);
    assert.equal(Reflect.get(Object(settled[1]?.data), 'skipped'), 'settled-before');
    assert.equal((await world.happened('memory.episode.created')).length, 1);
  });

  it('is taken up by another process when the first one ends in the middle', async (t) => {
    const world = await World.start(t);
    await begun(world);
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const first = world.process((_words, { signal }) => {
      ask();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    });
    await world.talk();
    await asked;
    await first.stop();
    world.process();
    assert.equal((await world.happened('memory.conversation.consolidated')).length, 1);
  });
});
