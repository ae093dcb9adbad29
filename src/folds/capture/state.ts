import type { CaptureDataOf } from '../../events/capture.ts';
import type { CaptureModality, CaptureMode, ConsentLevel } from '../../vocabulary.ts';

export interface Consent {
  readonly deviceId: string;
  readonly enabled: boolean;
  readonly level: ConsentLevel;
  readonly jurisdiction: string;
  /** When it was last given; 0 where it never was. */
  readonly givenAt: number;
  /** Of the event that says so. */
  readonly version: number;
}

export interface CapturingStream {
  readonly streamId: string;
  readonly deviceId: string;
  readonly modalities: readonly CaptureModality[];
  readonly mode: CaptureMode;
  readonly by: 'user' | 'device';
  readonly startedAt: number;
  /** The consent on which it stands now, and what that allows. */
  consentVersion: number;
  consentLevel: ConsentLevel;
  lastSignAt: number;
  stoppedAt: number | null;
  stoppedBecause: CaptureDataOf<'capture.stream.stopped'>['because'] | null;
  segments: number;
  bytes: number;
}

/** Words that are to become an episode. */
export interface CapturedWords
  extends Pick<
    CaptureDataOf<'capture.segment.kept'>,
    'segmentId' | 'modality' | 'speaker' | 'startedAt' | 'durationMs' | 'bytes' | 'masked'
  > {
  readonly described: boolean;
  readonly text: string;
  /** When they came. */
  readonly at: number;
}

/** An episode that is yet to be made of words. */
export interface Batch {
  readonly episodeId: string;
  readonly streamId: string;
  readonly since: number;
  /** It is being made: what comes now is for another one. */
  gathered: boolean;
  words: CapturedWords[];
}

/** What lies in a file. */
export interface CapturedMedia
  extends Omit<CaptureDataOf<'capture.segment.sealed'>, 'segmentId' | 'speaker'> {
  readonly segmentId: string;
  readonly deviceId: string;
  readonly speaker: string;
  readonly at: number;
  /** Not words yet. */
  waits: boolean;
  /** Of the words. */
  episodeId: string | null;
}

interface Pause {
  readonly from: number;
  readonly until: number;
}

/** All of a user's that decisions need and readers are shown. What was forgotten is not in it. It is changed in place. */
export interface Captures {
  /** Events so far: the version of the newest, and so its id. */
  events: number;
  consents: Consent[];
  /** The newest last; over when its end has come. */
  pauses: Pause[];
  /** Those that run, and the newest of those that ended. */
  streams: Record<string, CapturingStream>;
  batches: Batch[];
  media: Record<string, CapturedMedia>;
  forgottenAt: number;
}
