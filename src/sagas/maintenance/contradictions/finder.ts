import type {
  ContradictionFinder,
  ContradictionSearch,
  ContradictionsFound,
} from '../../../application/maintenance/ports.ts';
import type { Models } from '../../../application/models.ts';
import type { Metrics } from '../../../metrics.ts';
import type { CandidatePair } from './candidates/messages.ts';
import { selectCandidates } from './candidates.ts';
import type { ConclusionVectors } from './conclusionVectors.ts';
import type { PairCache } from './pairCache.ts';
import type { WorkGuard } from './ports.ts';
import { type Inference, inferAll, judgeAll, keepVerdicts, type Opinion } from './verdicts.ts';

/** Most pairs that are looked at more closely. */
const MOST_CANDIDATES = 500;
/** Of each conclusion so many that are nearest; more where that costs nothing. */
const NEAREST = 5;
const NEAREST_OF_FEW = 20;
const FEW = 2_000;

interface PipelineOptions {
  readonly vectors: Pick<ConclusionVectors, 'of'>;
  /** Undefined when stage 2 is switched off. */
  readonly inference: () => Inference | undefined;
  /** From this probability on, the inference model has found a contradiction. */
  readonly threshold: () => number;
  readonly cache: PairCache;
  readonly models: Pick<Models, 'complete'>;
  /** Whom the `maintenance` slot names; undefined when there is nobody to ask. */
  readonly judge: () => string | undefined;
  readonly guard: WorkGuard;
  readonly metrics: Metrics;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly random: () => number;
  /** How long one call to the judge may take. */
  readonly longestCallMs?: number;
}

interface Believed {
  readonly id: string;
  readonly text: string;
  readonly about: string | null;
  readonly value?: string | null;
  readonly negated?: boolean;
  readonly contradicts: readonly string[];
}

/** A pair that may be a contradiction, with what was found out about it so far. */
interface Suspect extends Pick<CandidatePair, 'similarity' | 'signs'> {
  readonly one: Believed;
  readonly other: Believed;
  readonly nli: number | null;
}

type Stage = 'stage1' | 'stage2' | 'stage3';

/**
 * Looks for conclusions that contradict each other: first by what they have in common, then with a local model, and
 * last with a language model that decides. A pair that is known as a contradiction is not looked at again.
 */
export class ContradictionPipeline implements ContradictionFinder {
  readonly #options: PipelineOptions;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  async find(search: ContradictionSearch): Promise<ContradictionsFound> {
    const { metrics, cache } = this.#options;
    const latency: Record<Stage, number> = { stage1: 0, stage2: 0, stage3: 0 };
    const timed = async <Result>(stage: Stage, work: () => Promise<Result>): Promise<Result> => {
      const startedAt = performance.now();
      const result = await work();
      const ms = performance.now() - startedAt;
      metrics.contradictionStage.observe({ stage }, ms / 1_000);
      latency[stage] = Math.round(ms);
      return result;
    };
    const candidates = await timed('stage1', () => this.#select(search));
    const nothing = { confirmed: [], nliConfirmed: 0 };
    const found = candidates.length === 0 ? nothing : await this.#examine(search, candidates, cache, timed);
    return {
      confirmed: found.confirmed,
      pipeline: {
        candidatesSelected: candidates.length,
        nliConfirmed: found.nliConfirmed,
        llmConfirmed: found.confirmed.length,
        stageLatencyMs: latency,
      },
    };
  }

  async #examine(
    { userId, correlationId, signal }: ContradictionSearch,
    candidates: readonly Suspect[],
    pairs: PairCache,
    timed: <Result>(stage: Stage, work: () => Promise<Result>) => Promise<Result>,
  ): Promise<Pick<ContradictionsFound, 'confirmed'> & { readonly nliConfirmed: number }> {
    const { inference, judge, threshold, guard, metrics, onFailure } = this.#options;
    const model = inference();
    const cache = await pairs.open(userId);
    const looking = { cache, guard, metrics, onFailure, correlationId, signal };
    const inferred = model?.isReady()
      ? await timed('stage2', () => inferAll(model, candidates.map(textsOf), looking))
      : [];
    const suspects = candidates
      .map((candidate, index) => ({ ...candidate, nli: inferred[index] ?? null }))
      .filter(({ nli }) => nli === null || nli >= threshold());
    const asked = { ...this.#options, name: judge() };
    const judged = await timed('stage3', () => judgeAll(asked, suspects.map(textsOf), looking));
    await keepVerdicts(looking);
    const confirmed = suspects.flatMap((suspect, index) =>
      confirmedBy(suspect, model?.modelId, judged[index]),
    );
    return { confirmed, nliConfirmed: suspects.filter(({ nli }) => nli !== null).length };
  }

  async #select({ conclusions, ...asking }: ContradictionSearch): Promise<readonly Suspect[]> {
    const { pace, signal } = asking;
    const believed: Believed[] = [];
    const places = new Map<string, number>();
    for (const conclusion of conclusions) {
      if (!pace.hasTime()) await pace.pause();
      if (!isReadable(conclusion)) continue;
      places.set(conclusion.id, believed.length);
      believed.push(conclusion);
    }
    const vectors = await this.#options.vectors.of({ ...asking, conclusions: believed });
    const statements = believed.map(({ id, text, about, value = null, negated = null }) => ({
      text,
      topic: about,
      value,
      negated,
      vector: vectors.get(id),
    }));
    const pairs = await selectCandidates(statements, {
      nearest: believed.length <= FEW ? NEAREST_OF_FEW : NEAREST,
      most: MOST_CANDIDATES,
      settled: settledAmong(believed, places),
      pace,
      signal,
    });
    return pairs.flatMap((pair) => suspectOf(pair, believed));
  }
}

function isReadable<One extends { readonly text: string | null }>(
  one: One,
): one is One & { readonly text: string } {
  return one.text !== null;
}

function settledAmong(
  believed: readonly Believed[],
  places: ReadonlyMap<string, number>,
): readonly (readonly [number, number])[] {
  return believed.flatMap(({ contradicts }, place) =>
    contradicts.flatMap((id) => {
      const other = places.get(id);
      return other === undefined ? [] : [[place, other] as const];
    }),
  );
}

function suspectOf({ one, other, ...found }: CandidatePair, believed: readonly Believed[]): Suspect[] {
  const [first, second] = [believed[one], believed[other]];
  return first && second ? [{ ...found, one: first, other: second, nli: null }] : [];
}

function textsOf({ one, other }: Suspect) {
  return { one: one.text, other: other.text };
}

function confirmedBy(
  { one, other, similarity, signs, nli }: Suspect,
  inference: string | undefined,
  judge: Opinion | undefined,
): ContradictionsFound['confirmed'] {
  if (judge === undefined || judge.likelihood < 0.5) return [];
  const { model, likelihood: confidence } = judge;
  const inferred = nli === null || inference === undefined ? null : { model: inference, probability: nli };
  const evidence = { similarity, signs, nli: inferred, judge: { model, confidence } };
  return [{ conclusionId: one.id, contradicts: other.id, evidence }];
}
