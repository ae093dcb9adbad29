import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { Models } from '../../../../src/application/models.ts';
import { pairsAsked } from '../../../../src/demo/model/demoJudge.ts';
import { eventCatalog } from '../../../../src/events/catalog.ts';
import { Metrics } from '../../../../src/metrics.ts';
import type { StatementPair } from '../../../../src/sagas/maintenance/contradictions/judge.ts';
import { PairCache } from '../../../../src/sagas/maintenance/contradictions/pairCache.ts';
import {
  type Inference,
  inferAll,
  judgeAll,
} from '../../../../src/sagas/maintenance/contradictions/verdicts.ts';
import { Log } from '../../../../src/store/log.ts';
import { NOW } from '../../../support/given.ts';
import { range } from '../../../support/range.ts';
import { WatchedAdapter } from '../../../support/watchedAdapter.ts';

const NAME = 'cloud-a/judge';

function pairs(count: number): readonly StatementPair[] {
  return range(0, count).map((n) => ({ one: `The user has ${n} cats`, other: `The user has ${n} dogs` }));
}

/** Which of them it is, by the number in it. */
function numberIn({ one }: { readonly one: string }): number {
  return Number(one.replace(/\D/g, ''));
}

async function world() {
  const adapter = new WatchedAdapter();
  const store = await Log.open(adapter, eventCatalog);
  const metrics = new Metrics();
  const failures: string[] = [];
  const pairCache = () =>
    new PairCache({
      store: () => store,
      clock: () => NOW,
      ttlMs: () => 1_000,
      statementsOf: async () => [],
      onLookup: () => {},
    });
  const open = () => pairCache().open('ann');
  /** How often it is still free; for ever, where nothing is said. */
  const free = { times: Number.POSITIVE_INFINITY };
  const answer = async () => ({ safe: free.times-- > 0 });
  const stopping = new AbortController();
  const looking = {
    cache: await open(),
    guard: { mayWork: answer, mayCompute: answer },
    metrics,
    onFailure: (what: string) => failures.push(what),
    correlationId: 'test',
    signal: stopping.signal,
  };
  const counted = async (name: string) => {
    const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith(name));
    return Object.fromEntries(
      lines.map((line) => [line.match(/"(\w+)"/)?.[1], Number(line.split(' ').at(-1))]),
    );
  };
  return { adapter, looking, failures, free, open, stopping, counted, metrics };
}

describe('an inference model', () => {
  type Judge = (pairs: readonly StatementPair[]) => ReturnType<Inference['judge']>;

  /** Says of the pair n that it is a contradiction by n hundredths. */
  const byNumber: Judge = async (some) =>
    some.map((pair) => {
      const contradiction = numberIn(pair) / 100;
      const probabilities = { contradiction, neutral: 1 - contradiction, entailment: 0 };
      return { probabilities, label: contradiction > 0.5 ? 'contradiction' : 'neutral' };
    });

  function model(judge: Judge = byNumber) {
    const asked: number[][] = [];
    const inference: Inference = {
      modelId: 'tiny@1',
      isReady: () => true,
      judge(some) {
        asked.push(some.map(numberIn));
        return judge(some);
      },
    };
    return { inference, asked };
  }

  test('says of each pair how likely it is, and that is counted and kept', async () => {
    const { looking, counted, open, metrics } = await world();
    const { inference } = model();
    const some = [51, 7, 90].map((n) => pairs(100)[n] ?? assert.fail());
    const before = performance.now();
    assert.deepEqual(await inferAll(inference, some, looking), [0.51, 0.07, 0.9]);
    const seconds = (performance.now() - before) / 1_000;
    const found = await counted('service_nli_inferences_total');
    assert.deepEqual([found.contradiction, found.neutral], [2, 1]);
    const [, sum] = (await metrics.render()).match(/nli_inference_duration_seconds_sum (.+)/) ?? [];
    assert.ok(Number(sum) <= seconds, `${sum} s in all of ${seconds} s`);
    await looking.cache.save();
    assert.equal((await open()).find({ judge: 'tiny@1', ...(some[0] ?? assert.fail()) }), 0.51);
  });

  test('is asked about eight pairs at once, the shortest first, and about none that it judged before', async () => {
    const { looking } = await world();
    const { inference, asked } = model();
    const all = pairs(18).toReversed();
    for (const pair of all.slice(0, 1)) looking.cache.keep({ judge: 'tiny@1', ...pair }, 0.33);
    const found = await inferAll(inference, all, looking);
    assert.deepEqual(
      asked.map((some) => some.length),
      [8, 8, 1],
    );
    assert.deepEqual(asked.flat(), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 16, 15, 14, 13, 12, 11, 10]);
    assert.deepEqual(found, [
      0.33,
      ...range(0, 17)
        .map((n) => n / 100)
        .toReversed(),
    ]);
    asked.length = 0;
    assert.deepEqual(await inferAll(inference, all, looking), found);
    assert.deepEqual(asked, []);
  });

  test('is not asked any more from the moment on in which somebody needs the machine', async () => {
    const { looking, free, failures } = await world();
    const { inference, asked } = model();
    free.times = 1;
    const found = await inferAll(inference, pairs(10), looking);
    assert.equal(asked.length, 1);
    assert.deepEqual(found.slice(7), [0.07, undefined, undefined]);
    assert.deepEqual(failures, []);
  });

  test('that fails is told of, and what it did not judge stays open', async () => {
    const { looking, failures } = await world();
    const { inference, asked } = model((some) =>
      some.some((pair) => numberIn(pair) > 7) ? Promise.reject(new Error('broken')) : byNumber(some),
    );
    const found = await inferAll(inference, pairs(20), looking);
    assert.deepEqual(found.slice(6, 9), [0.06, 0.07, undefined]);
    assert.deepEqual([asked.length, failures], [2, ['inference on contradictions']]);
  });

  test('that leaves a pair out leaves it open', async () => {
    const { looking } = await world();
    const { inference } = model(async (some) => (await byNumber(some)).slice(0, 1));
    assert.deepEqual(await inferAll(inference, pairs(2), looking), [0, undefined]);
  });

  test('that fails because the service stops is not told of', async () => {
    const { looking, failures, stopping } = await world();
    const { inference } = model(async () => {
      stopping.abort();
      throw new Error('cut off');
    });
    await assert.rejects(inferAll(inference, pairs(1), looking), { name: 'AbortError' });
    assert.deepEqual(failures, []);
  });
});

describe('a language model that judges', () => {
  interface Said {
    readonly contradiction: boolean;
    readonly confidence: number;
  }
  const fair: Said = { contradiction: false, confidence: 1 };

  /** At its port: who answers, and the answer. What throws or is no record is said instead. */
  function models(verdict: (pair: { readonly one: string }, call: number) => Said, random = () => 0) {
    const calls: { readonly texts: readonly string[]; readonly mostTokens: number | undefined }[] = [];
    const complete: Models['complete'] = async function* (_asking, request) {
      const [part] = request.messages.flatMap((message) => ('parts' in message ? message.parts : []));
      const lastText = part?.type === 'text' ? part.text : '';
      const asked = pairsAsked({ lastText });
      calls.push({
        texts: asked.map(({ first, second }) => `${first} | ${second}`),
        mostTokens: request.maxOutputTokens,
      });
      yield { type: 'routed', slot: 'maintenance', provider: 'cloud-a', model: 'judge', fallback: false };
      const said = asked.map(({ name, first, second }) => {
        const itself = first === second;
        return [name, { reasoning: '', ...(itself ? fair : verdict({ one: first }, calls.length)) }];
      });
      yield { type: 'text', text: JSON.stringify(Object.fromEntries(said)) };
    };
    return { judge: { name: NAME, models: { complete }, random }, calls };
  }

  const yes = (confidence: number): Said => ({ contradiction: true, confidence });
  const no = (confidence: number): Said => ({ contradiction: false, confidence });

  test('decides, however sure of it: what it holds for one is as likely as not at least', async () => {
    const { looking, counted } = await world();
    const said = [yes(0.9), yes(0.5), yes(0.1), no(0.5), no(0.1), no(0.9)];
    const { judge } = models((pair) => said[numberIn(pair)] ?? assert.fail());
    const found = await judgeAll(judge, pairs(6), looking);
    const likely = found.map((opinion) => Number(opinion?.likelihood.toFixed(2)));
    assert.deepEqual(likely, [0.9, 0.5, 0.5, 0.49, 0.49, 0.1]);
    assert.deepEqual(new Set(found.map((opinion) => opinion?.model)), new Set([NAME]));
    const judged = await counted('service_contradiction_judge_pairs_total');
    assert.deepEqual([judged.contradiction, judged.compatible], [3, 3]);
  });

  test('is shown the first six hundred letters of each, and may say so much of each', async () => {
    const { looking } = await world();
    const { judge, calls } = models(() => no(1));
    const long = [{ one: `1${'x'.repeat(700)}`, other: `2${'y'.repeat(700)}` }];
    await judgeAll(judge, long, looking);
    assert.deepEqual(
      calls[0]?.texts.map((text) => text.length),
      [1203, 1203],
    );
    assert.equal(calls[0]?.mostTokens, 600);
  });

  test('sees the sides in the order of the draw', async () => {
    const { looking } = await world();
    for (const [drawn, first] of [
      [0.49, 'cats'],
      [0.5, 'dogs'],
    ] as const) {
      const { judge, calls } = models(
        () => no(1),
        () => drawn,
      );
      await judgeAll({ ...judge, name: `${drawn}` }, pairs(1), looking);
      assert.match(calls[0]?.texts[0] ?? '', new RegExp(`^The user has 0 ${first} \\|`));
    }
  });

  test('is asked about ten pairs at a time, and about none that it judged before, also after a crash', async () => {
    const { looking, open, stopping, failures } = await world();
    const crashing = models((_pair, call) => {
      if (call < 3) return no(1);
      stopping.abort();
      throw new Error('cut off');
    });
    await assert.rejects(judgeAll(crashing.judge, pairs(25), looking), { name: 'AbortError' });
    assert.deepEqual(failures, []);
    const again = models(() => yes(1));
    const signal = new AbortController().signal;
    const found = await judgeAll(again.judge, pairs(25), { ...looking, signal, cache: await open() });
    assert.equal(again.calls.length, 1);
    assert.deepEqual(
      found.map((opinion) => opinion?.likelihood),
      [...Array(20).fill(0), ...Array(5).fill(1)],
    );
  });

  test('that fails now and then is asked on, and twice in a row no more', async () => {
    const { looking, counted, failures } = await world();
    const failing = new Set([1, 3, 5, 6]);
    const { judge, calls } = models((_pair, call) => {
      if (failing.has(call)) throw new Error('no answer');
      return no(1);
    });
    const found = await judgeAll(judge, pairs(85), looking);
    assert.equal(calls.length, 6);
    assert.equal(found.filter((opinion) => opinion !== undefined).length, 20);
    assert.deepEqual(failures, Array(4).fill('judging contradictions'));
    const judged = await counted('service_contradiction_judge_pairs_total');
    assert.deepEqual([judged.unanswered, judged.compatible, judged.invalid], [65, 20, 0]);
  });

  test('that gives no answer that can be read has given none', async () => {
    const { looking, counted } = await world();
    const { judge } = models(() => yes(2));
    assert.deepEqual(await judgeAll(judge, pairs(3), looking), Array(3).fill(undefined));
    assert.equal((await counted('service_contradiction_judge_pairs_total')).invalid, 3);
  });

  test('is not asked where there is none, nor while somebody needs the machine', async () => {
    const { looking, free, counted } = await world();
    const { judge, calls } = models(() => no(1));
    await judgeAll({ ...judge, name: undefined }, pairs(3), looking);
    assert.equal(calls.length, 0);
    free.times = 1;
    const found = await judgeAll(judge, pairs(13), looking);
    assert.equal(calls.length, 1);
    assert.equal(found.filter((opinion) => opinion === undefined).length, 3);
    assert.equal((await counted('service_contradiction_judge_pairs_total')).unanswered, 6);
  });

  test('is heard also where its verdicts cannot be kept, which is told', async () => {
    const { looking, adapter, failures } = await world();
    adapter.before = (name) => {
      if (name === 'saveSnapshot') throw new Error('no room');
    };
    const { judge } = models(() => yes(1));
    assert.deepEqual(await judgeAll(judge, pairs(1), looking), [{ model: NAME, likelihood: 1 }]);
    assert.deepEqual(failures, ['keeping verdicts']);
  });
});
