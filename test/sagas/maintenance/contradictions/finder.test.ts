import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { Pace } from '../../../../src/application/maintenance/pace.ts';
import type { Models } from '../../../../src/application/models.ts';
import { denies, pairsAsked, verdictsOn } from '../../../../src/demo/model/demoJudge.ts';
import { eventCatalog } from '../../../../src/events/catalog.ts';
import type { Conclusion } from '../../../../src/folds/memory/conclusion.ts';
import { Metrics } from '../../../../src/metrics.ts';
import { ContradictionPipeline } from '../../../../src/sagas/maintenance/contradictions/finder.ts';
import { PairCache } from '../../../../src/sagas/maintenance/contradictions/pairCache.ts';
import type { Inference } from '../../../../src/sagas/maintenance/contradictions/verdicts.ts';
import { Log } from '../../../../src/store/log.ts';
import { MemoryAdapter } from '../../../../src/store/memory/adapter.ts';
import { NOW } from '../../../support/given.ts';

const LIKES = 'The user likes coffee';
const DISLIKES = 'The user does not like coffee';

function believed(id: string, text: string | null, contradicts: readonly string[] = []): Conclusion {
  const times = { createdAt: NOW, updatedAt: NOW, lastEvidenceAt: NOW };
  const standing = { ...times, stale: false, status: 'active', supersededBy: null, contradicts } as const;
  const origin = { confidence: 0.8, sources: [], turnIds: [], about: null, by: 'offline' } as const;
  return { id, text, type: 'inferred', ...origin, ...standing };
}

interface Options {
  /** How likely the inference model takes any pair for a contradiction; it is not ready where nothing is said. */
  readonly probability?: number;
  readonly confidence?: number;
  readonly pace?: Pace;
  /** Where verdicts are kept; of no other search, where nothing is said. */
  readonly store?: Log;
  /** Whether there is a language model to ask; there is, where nothing is said. */
  readonly isJudged?: boolean;
}

const emptyLog = () => Log.open(new MemoryAdapter(), eventCatalog);

async function find(
  conclusions: readonly Conclusion[],
  { probability, confidence = 0.9, pace = new Pace(), store, isJudged = true }: Options = {},
) {
  const log = store ?? (await emptyLog());
  const metrics = new Metrics();
  let asked = 0;
  let inferred = 0;
  const complete: Models['complete'] = async function* (_asking, { messages }) {
    const [part] = messages.flatMap((message) => ('parts' in message ? message.parts : []));
    const pairs = pairsAsked({ lastText: part?.type === 'text' ? part.text : '' });
    asked += pairs.length - 1;
    yield { type: 'routed', slot: 'maintenance', provider: 'cloud-a', model: 'judge', fallback: false };
    yield { type: 'text', text: JSON.stringify(verdictsOn(pairs, denies, confidence)) };
  };
  const inference: Inference = {
    modelId: 'tiny@1',
    isReady: () => probability !== undefined,
    async judge(pairs) {
      inferred += pairs.length;
      return pairs.map(() => {
        const contradiction = probability ?? 0;
        return { probabilities: { contradiction, neutral: 0, entailment: 0 }, label: 'contradiction' };
      });
    },
  };
  const free = async () => ({ safe: true });
  const pipeline = new ContradictionPipeline({
    vectors: { of: async () => new Map() },
    inference: () => inference,
    threshold: () => 0.7,
    cache: new PairCache({
      store: () => log,
      clock: () => NOW,
      ttlMs: () => 1_000,
      statementsOf: async () => [],
      onLookup: () => {},
    }),
    models: { complete },
    judge: () => (isJudged ? 'cloud-a/judge' : undefined),
    guard: { mayWork: free, mayCompute: free },
    metrics,
    onFailure: (_what, error) => assert.fail(String(error)),
    random: () => 0,
  });
  const startedAt = performance.now();
  const { signal } = new AbortController();
  const found = await pipeline.find({ userId: 'ann', conclusions, correlationId: 'test', pace, signal });
  const tookMs = performance.now() - startedAt;
  const { confirmed, pipeline: figures } = found;
  const pairs = confirmed.map(({ conclusionId, contradicts }) => [conclusionId, contradicts]);
  return { confirmed, figures, pairs, asked, inferred, tookMs, metrics };
}

describe('contradictions among what is believed', () => {
  const two = [believed('c1', LIKES), believed('c2', DISLIKES)];

  test('are found where there is but one pair to look at', async () => {
    const { pairs, figures, asked } = await find(two, { probability: 0.9 });
    assert.deepEqual(pairs, [['c1', 'c2']]);
    assert.deepEqual([figures.candidatesSelected, figures.nliConfirmed, figures.llmConfirmed], [1, 1, 1]);
    assert.equal(asked, 1);
  });

  test('are not looked for where nothing is near anything else', async () => {
    const { pairs, figures, metrics } = await find([believed('c1', LIKES), believed('c2', 'Rain in Spain')]);
    assert.deepEqual([pairs, figures.candidatesSelected, figures.nliConfirmed], [[], 0, 0]);
    const { stage2, stage3 } = figures.stageLatencyMs;
    assert.deepEqual([stage2, stage3], [0, 0]);
    assert.match(await metrics.render(), /stage_duration_seconds_count\{stage="stage3"\} 0\n/);
  });

  test('are those that the inference model takes for one as surely as is set, or more', async () => {
    assert.equal((await find(two, { probability: 0.7 })).figures.nliConfirmed, 1);
    const { pairs, asked } = await find(two, { probability: 0.69 });
    assert.deepEqual([pairs, asked], [[], 0]);
  });

  test('are inferred once, and the next process knows what came of it, also with nobody to judge', async () => {
    const store = await emptyLog();
    for (const inferred of [1, 0]) {
      const found = await find(two, { probability: 0.9, store, isJudged: false });
      assert.deepEqual([found.inferred, found.figures.nliConfirmed, found.pairs], [inferred, 1, []]);
    }
  });

  test('are looked for in five hundred pairs at most', async () => {
    const many = Array.from({ length: 60 }, (_, n) =>
      believed(`c${n}`, `${n % 2 === 0 ? LIKES : DISLIKES} ${n}`),
    );
    const { figures, asked } = await find(many, { probability: 0.69 });
    assert.deepEqual([figures.candidatesSelected, asked], [500, 0]);
  });

  test('are looked for between each and the twenty that are nearest to it', async () => {
    const selectedOf = async (count: number) => {
      const texts = Array.from({ length: count }, (_, n) => `${n % 2 === 0 ? LIKES : DISLIKES} ${n}`);
      const { figures } = await find(
        texts.map((text, n) => believed(`c${n}`, text)),
        { probability: 0.69 },
      );
      return figures.candidatesSelected;
    };
    // Of 21, each is among the nearest of every other; of 22, two are not.
    assert.deepEqual([await selectedOf(21), await selectedOf(22)], [(21 * 20) / 2, (22 * 21) / 2 - 1]);
  });

  test('are for the judge alone to find where the inference model is not there', async () => {
    const { confirmed, figures } = await find(two);
    assert.equal(figures.nliConfirmed, 0);
    assert.equal(confirmed[0]?.evidence.nli, null);
  });

  test('are those that the judge holds for as likely as not, or likelier', async () => {
    assert.equal((await find(two, { confidence: 0.5 })).pairs.length, 1);
  });

  test('have the probability, the model and the signs as their evidence', async () => {
    const [{ evidence } = assert.fail()] = (await find(two, { probability: 0.8 })).confirmed;
    assert.deepEqual(evidence.nli, { model: 'tiny@1', probability: 0.8 });
    assert.deepEqual(evidence.judge, { model: 'cloud-a/judge', confidence: 0.9 });
    assert.deepEqual(evidence.signs, ['negation']);
  });

  test('are not looked for again where they are known, from whichever side', async () => {
    for (const known of [
      [believed('c1', LIKES, ['c2']), believed('c2', DISLIKES)],
      [believed('c1', LIKES), believed('c2', DISLIKES, ['c1'])],
    ])
      assert.equal((await find(known)).figures.candidatesSelected, 0);
    const third = believed('c3', 'The user never likes coffee', ['gone']);
    const { pairs } = await find([believed('c1', LIKES, ['c2']), believed('c2', DISLIKES, ['c1']), third]);
    assert.ok(!pairs.some((pair) => pair.join() === 'c1,c2'));
    assert.ok((await find([...two, third])).figures.candidatesSelected > 1);
  });

  test('are not looked for in what is forgotten', async () => {
    const forgotten = [believed('c0', null), ...two, believed('c3', null)];
    assert.deepEqual((await find(forgotten)).pairs, [['c1', 'c2']]);
  });

  test('are looked for with a rest after each conclusion while somebody chats, and else with none', async () => {
    let rests = 0;
    let now = 0;
    const rest = async () => void rests++;
    const many = Array.from({ length: 50 }, (_, n) => believed(`c${n}`, LIKES));
    await find(many, { pace: new Pace({ isChatting: () => true, now: () => now++ * 2, rest }) });
    assert.ok(rests >= 50, `${rests} rests`);
    rests = 0;
    await find(many, { pace: new Pace({ isChatting: () => true, now: () => 0, rest }) });
    assert.equal(rests, 0);
  });

  test('are told with how long each stage took, which adds up', async () => {
    const { figures, tookMs, metrics } = await find(two, { probability: 0.9 });
    const { stage1, stage2, stage3 } = figures.stageLatencyMs;
    assert.ok(stage1 > 0, 'a thread is started for it');
    assert.ok(stage1 + stage2 + stage3 <= tookMs + 3, 'each is rounded');
    const [, seconds] = (await metrics.render()).match(/_seconds_sum\{stage="stage1"\} (.+)/) ?? [];
    assert.ok(Math.abs(Number(seconds) * 1_000 - stage1) <= 1);
  });
});
