import type { NewEpisode } from '../../commands/memory/episodes.ts';
import type { Finding } from '../../commands/memory/findings.ts';
import type { ImportedTurn } from '../../events/episodes.ts';

/** What a segment brings. */
export type SegmentMaterial =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'values'; readonly values: readonly number[] }
  | { readonly is: 'media'; readonly bytes: Uint8Array; readonly mimeType: string };

/** Media of a segment, opened. */
type Media = Extract<SegmentMaterial, { readonly is: 'media' }>;

/** Turns what was recorded into words. */
export interface IntoWords {
  /** Asked anew each time: an engine may be installed, and a model be set. */
  isAvailable(): Promise<boolean>;
  /** Empty where there are none. */
  wordsOf(
    media: Media,
    asking: { readonly userId: string; readonly correlationId: string; readonly signal: AbortSignal },
  ): Promise<string>;
}

/** By what there is to turn into words. Numbers of a brain are none. */
export interface WordEngines {
  readonly audio: IntoWords;
  readonly video: IntoWords;
}

/** Where media wait until they are words, sealed, each in a file. */
export interface MediaFiles {
  write(userId: string, segmentId: string, bytes: Uint8Array): Promise<void>;
  /** Undefined where there is no such file, or none that can be opened. */
  read(userId: string, segmentId: string): Promise<Buffer | undefined>;
  remove(userId: string, segmentIds: readonly string[]): Promise<void>;
  /** Removes what the log does not tell of, as a crash leaves it. */
  sweep(
    users: () => readonly string[],
    liveOf: (userId: string) => Promise<(segmentId: string) => boolean>,
  ): Promise<void>;
}

/** Makes sense of words, with a model or without one. */
export type MakeSense = (
  words: readonly (ImportedTurn & { readonly turnId: string })[],
  asking: { readonly userId: string; readonly correlationId: string; readonly signal: AbortSignal },
) => Promise<
  Pick<NewEpisode, 'summary' | 'topic' | 'keywords' | 'importance' | 'reasons' | 'by'> & {
    readonly findings: readonly Finding[];
  }
>;
