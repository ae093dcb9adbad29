import { z } from 'zod';
import type { Conclusion } from '../../folds/memory/conclusion.ts';
import { lazily } from '../../lazily.ts';
import type { Episode } from '../../projections/memory/episodes.ts';
import { conclusionTypes } from '../../vocabulary.ts';

/** From 0 to 10 inside, from 0 to 1 on the wire. */
const IMPORTANCE_SCALE = 10;

export const episodeView = lazily(() =>
  z.object({
    id: z.string(),
    summary: z.string(),
    keywords: z.array(z.string()).readonly(),
    topic: z.string(),
    timestamp: z.number(),
    importance: z.number().describe('From 0 to 1'),
    type: z.string(),
    score: z.number(),
    matchType: z.enum(['keyword', 'semantic']).optional(),
    match: z
      .object({ text: z.string(), timestamp: z.number() })
      .optional()
      .describe('The passage that was found, and when it was said'),
    sessionId: z.string().nullable(),
    createdAt: z.number(),
    expiresAt: z.number(),
    flagged: z.boolean(),
  }),
);
export type EpisodeView = z.output<ReturnType<typeof episodeView>>;

export function episodeToWire(episode: Episode, score = shareOf(episode.importance)): EpisodeView {
  const { episodeId: id, summary, keywords, topic, happenedAt: timestamp, type, importance } = episode;
  const { sessionId, createdAt, expiresAt, flagged } = episode;
  const told = { id, summary: summary ?? '', keywords: keywords ?? [], topic: topic ?? '', timestamp, type };
  return {
    ...told,
    importance: shareOf(importance),
    score,
    sessionId,
    createdAt,
    expiresAt,
    flagged,
  };
}

/** Without the error of the division: 0.34, and not 0.33999999999999997. */
export function shareOf(importance: number): number {
  return Number((importance / IMPORTANCE_SCALE).toFixed(4));
}

export const profileView = lazily(() =>
  z.object({
    name: z.string().max(200).exactOptional(),
    communicationStyle: z.string().max(500).exactOptional(),
    patterns: z.array(z.string().max(500)).max(50).readonly().exactOptional(),
    preferences: z.record(z.string().min(1).max(128), z.string().max(500)).exactOptional(),
  }),
);

export const conclusionType = lazily(() => z.enum(conclusionTypes));
export const conclusionStatus = lazily(() => z.enum(['active', 'pruned', 'merged']));

export const conclusionView = lazily(() =>
  z.object({
    id: z.string(),
    text: z.string(),
    type: conclusionType(),
    confidence: z.number(),
    sources: z.array(z.string()).readonly(),
    createdAt: z.number(),
    updatedAt: z.number(),
    lastEvidenceAt: z.number(),
    stale: z.boolean(),
    status: conclusionStatus(),
    supersededBy: z.string().nullable(),
    contradicts: z.array(z.string()).readonly(),
  }),
);

export function conclusionToWire(conclusion: Conclusion): z.output<ReturnType<typeof conclusionView>> {
  const {
    about: _about,
    by: _by,
    turnIds: _turnIds,
    value: _value,
    negated: _negated,
    text,
    ...shown
  } = conclusion;
  return { ...shown, text: text ?? '' };
}

export const contradictionEvidence = lazily(() =>
  z.object({
    similarity: z.number(),
    signs: z.array(z.string()).readonly(),
    nli: z.object({ model: z.string(), probability: z.number() }).nullable(),
    judge: z.object({ model: z.string(), confidence: z.number() }).nullable(),
  }),
);
