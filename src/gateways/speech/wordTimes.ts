/** In seconds from the first sample. */
export interface WordTime {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
}

/** What a pause at the end of a phrase or a sentence is worth in letters. */
const PAUSES: Readonly<Record<string, number>> = { ',': 2, ';': 3, ':': 3, '.': 4, '!': 4, '?': 4 };
/** A word takes its time beside that of its letters. */
const PER_WORD = 1.5;

/**
 * When each word of a text is spoken, where the engine does not say: by their length, between the first sound and the
 * last. A figure is longer spoken than written.
 */
export function wordTimes(text: string, fromSeconds: number, toSeconds: number): readonly WordTime[] {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const weights = words.map(weightOf);
  const pauses = words.map((word, at) => (at === words.length - 1 ? 0 : (PAUSES[word.at(-1) ?? ''] ?? 0)));
  const all = [...weights, ...pauses].reduce((sum, one) => sum + one, 0);
  const each = (toSeconds - fromSeconds) / Math.max(all, 1);
  let at = fromSeconds;
  return words.map((word, index) => {
    const start = at;
    const end = start + (weights[index] ?? 0) * each;
    at = end + (pauses[index] ?? 0) * each;
    return { word, start: inMs(start), end: inMs(end), confidence: 1 };
  });
}

/** Where sound begins and ends, in samples; all of it where there is none. */
export function audible(samples: Int16Array): { readonly from: number; readonly to: number } {
  const isLoud = (sample: number) => Math.abs(sample) > LOUD;
  const from = samples.findIndex(isLoud);
  return from < 0 ? { from: 0, to: samples.length } : { from, to: samples.findLastIndex(isLoud) + 1 };
}

/** 36 dB below the loudest that there is. */
const LOUD = 500;

function weightOf(word: string): number {
  const letters = word.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  const digits = word.match(/\p{N}/gu)?.length ?? 0;
  return PER_WORD + letters + 3 * digits;
}

function inMs(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
