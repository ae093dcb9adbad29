import type { Thresholds } from '../../events/maintenance.ts';

/** By the short names that a preview has for them. */
export interface OtherThresholds {
  readonly stale?: number | undefined;
  readonly decay?: number | undefined;
  readonly similarity?: number | undefined;
  readonly orphan?: number | undefined;
  readonly prune?: number | undefined;
}

export function otherwise(
  usual: Thresholds,
  {
    stale: staleDays = usual.staleDays,
    decay: decayFactor = usual.decayFactor,
    similarity = usual.similarity,
    orphan: orphanImportance = usual.orphanImportance,
    prune: pruneBelow = usual.pruneBelow,
  }: OtherThresholds,
): Thresholds {
  return { ...usual, staleDays, decayFactor, similarity, orphanImportance, pruneBelow };
}

/** As the settings say. */
export function thresholdsIn(number: (key: string) => number): Thresholds {
  return {
    staleDays: number('staleThresholdDays'),
    decayFactor: number('decayFactor'),
    similarity: number('redundancySimilarity'),
    orphanImportance: number('orphanImportanceThreshold'),
    pruneBelow: number('pruneConfidenceThreshold'),
    retentionDays: number('memoryRetentionDays'),
  };
}
