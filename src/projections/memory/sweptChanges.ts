import type { MemoryEvent } from '../../events/memory.ts';

/** One change of a sweep, as it is reported. */
export interface SweptChange {
  readonly type: 'stale' | 'decay' | 'redundant' | 'orphan' | 'contradiction' | 'low_confidence';
  readonly conclusionId?: string;
  readonly episodeId?: string;
  /** What it was merged into, or contradicts. */
  readonly otherId?: string;
  /** What was looked at: days, a confidence, a similarity, an importance, or the factor of a decay … */
  readonly value?: number;
  /** … and the threshold that it was held against. */
  readonly limit?: number;
  /** Of a confidence: before and after. */
  readonly from?: number;
  readonly to?: number;
  readonly action: 'flagged' | 'unflagged' | 'decayed' | 'merged' | 'pruned';
  /** Why; in figures and ids, and never in words of the user. */
  readonly description: string;
}

/** Undefined for an event that is no change of a sweep. */
export function describeChange({ type, data }: MemoryEvent): SweptChange | undefined {
  switch (type) {
    case 'memory.conclusion.flagged': {
      const { conclusionId, stale, unseenDays, limitDays } = data;
      const action = stale ? 'flagged' : 'unflagged';
      const description = `Not heard of for ${unseenDays} days; stale after ${limitDays}`;
      return { type: 'stale', conclusionId, value: unseenDays, limit: limitDays, action, description };
    }
    case 'memory.conclusion.decayed': {
      const { conclusionId, from, to, factor } = data;
      const description = `Stale: confidence ${shown(from)} × ${factor} = ${shown(to)}`;
      return { type: 'decay', conclusionId, value: factor, from, to, action: 'decayed', description };
    }
    case 'memory.conclusion.merged': {
      const { conclusionId, mergedInto, similarTo, similarity } = data;
      const by = similarTo === mergedInto ? '' : ` by way of ${similarTo}`;
      const description = `Says the same as ${mergedInto}${by}, which is more certain or was there first (similarity ${shown(similarity)})`;
      const about = { conclusionId, otherId: mergedInto, value: similarity };
      return { type: 'redundant', ...about, action: 'merged', description };
    }
    case 'memory.episode.flagged': {
      const { episodeId, importance, limit } = data;
      const description = `Nothing is concluded from it, and its importance ${shown(importance / 10)} is below ${shown(limit / 10)}`;
      const figures = { value: importance, limit };
      return { type: 'orphan', episodeId, ...figures, action: 'flagged', description };
    }
    case 'memory.contradiction.detected': {
      const { conclusionId, contradicts, evidence } = data;
      const description = `Cannot be so together with ${contradicts} (${shownEvidence(evidence)})`;
      const about = { conclusionId, otherId: contradicts, value: evidence.similarity };
      return { type: 'contradiction', ...about, action: 'flagged', description };
    }
    case 'memory.conclusion.pruned': {
      const { conclusionId, confidence, limit } = data;
      const description = `Confidence ${shown(confidence)} is below ${limit}`;
      const figures = { value: confidence, limit };
      return { type: 'low_confidence', conclusionId, ...figures, action: 'pruned', description };
    }
    default:
      return undefined;
  }
}

function shownEvidence({
  similarity,
  signs,
  nli,
  judge,
}: Extract<MemoryEvent, { type: 'memory.contradiction.detected' }>['data']['evidence']): string {
  return [
    `similarity ${shown(similarity)}`,
    ...signs,
    ...(nli ? [`${nli.model} ${shown(nli.probability)}`] : []),
    ...(judge ? [`${judge.model} ${shown(judge.confidence)}`] : []),
  ].join(', ');
}

function shown(figure: number): string {
  return String(Math.round(figure * 10_000) / 10_000);
}
