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
  const open = inOrderOfLength(
    pairs
      .keys()
      .toArray()
      .filter((index) => cached[index] === undefined),
    pairs,
  );
  for (let from = 0; from < open.length; from += INFERRED_AT_ONCE) {
    if (!(await guard.mayCompute()).safe) break;
    const some = open.slice(from, from + INFERRED_AT_ONCE);
    const startedAt = performance.now();
    try {
      const verdicts = await inference.judge(
        some.map((index) => pairOf(pairs, index)),
        signal,
      );
      const seconds = (performance.now() - startedAt) / 1_000 / some.length;
      for (const [place, index] of some.entries()) {
        const verdict = verdicts[place];
        if (!verdict) continue;
        metrics.nliInferences.inc({ result: verdict.label });
        metrics.nliDuration.observe(seconds);
        cached[index] = verdict.probabilities.contradiction;
        cache.keep({ judge, ...pairOf(pairs, index) }, verdict.probabilities.contradiction);
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
  const open = pairs
    .keys()
    .toArray()
    .filter((index) => cached[index] === undefined);
  let failures = 0;
  for (let from = 0; from < open.length; from += PAIRS_A_CALL) {
    const some = open.slice(from, from + PAIRS_A_CALL);
    const [first, ...others] = some.map((index) => pairOf(pairs, index));
    const isOver = name === undefined || failures === MOST_FAILURES;
    if (!first || isOver || !(await guard.mayWork(['maintenance'])).safe) {
      count('unanswered', open.length - from);
      break;
    }
    try {
      const { model, likely } = await judgePairs(parts, [first, ...others], looking);
      for (const [place, index] of some.entries()) {
        const likelihood = likely[place] ?? 0;
        cached[index] = { model, likelihood };
        cache.keep({ judge: model, ...pairOf(pairs, index) }, likelihood);
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
  const likelihood = model === undefined ? undefined : cache.find({ judge: model, ...pair });
  return model === undefined || likelihood === undefined ? undefined : { model, likelihood };
}

function pairOf(pairs: readonly StatementPair[], index: number): StatementPair {
  const { one = '', other = '' } = pairs[index] ?? {};
  return { one, other };
}

/** In one run all are as long as the longest. */
function inOrderOfLength(indices: readonly number[], pairs: readonly StatementPair[]): readonly number[] {
  const lengthOf = (index: number) => (pairs[index]?.one.length ?? 0) + (pairs[index]?.other.length ?? 0);
  return indices.toSorted((one, other) => lengthOf(one) - lengthOf(other));
}
