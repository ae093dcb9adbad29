import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest';
import { Pace } from '../../../../src/application/maintenance/pace.ts';
import { Embedder } from '../../../../src/application/memory/embedder.ts';
import { userMemory } from '../../../../src/commands/memory/state.ts';
import { changeSlots } from '../../../../src/commands/providers/changeSlots.ts';
import { pairsAsked, verdictsOn } from '../../../../src/demo/model/demoJudge.ts';
import { fails, type Reply, saysJson, silent } from '../../../../src/demo/model/script.ts';
import { memoryStream } from '../../../../src/events/memory.ts';
import { nliFilesIn } from '../../../../src/gateways/nli/models.ts';
import { Nli } from '../../../../src/gateways/nli/nli.ts';
import { Metrics } from '../../../../src/metrics.ts';
import { slots } from '../../../../src/projections/providers/slots.ts';
import { ConclusionVectors } from '../../../../src/sagas/maintenance/contradictions/conclusionVectors.ts';
import { ContradictionPipeline } from '../../../../src/sagas/maintenance/contradictions/finder.ts';
import { PairCache } from '../../../../src/sagas/maintenance/contradictions/pairCache.ts';
import { temporaryFolder } from '../../../support/dataDirectory.ts';
import { NOW } from '../../../support/given.ts';
import { ModelHost } from '../../../support/modelHost.ts';
import { CLOUD, LOCAL, Routing } from '../../../support/models/routing.ts';
import { Random } from '../../../support/random.ts';
import { fairJudge } from './scriptedJudge.ts';

const ANN = 'ann';
const EMBEDS = { ...LOCAL, model: 'nomic-embed-text' };
const LIKES = 'The user likes coffee';
const DISLIKES = 'The user does not like coffee';
const believed = [
  LIKES,
  DISLIKES,
  'The user plays chess in Berlin',
  'The user plays chess in Lisbon',
  'The user has cats',
];

const inTowns = 'Rome Oslo Bern Riga Lima Cairo Delhi Paris Quito Hanoi Tunis Sofia'
  .split(' ')
  .map((town) => `The user lives in ${town}`);

const isEmbedding = ({ endpoint }: { readonly endpoint: string }) => endpoint === 'embed';

interface Options {
  readonly texts?: readonly string[];
  readonly withInference?: boolean;
  readonly withModel?: boolean;
  readonly withEmbedding?: boolean;
}

describe('the contradiction pipeline', () => {
  const home = temporaryFolder('pipeline');
  let host: ModelHost;
  let nli: Nli;

  beforeAll(async () => {
    host = await ModelHost.start();
    nli = new Nli({
      model: host.model,
      files: nliFilesIn(join(home, 'nli'), host.model, { mirror: undefined }),
      clock: () => NOW,
      onNews: () => {},
    });
    assert.equal(nli.isReady(), false);
    await nli.settled();
  });
  afterAll(async () => {
    await nli.stop();
    await host.stop();
  });

  async function start(
    t: TestContext,
    { texts = believed, withInference = true, withModel = true, withEmbedding = false }: Options = {},
  ) {
    const routing = await Routing.start(t);
    const { store, runner, router, views } = routing;
    const chosen = {
      chat: withModel ? { ...CLOUD, fallbacks: [] } : undefined,
      embedding: withEmbedding ? { ...EMBEDS, fallbacks: [] } : undefined,
    };
    const set = Object.fromEntries(Object.entries(chosen).filter(([, slot]) => slot !== undefined));
    if (withModel)
      await runner.run(changeSlots, { slots: set, strategy: 'none', catalogs: {} }, routing.context);
    const drawn = texts.map((text, index) => ({
      type: 'memory.conclusion.drawn',
      data: {
        conclusionId: `c${index}`,
        text,
        type: 'inferred',
        confidence: 0.8,
        sources: [],
        turnIds: [],
        about: null,
        by: 'offline',
      },
    }));
    const who = { userId: ANN, correlationId: 'test', causationId: null };
    await store.append({ stream: memoryStream(ANN), events: drawn, expected: 'any', at: NOW, ...who });
    const answer = async () => ({ safe: guard.isSafe });
    const guard = { isSafe: true, mayWork: answer, mayCompute: answer };
    const metrics = new Metrics();
    const failures: string[] = [];
    const settings = { threshold: 0.7, ttlMs: 60_000 };
    const onFailure = (what: string) => failures.push(what);
    const embedder = new Embedder({
      models: router,
      slot: () => views.view(slots).slots.embedding,
      clock: () => routing.now,
    });
    const random = new Random(3);
    const cache = () =>
      new PairCache({
        statementsOf: async () => [],
        store: () => store,
        clock: () => routing.now,
        ttlMs: () => settings.ttlMs,
        onLookup: (result) => metrics.pairCacheLookups.inc({ result }),
      });
    const pipeline = () =>
      new ContradictionPipeline({
        vectors: new ConclusionVectors({ context: () => ({ store, runner }), embedder, guard, onFailure }),
        inference: () => (withInference ? nli : undefined),
        threshold: () => settings.threshold,
        cache: cache(),
        models: router,
        judge: () => (withModel ? 'cloud-a/claude-haiku-4-5' : undefined),
        guard,
        metrics,
        onFailure,
        random: () => random.next(),
      });
    let finder = pipeline();
    const find = async (signal = AbortSignal.timeout(60_000)) => {
      const { conclusions } = await runner.read(userMemory, memoryStream(ANN), ANN);
      return finder.find({
        userId: ANN,
        conclusions: Object.values(conclusions),
        correlationId: 'test',
        pace: new Pace(),
        signal,
      });
    };
    routing.models.script(fairJudge);
    const restart = () => {
      finder = pipeline();
    };
    const judged = () => routing.models.requests.filter((request) => !isEmbedding(request)).length;
    return { routing, find, restart, guard, metrics, failures, settings, judged };
  }

  test('confirms what both models take for one, with the evidence', async (t) => {
    const { find, metrics, judged } = await start(t);
    const { confirmed, pipeline } = await find();
    assert.deepEqual(
      confirmed.map(({ conclusionId, contradicts }) => [conclusionId, contradicts]),
      [['c0', 'c1']],
    );
    const [{ evidence } = { evidence: undefined }] = confirmed;
    assert.equal(evidence?.nli?.model, 'tiny@1');
    assert.ok((evidence?.nli?.probability ?? 0) > 0.9);
    assert.deepEqual(evidence?.judge, { model: 'cloud-a/claude-haiku-4-5', confidence: 0.9 });
    assert.deepEqual(evidence?.signs, ['negation']);
    assert.ok((evidence?.similarity ?? 0) > 0.5);
    const { candidatesSelected, nliConfirmed, llmConfirmed, stageLatencyMs } = pipeline;
    assert.deepEqual([candidatesSelected, nliConfirmed, llmConfirmed, judged()], [2, 1, 1, 1]);
    assert.deepEqual(Object.keys(stageLatencyMs), ['stage1', 'stage2', 'stage3']);
    const told = await metrics.render();
    assert.match(told, /service_nli_inferences_total\{result="contradiction"\} 1\n/);
    assert.match(told, /service_nli_inferences_total\{result="neutral"\} 1\n/);
    assert.match(told, /service_nli_inference_duration_seconds_count 2\n/);
    assert.match(told, /service_contradiction_pipeline_stage_duration_seconds_count\{stage="stage2"\} 1\n/);
    assert.match(told, /service_contradiction_judge_pairs_total\{result="contradiction"\} 1\n/);
  });

  test('asks nobody again about what was judged, also after a restart, for as long as that counts', async (t) => {
    const { find, restart, metrics, judged, routing } = await start(t);
    await find();
    restart();
    const { pipeline } = await find();
    assert.deepEqual([pipeline.nliConfirmed, pipeline.llmConfirmed, judged()], [1, 1, 1]);
    const told = await metrics.render();
    assert.match(told, /service_nli_inference_duration_seconds_count 2\n/);
    assert.match(told, /service_pair_cache_lookups_total\{result="hit"\} 3\n/);
    assert.match(told, /service_pair_cache_lookups_total\{result="miss"\} 3\n/);
    routing.now += 60_000;
    await find();
    assert.equal(judged(), 2);
  });

  test('takes the threshold as it is set at the moment', async (t) => {
    const { find, settings } = await start(t);
    settings.threshold = 1;
    assert.equal((await find()).pipeline.nliConfirmed, 0);
    settings.threshold = 0;
    assert.equal((await find()).pipeline.nliConfirmed, 2);
  });

  test('has the judge decide on all candidates where the inference model is switched off or not there', async (t) => {
    const { find, judged, metrics } = await start(t, { withInference: false });
    const { confirmed, pipeline } = await find();
    assert.deepEqual([pipeline.candidatesSelected, pipeline.nliConfirmed, pipeline.llmConfirmed], [2, 0, 1]);
    assert.deepEqual([pipeline.stageLatencyMs.stage2, judged()], [0, 1]);
    assert.equal(confirmed[0]?.evidence.nli, null);
    assert.match(await metrics.render(), /stage_duration_seconds_count\{stage="stage2"\} 0\n/);
  });

  test('confirms nothing where there is nobody to judge', async (t) => {
    const { find, metrics, judged } = await start(t, { withModel: false });
    const { confirmed, pipeline } = await find();
    assert.deepEqual([confirmed, pipeline.nliConfirmed, judged()], [[], 1, 0]);
    assert.match(await metrics.render(), /judge_pairs_total\{result="unanswered"\} 1\n/);
  });

  test('does not guess for a judge that fails, that answers wrongly, or that always says yes', async (t) => {
    const answers: readonly [string, Reply | ((asked: { lastText: string }) => Reply)][] = [
      ['unanswered', fails('wrong-key')],
      ['invalid', saysJson({ verdicts: 'yes' })],
      ['invalid', (request) => saysJson(verdictsOn(pairsAsked(request), () => true))],
    ];
    for (const [result, answer] of answers) {
      const { find, routing, metrics, failures } = await start(t);
      routing.models.script((request) => (typeof answer === 'function' ? answer(request) : answer));
      const { confirmed, pipeline } = await find();
      assert.deepEqual([confirmed, pipeline.llmConfirmed], [[], 0]);
      assert.match(await metrics.render(), new RegExp(`judge_pairs_total\\{result="${result}"\\} 1\\n`));
      assert.deepEqual(failures, ['judging contradictions']);
      routing.models.script(fairJudge);
      routing.now += 3_600_000;
      assert.equal((await find()).pipeline.llmConfirmed, 1, 'the next sweep asks again');
    }
  });

  test('gives up on a judge that fails again and again', async (t) => {
    const { find, routing, metrics, judged } = await start(t, { texts: inTowns, withInference: false });
    routing.models.script(() => fails('wrong-key'));
    const { pipeline } = await find();
    assert.equal(pipeline.candidatesSelected, 66);
    assert.equal(judged(), 2);
    assert.match(await metrics.render(), /judge_pairs_total\{result="unanswered"\} 66\n/);
  });

  test('asks about ten pairs at a time', async (t) => {
    const { find, judged, metrics } = await start(t, { texts: inTowns, withInference: false });
    await find();
    assert.equal(judged(), 7);
    assert.match(await metrics.render(), /judge_pairs_total\{result="compatible"\} 66\n/);
  });

  test('asks nobody again about what was judged before it was cut off', async (t) => {
    const { find, restart, judged, routing } = await start(t, { texts: inTowns, withInference: false });
    const stopped = new AbortController();
    const cutOff = () => {
      stopped.abort();
      return silent();
    };
    routing.models.script((request) => (judged() === 3 ? cutOff() : fairJudge(request)));
    await assert.rejects(find(stopped.signal), { name: 'AbortError' });
    routing.models.script(fairJudge);
    restart();
    assert.equal((await find()).pipeline.candidatesSelected, 66);
    assert.equal(judged(), 3 + 5);
  });

  test('leaves what it would ask models for a time when the machine is free', async (t) => {
    const { find, guard, judged } = await start(t, { withEmbedding: true });
    guard.isSafe = false;
    const { confirmed, pipeline } = await find();
    assert.deepEqual(
      [confirmed, pipeline.candidatesSelected, pipeline.nliConfirmed, judged()],
      [[], 2, 0, 0],
    );
    guard.isSafe = true;
    assert.equal((await find()).pipeline.llmConfirmed, 1);
  });

  test('goes by what conclusions mean where a model tells it, and asks that once for each', async (t) => {
    const meaning = [
      [1, 0.2, 0],
      [1, -0.2, 0],
      [0, 0, 1],
      [0, 0.1, 1],
      [-1, 0, 0.3],
    ];
    const { find, routing, restart } = await start(t, { withEmbedding: true });
    const embeds = () => routing.models.requests.filter(isEmbedding);
    routing.models.script({ kind: 'vectors', vectors: meaning }, { endpoint: 'embed' });
    const { confirmed } = await find();
    assert.equal(confirmed[0]?.evidence.similarity.toFixed(3), (0.96 / 1.04).toFixed(3));
    restart();
    assert.equal((await find()).pipeline.llmConfirmed, 1);
    assert.equal(embeds().length, 1);
  });

  test('goes by words where what tells the meaning fails', async (t) => {
    const { find, routing, failures } = await start(t, { withEmbedding: true });
    routing.models.script(fails('model-unknown'), { endpoint: 'embed' });
    assert.equal((await find()).pipeline.llmConfirmed, 1);
    assert.deepEqual(failures, ['conclusion vectors']);
  });

  test('does not look again at a pair that is known, nor at what was forgotten', async (t) => {
    const { find, routing, judged } = await start(t);
    const { store } = routing;
    const data = { conclusionIds: ['c1'], because: 'asked' };
    await store.append({
      stream: memoryStream(ANN),
      events: [{ type: 'memory.conclusions.erased', data }],
      expected: 'any',
      at: NOW,
      userId: ANN,
      correlationId: 'test',
      causationId: null,
    });
    assert.deepEqual([(await find()).pipeline.candidatesSelected, judged()], [1, 0]);
  });

  test('of thousands of the same finds nothing', async (t) => {
    const texts = Array.from({ length: 2_500 }, () => LIKES);
    const { find, judged } = await start(t, { texts });
    assert.deepEqual([(await find()).pipeline.candidatesSelected, judged()], [0, 0]);
  });
});
