import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { advanceTurn } from '../../src/commands/chat/advanceTurn.ts';
import { endSession } from '../../src/commands/chat/endSession.ts';
import { receiveMessage } from '../../src/commands/chat/receiveMessage.ts';
import { eraseMemory } from '../../src/commands/memory/eraseMemory.ts';
import { StoreCommandRunner } from '../../src/commands/runner.ts';
import { eventCatalog } from '../../src/events/catalog.ts';
import { consolidateSessions } from '../../src/sagas/memory/consolidation.ts';
import type { ResourceGuard, Understand } from '../../src/sagas/memory/ports.ts';
import { SagaRuntime } from '../../src/sagas/runtime.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import type { StoredEvent } from '../../src/store/storedEvent.ts';
import type { SlotName } from '../../src/vocabulary.ts';
import { NOW } from '../support/given.ts';
import { briefly, Witness } from '../support/sagas.ts';

const ann = { userId: 'ann', correlationId: 'test' };
const place = { turnId: 't1', sessionId: 's1' };
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
    guard: ResourceGuard['mayWork'] = async () => ({ safe: true }),
    offline = understood,
  ) {
    const { store, runner } = this;
    const saga = consolidateSessions({
      backing: () => ({ store, runner }),
      understand,
      offline,
      slots: () => ['summarization', 'consolidation'],
      guard: { mayWork: guard },
      retentionMs: () => 1_000,
      deferredForMs: 1,
    });
    const options = { store, runner, instanceId: randomUUID(), leaseMs: 60, pause: briefly };
    const runtime = new SagaRuntime({ ...options, sagas: [saga], onFailure: () => {} });
    runtime.start();
    this.#test.after(() => runtime.stop());
    return runtime;
  }

  /** One session, from its first word to its end. */
  async talk(): Promise<void> {
    const from = { ...place, platform: 'web', origin: 'user', instanceId: 'i' } as const;
    const message = { ...from, images: [], text: 'I live in Oslo.' };
    await this.runner.run(receiveMessage, message, ann);
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
    await this.runner.run(endSession, { sessionId: 's1' }, ann);
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
    const busy: ResourceGuard['mayWork'] = async (slots) => {
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
    const guard: ResourceGuard['mayWork'] = async () =>
      refusals-- > 0 ? { safe: false, reason: 'load' } : { safe: true };
    const withoutModel: Understand = () => Promise.reject(new Error('Nobody was asked'));
    world.process(understood, guard, withoutModel);
    await world.talk();
    await world.happened('memory.conversation.consolidated');
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
