import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { captureModalities, captureModes, consentLevels } from '../vocabulary.ts';
import { defineEvent, type EventOf, personal, readerOf } from './definition.ts';
import { ofEpisode } from './episodes.ts';

/*
 * What is recorded around a user, and with whose consent. All of one user is one stream, so that what may be kept is
 * decided on all that allows or forbids it at that moment.
 *
 *   consent.given ─► narrowed…, given… ─► revoked           paused ─► resumed, or its end comes
 *        └► stream.started ─► segments… ─► stream.stopped
 *
 *   segment.kept (words) ────────────────────────► words.gathered ─► words.settled: an episode has them now
 *   segment.sealed (media) ─► segment.transcribed ──┘
 *                          └► segment.dropped, media.erased          and at any time ─► forgotten
 *
 * Words are sealed under the key of the episode that they are to become, so that they are forgotten with it; media lie
 * in files of their own, never in the log.
 */

const segmentId = lazily(() => z.string());
const ids = lazily(() => z.array(segmentId()).readonly());
const episodeId = lazily(() => z.string());

/** Of words of which only a summary is to stay. */
function ofWords(id: string): string {
  return `captured-words-${id}`;
}

const consent = lazily(() => ({
  deviceId: z.string(),
  level: z.enum(consentLevels),
  jurisdiction: z.string(),
}));
/** Media that are not allowed any more. */
const dropped = lazily(() => ({ dropped: ids() }));

const consentGiven = defineEvent('capture.consent.given', { data: () => z.object(consent()) });

export const consentNarrowed = defineEvent('capture.consent.narrowed', {
  data: () => z.object({ ...consent(), ...dropped() }),
});

export const consentRevoked = defineEvent('capture.consent.revoked', {
  data: () => z.object({ ...consent(), ...dropped() }),
});

const capturePaused = defineEvent('capture.paused', {
  data: () => z.object({ until: z.number(), by: z.enum(['user', 'device']) }),
});

const captureResumed = defineEvent('capture.resumed', { data: () => z.object({}) });

const streamStarted = defineEvent('capture.stream.started', {
  data: () =>
    z.object({
      streamId: z.string(),
      deviceId: z.string(),
      modalities: z.array(z.enum(captureModalities)).readonly(),
      mode: z.enum(captureModes),
      /** On which it stands. */
      consentEventId: z.string(),
      level: z.enum(consentLevels),
      by: z.enum(['user', 'device']),
    }),
});

const streamStopped = defineEvent('capture.stream.stopped', {
  data: () =>
    z.object({
      streamId: z.string(),
      because: z.enum(['asked', 'silent', 'consent-revoked', 'device-gone']),
    }),
});

const segment = lazily(() => ({
  streamId: z.string(),
  segmentId: segmentId(),
  modality: z.enum(captureModalities),
  speaker: z.string(),
  startedAt: z.number(),
  durationMs: z.number(),
  /** As they came. */
  bytes: z.number(),
}));

const words = lazily(() => ({
  /** That it is to become. */
  episodeId: episodeId(),
  /** Its words go once there is a summary. */
  summarizedOnly: z.literal(true).exactOptional(),
  /** What a model saw in a picture: nobody said it. */
  described: z.literal(true).exactOptional(),
  /** How much was masked before anything was written; never what. */
  masked: z.object({ secrets: z.int(), cards: z.int(), ids: z.int() }),
  text: personal(z.string()),
}));

function subjectOfWords(data: { readonly episodeId: string; readonly summarizedOnly?: true }): string {
  return data.summarizedOnly ? ofWords(data.episodeId) : ofEpisode(data);
}

/** Words came, and nothing else is kept. */
export const segmentKept = defineEvent('capture.segment.kept', {
  data: () =>
    z.object({
      ...segment(),
      ...words(),
      /** When it was kept before, with others that were forgotten. */
      keptAt: z.number().exactOptional(),
    }),
  subject: subjectOfWords,
});

/** Media lie in a file. */
export const segmentSealed = defineEvent('capture.segment.sealed', {
  data: () =>
    z.object({
      ...segment(),
      mimeType: z.string(),
      /** When the file goes at the latest. */
      until: z.number(),
      /** The file stays until then, also when its words are known. */
      keeps: z.boolean(),
    }),
});

/** What is said or shown in media that waited. */
const segmentTranscribed = defineEvent('capture.segment.transcribed', {
  data: () => z.object({ streamId: z.string(), segmentId: segmentId(), ...words() }),
  subject: subjectOfWords,
});

/** Nothing of it is kept. */
const segmentDropped = defineEvent('capture.segment.dropped', {
  data: () =>
    z.object({
      streamId: z.string(),
      segmentId: segmentId(),
      because: z.enum(['no-words', 'opted-out', 'while-paused', 'forgotten', 'not-allowed', 'not-in-time']),
    }),
});

/** Files whose time is over, or whose episode is gone. */
export const mediaErased = defineEvent('capture.media.erased', {
  data: () =>
    z.object({ segmentIds: ids(), because: z.enum(['expired', 'episode-erased', 'memory-erased']) }),
});

/** The words that wait for it become one episode now, and no more. */
const wordsGathered = defineEvent('capture.words.gathered', {
  data: () => z.object({ episodeId: episodeId(), streamId: z.string() }),
});

/** They have become it, or are not to: then, and where only a summary is to stay, they end here. */
const wordsSettled = defineEvent('capture.words.settled', {
  data: () =>
    z.object({ episodeId: episodeId(), streamId: z.string(), as: z.enum(['episode', 'summary', 'nothing']) }),
  forgets: (data) => {
    if (data.as === 'episode') return [];
    return data.as === 'summary' ? [ofWords(data.episodeId)] : [ofWords(data.episodeId), ofEpisode(data)];
  },
});

/** All that was captured since then; what became an episode follows. Words that were to become one with it are kept again. */
export const captureForgotten = defineEvent('capture.forgotten', {
  data: () => z.object({ forgetId: z.string(), since: z.number(), segmentIds: ids(), episodeIds: ids() }),
  forgets: (data) => data.episodeIds.flatMap((id) => [ofWords(id), ofEpisode({ episodeId: id })]),
});

export const captureEvents = [
  consentGiven,
  consentNarrowed,
  consentRevoked,
  capturePaused,
  captureResumed,
  streamStarted,
  streamStopped,
  segmentKept,
  segmentSealed,
  segmentTranscribed,
  segmentDropped,
  mediaErased,
  wordsGathered,
  wordsSettled,
  captureForgotten,
] as const;

export type CaptureEvent = EventOf<(typeof captureEvents)[number]>;
export type CaptureDataOf<Type extends CaptureEvent['type']> = Extract<CaptureEvent, { type: Type }>['data'];

/** All of one user's: consent, pauses, streams and what came by them. */
export function captureStream(userId: string): string {
  return `capture-${userId}`;
}

/** An event of this area as what it is; undefined for one of another. */
export const readCaptureEvent = readerOf(captureEvents);

/** Whether it was recorded, or came, since then. */
export function isSince(
  segment: { readonly at: number; readonly startedAt: number; readonly durationMs: number },
  since: number,
): boolean {
  return Math.max(segment.at, segment.startedAt + segment.durationMs) >= since;
}
