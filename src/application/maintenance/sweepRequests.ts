import type { StartSweep } from '../../commands/memory/sweep/sweep.ts';
import { HarkError } from '../../errors.ts';
import type { CompletedSweep, Thresholds } from '../../events/maintenance.ts';
import { isStoreUnavailable } from '../retryWhileUnavailable.ts';

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

export interface SweepRequest {
  readonly userId: string;
  readonly by: StartSweep['by'];
  readonly correlationId: string;
  /** Given where the same may be asked twice: the sweep is begun once. */
  readonly commandId?: string;
  /** A sweep that began at this time or later is the one that is wanted. */
  readonly since?: number;
}

/** A request that somebody waits for. */
export interface AskedSweep {
  readonly request: SweepRequest;
  readonly resolve: (report: CompletedSweep) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sweeps that are asked for, between those who wait for a report and the saga that sweeps (`sweepMemory.ts`). What is
 * asked before the saga runs is kept for it. Whoever asks while a sweep of the user goes on is given its report.
 */
export class SweepRequests {
  readonly #waiting = new Set<AskedSweep>();
  readonly #onAsked = new Set<(asked: AskedSweep) => void>();
  readonly #onCutOff = new Set<(request: SweepRequest) => void>();
  #isStopped = false;

  ask(request: SweepRequest): Promise<CompletedSweep> {
    if (this.#isStopped) return Promise.reject(new HarkError('NOT_READY'));
    const { promise, resolve, reject } = Promise.withResolvers<CompletedSweep>();
    const waiting = { request, resolve, reject };
    this.#waiting.add(waiting);
    for (const tell of this.#onAsked) tell(waiting);
    return promise;
  }

  /** Told of each that waits, and of each that comes. */
  onAsked(listener: (asked: AskedSweep) => void): () => void {
    for (const waiting of this.#waiting) listener(waiting);
    this.#onAsked.add(listener);
    return () => this.#onAsked.delete(listener);
  }

  /** Told of each that broke off because the log was away. */
  onCutOff(listener: (request: SweepRequest) => void): () => void {
    this.#onCutOff.add(listener);
    return () => this.#onCutOff.delete(listener);
  }

  /** Whether nobody has answered it, alone or together with another of the same user. */
  isOpen(asked: AskedSweep): boolean {
    return this.#waiting.has(asked);
  }

  /** Answers all who wait for a sweep of the user. */
  complete(userId: string, report: CompletedSweep): void {
    for (const { resolve } of this.#takeOf(userId)) resolve(report);
  }

  fail(request: SweepRequest, error: unknown): void {
    if (isStoreUnavailable(error)) for (const tell of this.#onCutOff) tell(request);
    for (const { reject } of this.#takeOf(request.userId)) reject(error);
  }

  /** Nobody waits any longer: what was begun is gone on with by another process, or after the next start. */
  stop(): void {
    this.#isStopped = true;
    for (const { reject } of this.#waiting) reject(new HarkError('NOT_READY'));
    this.#waiting.clear();
  }

  #takeOf(userId: string): readonly AskedSweep[] {
    const taken = Array.from(this.#waiting).filter(({ request }) => request.userId === userId);
    for (const waiting of taken) this.#waiting.delete(waiting);
    return taken;
  }
}
