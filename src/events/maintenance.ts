import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { contradictionEvidence } from './conclusions.ts';
import { defineEvent, type EventOf } from './definition.ts';

/*
 * What a sweep does to the memory of a user: an event a change, each with the figures that it follows from. All of
 * them are in the user's memory stream, between the beginning of the sweep and its end.
 *
 *   maintenance.started ─► conclusion.flagged… ─► conclusion.decayed… ─► conclusion.merged… ─► episode.flagged…
 *     ─► contradiction.detected… + contradictions.sought ─► conclusion.pruned… ─► maintenance.completed | failed
 *
 * A sweep that was cut off goes on where it was, with what it began with.
 */

const sweepId = lazily(() => z.string());
const conclusionId = lazily(() => z.string());

const thresholds = lazily(() =>
  z.object({
    staleDays: z.number(),
    decayFactor: z.number(),
    /** Least Jaccard similarity of two conclusions that say the same. */
    similarity: z.number(),
    /** On the scale from 0 to 10. */
    orphanImportance: z.number(),
    pruneBelow: z.number(),
    /** How long what is put aside can be restored. */
    retentionDays: z.number(),
  }),
);
export type Thresholds = z.output<ReturnType<typeof thresholds>>;

export const maintenanceStarted = defineEvent('memory.maintenance.started', {
  data: () =>
    z.object({
      sweepId: sweepId(),
      /** Its time, by which all ages are measured; no other sweep of the user has the same. */
      timestamp: z.number(),
      by: z.enum(['schedule', 'request', 'event']),
      thresholds: thresholds(),
      conclusionCount: z.int(),
      episodeCount: z.int(),
    }),
});

/** Not heard of for longer than `limitDays`; or heard of again, when `stale` is false. */
const conclusionFlagged = defineEvent('memory.conclusion.flagged', {
  data: () =>
    z.object({
      sweepId: sweepId(),
      conclusionId: conclusionId(),
      stale: z.boolean(),
      unseenDays: z.number(),
      limitDays: z.number(),
    }),
});

const conclusionDecayed = defineEvent('memory.conclusion.decayed', {
  data: () =>
    z.object({
      sweepId: sweepId(),
      conclusionId: conclusionId(),
      from: z.number(),
      to: z.number(),
      factor: z.number(),
    }),
});

/** Another one says the same, and takes its sources. */
export const conclusionMerged = defineEvent('memory.conclusion.merged', {
  data: () =>
    z.object({
      sweepId: sweepId(),
      conclusionId: conclusionId(),
      mergedInto: z.string(),
      /** By which it came there: of several that are alike in a chain, the next one. */
      similarTo: z.string(),
      similarity: z.number(),
      restorableUntil: z.number(),
    }),
});

/** Nothing is concluded from it, and it matters little. */
const episodeFlagged = defineEvent('memory.episode.flagged', {
  data: () =>
    z.object({ sweepId: sweepId(), episodeId: z.string(), importance: z.number(), limit: z.number() }),
});

/** Somebody took that back: the next sweep looks at it anew. */
const episodeUnflagged = defineEvent('memory.episode.unflagged', {
  data: () => z.object({ episodeId: z.string() }),
});

/** Two conclusions cannot both be so. Neither is lowered by that: it is said once, for somebody to decide. */
export const contradictionDetected = defineEvent('memory.contradiction.detected', {
  data: () =>
    z.object({
      sweepId: sweepId(),
      conclusionId: conclusionId(),
      contradicts: conclusionId(),
      evidence: contradictionEvidence(),
    }),
});

const pipeline = lazily(() =>
  z.object({
    candidatesSelected: z.int(),
    nliConfirmed: z.int(),
    llmConfirmed: z.int(),
    stageLatencyMs: z.object({ stage1: z.number(), stage2: z.number(), stage3: z.number() }),
  }),
);
export type PipelineFigures = z.output<ReturnType<typeof pipeline>>;

/** All contradictions that the sweep found have been said. */
const contradictionsSought = defineEvent('memory.contradictions.sought', {
  data: () => z.object({ sweepId: sweepId(), pipeline: pipeline() }),
});

/** Too uncertain to be believed. */
export const conclusionPruned = defineEvent('memory.conclusion.pruned', {
  data: () =>
    z.object({
      sweepId: sweepId(),
      conclusionId: conclusionId(),
      confidence: z.number(),
      limit: z.number(),
      restorableUntil: z.number(),
    }),
});

const summary = lazily(() =>
  z.object({
    contradictions: z.int(),
    stale: z.int(),
    orphans: z.int(),
    redundant: z.int(),
    pruned: z.int(),
    decayed: z.int(),
    /** Mentions of episodes that are not kept any more, counted and left. */
    danglingSources: z.int(),
    contradictionPipeline: pipeline(),
  }),
);

export const maintenanceCompleted = defineEvent('memory.maintenance.completed', {
  data: () =>
    z.object({
      sweepId: sweepId(),
      timestamp: z.number(),
      durationMs: z.number(),
      conclusionsExamined: z.int(),
      episodesChecked: z.int(),
      summary: summary(),
      /** Where in its stream the first event of the sweep is: from there to here are its changes. */
      firstVersion: z.int(),
    }),
});
export type CompletedSweep = EventOf<typeof maintenanceCompleted>['data'];

/** So long after its time, and so many of a user, reports are shown. */
export const REPORTS_KEPT_MS = 30 * 24 * 60 * 60_000;
export const MOST_REPORTS = 200;

/** Something broke. What is changed stays so; the next sweep is another one. */
export const maintenanceFailed = defineEvent('memory.maintenance.failed', {
  data: () => z.object({ sweepId: sweepId(), code: z.string() }),
});

/** Those that are kept in the memory stream of a user. */
export const maintenanceEvents = [
  maintenanceStarted,
  conclusionFlagged,
  conclusionDecayed,
  conclusionMerged,
  episodeFlagged,
  episodeUnflagged,
  contradictionDetected,
  contradictionsSought,
  conclusionPruned,
  maintenanceCompleted,
  maintenanceFailed,
] as const;
