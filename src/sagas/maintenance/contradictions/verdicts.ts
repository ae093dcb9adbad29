import type { Models } from '../../../application/models.ts';
import type { PairVerdict } from '../../../gateways/nli/messages.ts';
import type { Metrics } from '../../../metrics.ts';
import { InvalidVerdicts, judgePairs, PAIRS_A_CALL, type StatementPair } from './judge.ts';
import type { UserPairs } from './pairCache.ts';
import type { WorkGuard } from './ports.ts';

/** The local inference model, as far as it is asked here. */
export interface Inference {
  readonly modelId: string;
  isReady(): boolean;
  judge(pairs: readonly StatementPair[], signal: AbortSignal): Promise<readonly PairVerdict[]>;
}

interface Looking {
  readonly cache: UserPairs;
  readonly guard: WorkGuard;
  readonly metrics: Metrics;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly correlationId: string;
  readonly signal: AbortSignal;
}

/** Not more than takes a moment: the service does not stop in the middle of it. */
const INFERRED_AT_ONCE = 8;
/** A model that fails so often in a row would go on with it. */
const MOST_FAILURES = 2;

/**
 * Stage 2: for each pair, how likely the inference model takes it for a contradiction; undefined where it was not
 * asked, since it failed or somebody else needs the machine.
 */
export async function inferAll(
  inference: Inference,
  pairs: readonly StatementPair[],
  looking: Looking,
): Promise<readonly (number | undefined)[]> {
  const { cache, metrics, guard, onFailure, signal } = looking;
  const judge = inference.modelId;
  const cached = pairs.map((pair) => cache.find({ judge, ...pair }));
  // In one run all are as long as the longest.
  const open = openOf(pairs, cached).toSorted((one, other) => lengthOf(one.pair) - lengthOf(other.pair));
  for (let from = 0; from < open.length; from += INFERRED_AT_ONCE) {
    if (!(await guard.mayCompute()).safe) break;
    const some = open.slice(from, from + INFERRED_AT_ONCE);
    const startedAt = performance.now();
    try {
      const verdicts = await inference.judge(
        some.map(({ pair }) => pair),
        signal,
      );
      const seconds = (performance.now() - startedAt) / 1_000 / some.length;
      for (const [place, { pair, index }] of some.entries()) {
        const verdict = verdicts[place];
        if (!verdict) continue;
        metrics.nliInferences.inc({ result: verdict.label });
        metrics.nliDuration.observe(seconds);
        cached[index] = verdict.probabilities.contradiction;
        cache.keep({ judge, ...pair }, verdict.probabilities.contradiction);
      }
    } catch (error) {
      signal.throwIfAborted();
      onFailure('inference on contradictions', error);
      break;
    }
  }
  return cached;
}

interface Judge {
  /** Who would be asked first; undefined when there is no model. */
  readonly name: string | undefined;
  readonly models: Pick<Models, 'complete'>;
  readonly random: () => number;
  readonly longestCallMs?: number;
}

export interface Opinion {
  readonly model: string;
  /** How likely it takes the pair for a contradiction. */
  readonly likelihood: number;
}

/** Stage 3: the same by a language model. What it does not answer stays open: nothing is guessed. */
export async function judgeAll(
  { name, ...parts }: Judge,
  pairs: readonly StatementPair[],
  looking: Looking,
): Promise<readonly (Opinion | undefined)[]> {
  const { cache, guard, metrics, onFailure, signal } = looking;
  const count = (result: 'contradiction' | 'compatible' | 'invalid' | 'unanswered', by: number) =>
    metrics.judgedPairs.inc({ result }, by);
  const cached = pairs.map((pair) => opinionIn(cache, name, pair));
  const open = openOf(pairs, cached);
  let failures = 0;
  for (let from = 0; from < open.length; from += PAIRS_A_CALL) {
    const some = open.slice(from, from + PAIRS_A_CALL);
    const [first, ...others] = some.map(({ pair }) => pair);
    const isOver = name === undefined || failures === MOST_FAILURES;
    if (!first || isOver || !(await guard.mayWork(['maintenance'])).safe) {
      count('unanswered', open.length - from);
      break;
    }
    try {
      const { model, likely } = await judgePairs(parts, [first, ...others], looking);
      for (const [place, { pair, index }] of some.entries()) {
        const likelihood = likely[place] ?? 0;
        cached[index] = { model, likelihood };
        cache.keep({ judge: model, ...pair }, likelihood);
        count(likelihood >= 0.5 ? 'contradiction' : 'compatible', 1);
      }
      failures = 0;
      await keepVerdicts(looking);
    } catch (error) {
      signal.throwIfAborted();
      failures++;
      count(error instanceof InvalidVerdicts ? 'invalid' : 'unanswered', some.length);
      onFailure('judging contradictions', error);
    }
  }
  return cached;
}

/** After each answer of a model that may cost something: it is not to be asked the same after a crash. */
export async function keepVerdicts({
  cache,
  onFailure,
}: Pick<Looking, 'cache' | 'onFailure'>): Promise<void> {
  await cache.save().catch((error) => onFailure('keeping verdicts', error));
}

function opinionIn(cache: UserPairs, model: string | undefined, pair: StatementPair): Opinion | undefined {
  if (model === undefined) return undefined;
  const likelihood = cache.find({ judge: model, ...pair });
  return likelihood === undefined ? undefined : { model, likelihood };
}

interface OpenPair {
  readonly pair: StatementPair;
  readonly index: number;
}

/** Those of which nothing is known yet, with their places among all. */
function openOf(pairs: readonly StatementPair[], known: readonly unknown[]): readonly OpenPair[] {
  return pairs.map((pair, index) => ({ pair, index })).filter(({ index }) => known[index] === undefined);
}

function lengthOf({ one, other }: StatementPair): number {
  return one.length + other.length;
}
