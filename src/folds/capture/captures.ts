import {
  type CaptureDataOf,
  type CaptureEvent,
  captureStream,
  readCaptureEvent,
} from '../../events/capture.ts';
import type { PastEvent } from '../../events/definition.ts';
import { consentFor, isRunning, runningStreams } from './questions.ts';
import type { CapturedMedia, Captures } from './state.ts';

const MOST_ENDED = 100;
/** What a device recorded in one of them may come later. */
const MOST_PAUSES = 20;

/** Decided on and shown alike: held once. */
export const capturesState = {
  name: 'captures',
  version: 1,
  stream: captureStream,
  get initial(): Captures {
    return { events: 0, consents: [], pauses: [], streams: {}, batches: [], media: {}, forgottenAt: 0 };
  },
  evolve(state: Captures, past: PastEvent): Captures {
    state.events++;
    const event = readCaptureEvent(past);
    if (event) apply(state, event, past.at);
    return state;
  },
};

function apply(state: Captures, event: CaptureEvent, at: number): void {
  switch (event.type) {
    case 'capture.consent.given':
      setConsent(state, event.data, { givenAt: at });
      return;
    case 'capture.consent.narrowed':
    case 'capture.consent.revoked':
      setConsent(state, event.data, { enabled: event.type === 'capture.consent.narrowed' });
      for (const id of event.data.dropped) delete state.media[id];
      return;
    case 'capture.paused':
      pause(state, at, event.data.until);
      return;
    case 'capture.resumed':
      pause(state, at, at);
      return;
    case 'capture.stream.started': {
      const { level: consentLevel, consentEventId: _, ...started } = event.data;
      const consentVersion = consentFor(state, started.deviceId)?.version ?? 0;
      state.streams[started.streamId] = {
        ...started,
        ...{
          consentVersion,
          consentLevel,
          startedAt: at,
          lastSignAt: at,
          stoppedAt: null,
          stoppedBecause: null,
        },
        ...{ segments: 0, bytes: 0 },
      };
      return;
    }
    case 'capture.stream.stopped': {
      const stream = state.streams[event.data.streamId];
      if (stream) Object.assign(stream, { stoppedAt: at, stoppedBecause: event.data.because });
      dropOldest(state);
      return;
    }
    case 'capture.segment.kept':
      if (event.data.keptAt === undefined) count(state, event.data, at);
      addWords(state, event.data, event.data, event.data.keptAt ?? at);
      keepWithWords(state, event.data);
      return;
    case 'capture.segment.sealed': {
      count(state, event.data, at);
      const deviceId = state.streams[event.data.streamId]?.deviceId ?? '';
      state.media[event.data.segmentId] = { ...event.data, deviceId, at, waits: true, episodeId: null };
      return;
    }
    case 'capture.segment.transcribed': {
      const media = state.media[event.data.segmentId];
      if (!media) return;
      addWords(state, media, event.data, media.at);
      letMediaGo(state, media, event.data.episodeId);
      return;
    }
    case 'capture.segment.dropped': {
      const { segmentId, streamId } = event.data;
      const media = state.media[segmentId];
      if (!media) count(state, { streamId, bytes: 0 }, at);
      else letMediaGo(state, media, null);
      return;
    }
    case 'capture.media.erased':
      for (const id of event.data.segmentIds) delete state.media[id];
      return;
    case 'capture.words.gathered': {
      const batch = state.batches.find(({ episodeId }) => episodeId === event.data.episodeId);
      if (batch) batch.gathered = true;
      return;
    }
    case 'capture.words.settled':
      state.batches = state.batches.filter(({ episodeId }) => episodeId !== event.data.episodeId);
      dropOldest(state);
      return;
    case 'capture.forgotten': {
      const { segmentIds, episodeIds } = event.data;
      for (const id of segmentIds) delete state.media[id];
      state.batches = state.batches.filter(({ episodeId }) => !episodeIds.includes(episodeId));
      state.forgottenAt = at;
    }
  }
}

function setConsent(
  state: Captures,
  { deviceId, level, jurisdiction }: CaptureDataOf<'capture.consent.given'>,
  { enabled = true, givenAt }: { readonly enabled?: boolean; readonly givenAt?: number },
): void {
  const before = consentFor(state, deviceId);
  const version = state.events;
  const now = { deviceId, enabled, level, jurisdiction, givenAt: givenAt ?? before?.givenAt ?? 0, version };
  state.consents = [...state.consents.filter((one) => one !== before), now];
  for (const stream of runningStreams(state))
    if (stream.deviceId === deviceId) Object.assign(stream, { consentVersion: version, consentLevel: level });
}

/** One that goes on ends otherwise then; else another one begins. */
function pause(state: Captures, at: number, until: number): void {
  const last = state.pauses.at(-1);
  const goesOn = last !== undefined && at < last.until;
  const others = goesOn ? state.pauses.slice(0, -1) : state.pauses;
  state.pauses = [...others, { from: goesOn ? last.from : at, until }].slice(-MOST_PAUSES);
}

function count(
  { streams }: Captures,
  { streamId, bytes }: { readonly streamId: string; readonly bytes: number },
  at: number,
): void {
  const stream = streams[streamId];
  if (!stream) return;
  stream.segments++;
  stream.bytes += bytes;
  stream.lastSignAt = at;
}

type Spoken = Pick<
  CaptureDataOf<'capture.segment.kept'>,
  'streamId' | 'modality' | 'speaker' | 'startedAt' | 'durationMs' | 'bytes'
>;

function addWords(
  state: Captures,
  { streamId, modality, speaker, startedAt, durationMs, bytes }: Spoken,
  { segmentId, episodeId, described, masked, text }: CaptureDataOf<'capture.segment.transcribed'>,
  at: number,
): void {
  // Erased with all that is remembered.
  if (text === null) return;
  const isDescribed = described === true;
  const words = {
    ...{ segmentId, modality, speaker, startedAt, durationMs, bytes },
    ...{ described: isDescribed, masked, text, at },
  };
  const batch = state.batches.find((one) => one.episodeId === episodeId);
  if (batch) batch.words.push(words);
  else state.batches.push({ episodeId, streamId, since: at, gathered: false, words: [words] });
}

/** The file stays where it was to be kept, as long as there are words of it or may be. */
function letMediaGo({ media }: Captures, one: CapturedMedia, episodeId: string | null): void {
  if (one.keeps && episodeId !== null) Object.assign(one, { waits: false, episodeId });
  else delete media[one.segmentId];
}

/** Words that were kept before have another episode now, and so has the file that they are of. */
function keepWithWords(
  { media }: Captures,
  { segmentId, episodeId }: { readonly segmentId: string; readonly episodeId: string },
): void {
  const segment = media[segmentId];
  if (segment) segment.episodeId = episodeId;
}

function dropOldest(state: Captures): void {
  const unsettled = new Set(
    [...state.batches, ...Object.values(state.media)].map(({ streamId }) => streamId),
  );
  const ended = Object.values(state.streams).filter((one) => !isRunning(one));
  const older = ended.sort((a, b) => (b.stoppedAt ?? 0) - (a.stoppedAt ?? 0)).slice(MOST_ENDED);
  for (const { streamId } of older) if (!unsettled.has(streamId)) delete state.streams[streamId];
}
