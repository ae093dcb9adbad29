import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it, type TestContext } from 'vitest';
import { Embedder } from '../../../src/application/memory/embedder.ts';
import { MissingVectors } from '../../../src/application/memory/missingVectors.ts';
import { changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import { fails } from '../../../src/demo/model/script.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { slots } from '../../../src/projections/providers/slots.ts';
import { embedEpisodes } from '../../../src/sagas/memory/embedEpisodes.ts';
import { verdictOn } from '../../../src/sagas/retryPolicy.ts';
import { TryAgainLater } from '../../../src/sagas/saga.ts';
import { anEpisode } from '../../commands/memory/sample.ts';
import { NOW } from '../../support/given.ts';
import { BACKUP, LOCAL, Routing } from '../../support/models/routing.ts';
import { answered, Witness } from '../../support/sagas.ts';

const ANN = 'ann';
const SMALL = { ...LOCAL, model: 'nomic-embed-text' };
const OTHER = { ...BACKUP, model: 'text-embedding-3-small' };

/** A user with some episodes from elsewhere, and models that embed. */
async function start(test: TestContext, episodes: number) {
  const routing = await Routing.start(test);
  const { store, runner, router, views } = routing;
  const chosen = { chat: { ...LOCAL, fallbacks: [] }, embedding: { ...SMALL, fallbacks: [OTHER] } };
  const change = { slots: chosen, strategy: 'cloud-backup', catalogs: {} } as const;
  await runner.run(changeSlots, change, routing.context);
  const who = { userId: ANN, correlationId: 'test', causationId: null };
  const events = Array.from({ length: episodes }, (_, index) =>
    anEpisode(`e${index}`, { conversationId: null }),
  );
  await store.append({ stream: memoryStream(ANN), events, expected: 'any', at: NOW, ...who });
  const embedder = new Embedder({
    models: router,
    slot: () => views.view(slots).slots.embedding,
    clock: () => routing.now,
  });
  const memoryOf = (userId: string) => views.of(remembered, userId);
  const made = new Witness<string>();
  test.onTestFinished(
    store.onAppended((appended) => {
      for (const { type, stream } of appended) if (type === 'memory.vectors.made') made.add(stream);
    }),
  );
  const failures = new Witness<string>();
  const guard = {
    isSafe: true,
    asked: new Witness<boolean>(),
    async mayWork() {
      guard.asked.add(guard.isSafe);
      return { safe: guard.isSafe, reason: 'busy' };
    },
  };
  const onFailure = (what: string) => failures.add(what);
  const statements = { areWhole: async () => true, make: async () => true };
  const missing = new MissingVectors({ store, runner, memoryOf, embedder, statements, guard, onFailure });
  test.onTestFinished(() => missing.stop());
  const embeds = () => routing.models.requests.filter(({ endpoint }) => endpoint === 'embed');
  return { routing, embedder, memoryOf, made, failures, guard, missing, embeds };
}

describe('a new episode', () => {
  it('gets its vectors when the machine is free, and once', async (test) => {
    const { routing, embedder, guard, made, embeds } = await start(test, 1);
    const { store, runner, views } = routing;
    const saga = embedEpisodes({ context: () => ({ store, views }), embedder, guard });
    const context = { userId: ANN, correlationId: 'test' };
    const reaction = {
      run: (...[command, input]: Parameters<Parameters<typeof saga.react>[1]['run']>) =>
        runner.run(command, input, context),
      failures: 0,
      signal: AbortSignal.timeout(20_000),
    };
    for await (const [created] of store.readStream(memoryStream(ANN))) {
      assert(created);
      guard.isSafe = false;
      await assert.rejects(answered(saga, created, reaction), TryAgainLater);
      assert.deepEqual([made.items.length, embeds().length], [0, 0]);
      guard.isSafe = true;
      await answered(saga, created, reaction);
      await answered(saga, created, reaction);
      assert.deepEqual([made.items.length, embeds().length], [1, 1]);
      break;
    }
  });

  it('waits while no model embeds, for half a minute and more, and is asked about three times', async (test) => {
    const { routing, embedder, guard, embeds } = await start(test, 1);
    const { store, views } = routing;
    routing.models.script(fails('server-error'), { endpoint: 'embed', provider: 'local-runner' });
    routing.models.script(fails('wrong-key'), { endpoint: 'embed', provider: 'cloud-b' });
    const saga = embedEpisodes({ context: () => ({ store, views }), embedder, guard });
    const run = () => assert.fail('nothing was made');
    const reaction = { run, failures: 0, signal: AbortSignal.timeout(20_000) };
    for await (const [created] of store.readStream(memoryStream(ANN))) {
      assert(created);
      const error: unknown = await answered(saga, created, reaction).catch((thrown: unknown) => thrown);
      const verdict = verdictOn(error, saga.retry, { failures: 100, waits: 0 });
      assert.deepEqual(verdict, { is: 'wait', pauseMs: 30_000 });
      assert.deepEqual(
        embeds().map(({ provider }) => provider),
        ['local-runner', 'local-runner', 'local-runner', 'cloud-b'],
      );
      // What another user's episodes wait for, these do not ask about.
      await assert.rejects(answered(saga, created, reaction), TryAgainLater);
      assert.equal(embeds().length, 4);
      break;
    }
  });
});

describe('vectors that are missing', () => {
  it('are made once, however many ask, and then nobody is asked again', async (test) => {
    const { missing, made, embeds } = await start(test, 100);
    const answers = await Promise.all([missing.areNone(ANN), missing.areNone(ANN), missing.areNone(ANN)]);
    assert.deepEqual(answers, [false, false, false]);
    await made.count(100);
    assert.equal(embeds().length, 2);
    assert.equal(await missing.areNone(ANN), true);
    assert.equal(embeds().length, 2);
  });

  it('wait while the model fails, and while somebody needs the machine', async (test) => {
    const { routing, missing, guard, made, failures, embeds } = await start(test, 1);
    guard.isSafe = false;
    await missing.areNone(ANN);
    await guard.asked.count(1);
    await nextTurn();
    assert.equal(embeds().length, 0);
    guard.isSafe = true;
    routing.models.script(fails('wrong-key'), { endpoint: 'embed' });
    await missing.areNone(ANN);
    await failures.count(1);
    const asked = guard.asked.items.length;
    await nextTurn();
    await missing.areNone(ANN);
    assert.equal(guard.asked.items.length, asked);
    routing.models.reset();
    routing.now += 30_000;
    await missing.areNone(ANN);
    await made.count(1);
  });

  it('are not made of all episodes by a model that only stands in', async (test) => {
    const { routing, missing, memoryOf, made, embeds } = await start(test, 100);
    routing.models.script(fails('wrong-key'), { endpoint: 'embed', provider: 'local-runner' });
    await missing.areNone(ANN);
    await made.count(1);
    await missing.stop();
    const { embedded } = await memoryOf(ANN);
    assert.deepEqual(Object.keys(embedded), [`${OTHER.provider}/${OTHER.model}`]);
    assert.equal(embeds().filter(({ provider }) => provider === 'cloud-b').length, 1);
  });
});
