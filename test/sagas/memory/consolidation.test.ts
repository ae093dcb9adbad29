import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'vitest';
import { wordsOfEpisode } from '../../../src/application/memory/importedWords.ts';
import type { BackgroundGuard, Understand } from '../../../src/application/memory/ports.ts';
import { advanceTurn, chooseBranch, endSession, receiveMessage } from '../../../src/commands/chat/turns.ts';
import { askForConsolidation } from '../../../src/commands/memory/consolidate.ts';
import { eraseMemory } from '../../../src/commands/memory/forgetting.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { changePreferences } from '../../../src/commands/settings/changePreferences.ts';
import { HarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { isEvent } from '../../../src/events/definition.ts';
import { episodeCreated } from '../../../src/events/episodes.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { workAbandoned } from '../../../src/events/system.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { CONSOLIDATION, consolidateSessions } from '../../../src/sagas/memory/consolidation.ts';
import { SagaRuntime } from '../../../src/sagas/runtime.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { StoredEvent } from '../../../src/store/storedEvent.ts';
import type { SlotName } from '../../../src/vocabulary.ts';
import { aConclusion } from '../../commands/memory/sample.ts';
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

  /** That of the process which was begun last. */
  time = new PassingTime();

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
    this.time = new PassingTime();
    const options = { store, runner, instanceId: randomUUID(), scheduler: this.time };
    const runtime = new SagaRuntime({ ...options, sagas: [saga], onFailure: () => {} });
    runtime.start();
    this.#test.onTestFinished(() => runtime.stop());
    return runtime;
  }

  /** One session, from its first word to its end. */
  async talk(userId = 'ann'): Promise<void> {
    await this.receive('t1', 'I live in Oslo.', { userId });
    await this.reply('t1', { userId });
    await this.runner.run(endSession, { sessionId: 's1' }, { ...ann, userId });
  }

  async say(turnId: string, text: string, replaces = ''): Promise<void> {
    await this.receive(turnId, text, { replaces });
    await this.reply(turnId);
  }

  async receive(
    turnId: string,
    text: string,
    { userId = 'ann', sessionId = 's1', platform = 'web', replaces = '' } = {},
  ): Promise<void> {
    const from = { turnId, sessionId, platform, origin: 'user', instanceId: 'i' } as const;
    const edited = replaces === '' ? {} : { replaces: { turnId: replaces, conversationId: 't1' } };
    const message = { ...from, images: [], text, ...edited };
    await this.runner.run(receiveMessage, message, { ...ann, userId });
  }

  async reply(
    turnId: string,
    { userId = 'ann', sessionId = 's1', text = 'Nice.', recalled = [] as readonly string[] } = {},
  ): Promise<void> {
    const place = { turnId, sessionId };
    const reply = {
      step: 1,
      provider: 'cloud-a',
      model: 'm',
      parts: [{ type: 'content', text }],
    } as const;
    const spoken = {
      ...place,
      conversationId: sessionId === 's1' ? 't1' : turnId,
      ...reply,
      reasoning: null,
      usage: metadata.usage,
      metadata: { ...metadata, recalled },
    };
    await this.runner.run(
      advanceTurn,
      { ...place, events: [{ type: 'chat.reply.sent', data: spoken }] },
      { ...ann, userId },
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

describe('what was set aside in a session', () => {
  /** Which turns each episode tells of, by what is read back from the log. */
  const toldBy = async (world: World, count: number) => {
    await world.happened('memory.episode.created', count);
    const created = world.events.items.flatMap((event) => (isEvent(event, episodeCreated) ? [event] : []));
    return Promise.all(
      created.map(async (event) => {
        const words = await wordsOfEpisode(world.store, event);
        return [...new Set(words.map(({ turnId }) => turnId))];
      }),
    );
  };
  const choose = (world: World, turnId: string) =>
    world.runner.run(chooseBranch, { sessionId: 's1', turnId, conversationId: 't1' }, ann);
  const ask = (world: World) =>
    world.runner.run(
      askForConsolidation,
      { sessions: [{ sessionId: 's1', conversationId: 't1' }] },
      { ...ann, commandId: randomUUID() },
    );

  it('is no part of what memory is made of', async (t) => {
    const world = await World.start(t);
    await begun(world);
    world.process();
    await world.say('t1', 'I live in Oslo.');
    await world.say('t2', 'I have a cat.');
    await world.say('t3', 'It is grey.');
    await world.say('t2b', 'I have a dog.', 't2');
    await world.runner.run(endSession, { sessionId: 's1' }, ann);
    assert.deepEqual(await toldBy(world, 1), [['t1', 't2b']]);
  });

  it('is told of when it was taken up again since, and nothing is told of twice', async (t) => {
    const world = await World.start(t);
    await begun(world);
    world.process();
    await world.say('t1', 'I live in Oslo.');
    await world.say('t2', 'I have a cat.');
    await world.say('t2b', 'I have a dog.', 't2');
    await ask(world);
    await world.happened('memory.conversation.consolidated', 1);
    await choose(world, 't2');
    await world.say('t3', 'It is grey.');
    await world.runner.run(endSession, { sessionId: 's1' }, ann);
    assert.deepEqual(await toldBy(world, 2), [
      ['t1', 't2b'],
      ['t2', 't3'],
    ]);
  });
});

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

  it('understands nothing again that is settled, where a crash lost how far it had come', async (t) => {
    const world = await World.start(t);
    await begun(world);
    const { position } = await world.store.readCursor(CONSOLIDATION);
    const first = world.process();
    await world.talk();
    await world.happened('memory.conversation.consolidated');
    await first.stop();
    await world.store.moveCursor(CONSOLIDATION, await world.store.readCursor(CONSOLIDATION), position);
    const asked: string[] = [];
    world.process((words, asking) => {
      asked.push(...words.map(({ turnId }) => turnId));
      return understood(words, asking);
    });
    // Of the same user, so that it comes after the other.
    await world.receive('t2', 'I have a cat.', { sessionId: 's2' });
    await world.reply('t2', { sessionId: 's2' });
    await world.runner.run(endSession, { sessionId: 's2' }, ann);
    await world.happened('memory.conversation.consolidated', 2);
    assert.deepEqual(new Set(asked), new Set(['t2']));
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
    const times: number[] = [];
    const withModel: Understand = () => Promise.reject(new Error('Asked in spite of the guard'));
    const busy: BackgroundGuard['mayWork'] = async (slots) => {
      asked.push([...slots]);
      times.push(world.time.now());
      return { safe: false, reason: 'an active voice session' };
    };
    world.process(withModel, busy, understood);
    await world.talk();
    await world.happened('memory.conversation.consolidated');
    const [episode] = await world.happened('memory.episode.created');
    assert.equal(Reflect.get(Object(episode?.data), 'by'), 'offline');
    assert.deepEqual(asked, Array(6).fill(['summarization', 'consolidation']));
    const [begin = 0] = times;
    assert.deepEqual(
      times.map((at) => at - begin),
      [0, 1, 2, 3, 4, 5].map((minutes) => minutes * 60_000),
    );
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
      assert.ok(isEvent(created, episodeCreated));
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

  it('leaves open what comes to nothing while the session goes on, and settles it at the end', async (t) => {
    const world = await World.start(t);
    await begun(world);
    let asked = 0;
    world.process(async (words, asking) => {
      asked++;
      return { ...(await understood(words, asking)), trivial: true };
    });
    await world.say('t1', 'Hm.');
    const sessions = [{ sessionId: 's1', conversationId: 't1' }];
    await world.runner.run(askForConsolidation, { sessions }, ann);
    await world.runner.run(endSession, { sessionId: 's1' }, ann);
    const [settled] = await world.happened('memory.conversation.consolidated');
    assert.deepEqual(
      [Reflect.get(Object(settled?.data), 'upTo'), Reflect.get(Object(settled?.data), 'skipped')],
      [undefined, 'trivial'],
    );
    assert.equal(asked, 2);
  });

  for (const [what, wanted, platforms, skipped] of [
    ['whose user wants no memory', { persistMemory: false }, ['web'], 'opted-out'],
    ['that was typed, whose user wants no transcripts', { storeTranscripts: false }, ['web', 'web'], null],
    [
      'of which a part was spoken, whose user wants none',
      { storeTranscripts: false },
      ['web', 'voice'],
      'opted-out',
    ],
    ['that was spoken, whose user says nothing of it', {}, ['voice'], null],
  ] as const)
    it(`leaves ${skipped === null ? 'an episode' : 'none'} of a session ${what}`, async (t) => {
      const world = await World.start(t);
      await begun(world);
      await world.runner.run(changePreferences, { preferences: wanted }, ann);
      let asked = 0;
      world.process((words, asking) => {
        asked++;
        return understood(words, asking);
      });
      for (const [place, platform] of platforms.entries()) {
        await world.receive(`t${place + 1}`, 'I live in Oslo.', { platform });
        await world.reply(`t${place + 1}`);
      }
      await world.runner.run(endSession, { sessionId: 's1' }, ann);
      const [settled] = await world.happened('memory.conversation.consolidated');
      assert.equal(Reflect.get(Object(settled?.data), 'skipped'), skipped);
      assert.equal(asked, skipped === null ? 1 : 0);
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

  it('is given up after six tries that failed, which is recorded', async (t) => {
    const world = await World.start(t);
    await begun(world);
    const times: number[] = [];
    world.process(async () => {
      times.push(world.time.now());
      throw new HarkError('BAD_REQUEST');
    });
    await world.talk();
    const [abandoned] = await world.happened(workAbandoned.type);
    assert.equal(Reflect.get(Object(abandoned?.data), 'attempts'), 6);
    const [begin = 0] = times;
    assert.deepEqual(
      times.map((at) => at - begin),
      [0, 1_000, 3_000, 7_000, 15_000, 31_000],
      'each pause is twice as long',
    );
  });

  it('of one user does not wait for that of another', async (t) => {
    const world = await World.start(t);
    await begun(world);
    const until = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    world.process((words, asking) =>
      asking.userId === 'ben' ? until(asking.signal) : understood(words, asking),
    );
    await world.talk('ben');
    await world.talk();
    const [settled] = await world.happened('memory.conversation.consolidated');
    assert.equal(settled?.userId, 'ann');
  });

  it('tells of an answer that only gave back what memory had said, and says nothing of it where there is none', async (t) => {
    const world = await World.start(t);
    await world.store.append({
      ...{ ...ann, stream: memoryStream('ann'), expected: 'any', at: NOW, causationId: null },
      events: [aConclusion('c1', { text: 'The user plays the cello in Bergen' })],
    });
    await begun(world);
    world.process();
    await world.talk();
    await world.receive('t2', 'What do I play?', { sessionId: 's2' });
    const recalled = { sessionId: 's2', text: 'You play the cello in Bergen.', recalled: ['c1'] };
    await world.reply('t2', recalled);
    await world.runner.run(endSession, { sessionId: 's2' }, ann);
    const episodes = await world.happened('memory.episode.created', 2);
    assert.deepEqual(
      episodes.map(({ data }) => [Reflect.get(Object(data), 'summary'), Reflect.get(Object(data), 'echoes')]),
      [
        ['I live in Oslo. Nice.', undefined],
        ['What do I play?', ['t2']],
      ],
    );
  });
});
