/*
 * Whether it is still the user who speaks, by how loud it is. A television, or somebody in another room, is speech that goes on
 * and on when the user has long finished: it is lower than they were.
 */

/** How loud an utterance is, in decibels. */
export interface UtteranceLevel {
  /** Now: it falls slowly, so that nobody is far away between two syllables. */
  readonly now: number;
  /** Of whoever speaks. */
  readonly near: number;
  /** So much of what sounds like speech has been far below that, since they were heard last. */
  readonly farMs: number;
}

const FALL = 3;
/** Whoever goes on speaking lower is followed, so much a window. */
const FADE = 0.02;
const FAR = 12;
/** Weak sounds at the end of a word are shorter. */
const FAR_MS = 400;

export function loudnessAfter(
  before: UtteranceLevel | undefined,
  { level, isSpeech, ms }: { readonly level: number; readonly isSpeech: boolean; readonly ms: number },
): UtteranceLevel {
  if (!before) return { now: level, near: level, farMs: 0 };
  const now = Math.max(level, before.now - FALL);
  if (!isSpeech) return { ...before, now };
  const near = Math.max(level, before.near - FADE);
  return { now, near, farMs: isFarFrom(near, now) ? before.farMs + ms : 0 };
}

/** What is heard has not been the user for a while. */
export function isFar(loudness: UtteranceLevel | undefined): loudness is UtteranceLevel {
  return loudness !== undefined && loudness.farMs >= FAR_MS;
}

export function isFarFrom(near: number, level: number): boolean {
  return level < near - FAR;
}
