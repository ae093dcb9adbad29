import { HEARING_RATE } from './speech.ts';

/* How a model does on this machine: on sentences that Flite, which comes with hark, speaks for it at the time. */

export interface Benchmark {
  /** Of the time that speech takes: below 1 is faster. */
  readonly realTimeFactor: number;
  readonly firstAudioMs?: number;
  readonly peakMb: number;
  /** Of words that were wrong, missing or too many. */
  readonly wordErrorRate?: number;
}

export interface BenchmarkAudio {
  readonly text: string;
  readonly samples: Int16Array;
}

interface Speaks {
  speak(
    text: string,
    options: { readonly rate: number; readonly signal: AbortSignal },
  ): AsyncIterable<{ readonly samples: Int16Array }>;
}

interface Hears {
  listen(options: {
    readonly language: string;
    readonly onWords: (text: string) => void;
    readonly onLost: () => void;
  }): Promise<{ hear(samples: Int16Array): void; end(): Promise<{ readonly text: string }> }>;
}

interface Waits<Keyword> {
  keywords(phrases: readonly string[]): Promise<readonly Keyword[]>;
  spot(options: {
    readonly keywords: readonly Keyword[];
    readonly onDetected: () => void;
    readonly onLost: () => void;
  }): Promise<{ hear(samples: Int16Array): void; end(): Promise<void>; close(): void }>;
}

/** Short and long ones, without figures, which are written in several ways. */
const SENTENCES = [
  'Good morning.',
  'Please turn on the lights in the kitchen.',
  'What will the weather be like in the mountains on Sunday afternoon?',
  'My sister plays the cello, and her brother is learning to cook.',
  'Remind me to water the plants when I am back from the office.',
];
const SPEECH = 0.01 * 2 ** 15;

export async function speakSentences(
  engine: Speaks,
  signal: AbortSignal,
): Promise<readonly BenchmarkAudio[]> {
  const spoken: BenchmarkAudio[] = [];
  for (const text of SENTENCES) {
    const pieces: Int16Array[] = [];
    for await (const { samples } of engine.speak(text, { rate: HEARING_RATE, signal })) pieces.push(samples);
    spoken.push({ text, samples: joined(pieces) });
  }
  return spoken;
}

/** The first sentence does not count: with it, the model is loaded. */
export async function measureSpeaking(
  engine: Speaks,
  now: () => number,
  signal: AbortSignal,
): Promise<Pick<Benchmark, 'realTimeFactor' | 'firstAudioMs'>> {
  const first: number[] = [];
  let [worked, seconds] = [0, 0];
  for (const [index, text] of SENTENCES.entries()) {
    const startedAt = now();
    let audibleAfter: number | undefined;
    let samples = 0;
    for await (const piece of engine.speak(text, { rate: HEARING_RATE, signal })) {
      if (piece.samples.some((sample) => Math.abs(sample) > SPEECH)) audibleAfter ??= now() - startedAt;
      samples += piece.samples.length;
    }
    if (index === 0 || samples === 0) continue;
    worked += (now() - startedAt) / 1_000;
    seconds += samples / HEARING_RATE;
    if (audibleAfter !== undefined) first.push(audibleAfter);
  }
  const [firstAudioMs] = first.sort((one, other) => one - other).slice(Math.floor(first.length / 2));
  const realTimeFactor = ratio(worked, seconds);
  return firstAudioMs === undefined
    ? { realTimeFactor }
    : { realTimeFactor, firstAudioMs: Math.round(firstAudioMs) };
}

/** The same for a model that hears. What it makes of English counts only where it knows any. */
export async function measureHearing(
  engine: Hears,
  spoken: readonly BenchmarkAudio[],
  { now, knowsEnglish }: { readonly now: () => number; readonly knowsEnglish: boolean },
): Promise<Pick<Benchmark, 'realTimeFactor' | 'wordErrorRate'>> {
  let [worked, seconds, wrong, words] = [0, 0, 0, 0];
  for (const [index, { text, samples }] of spoken.entries()) {
    const startedAt = now();
    const listening = await engine.listen({
      language: 'en',
      onWords: () => undefined,
      onLost: () => undefined,
    });
    listening.hear(samples);
    const heard = await listening.end();
    wrong += wrongWords(wordsOf(text), wordsOf(heard.text));
    words += wordsOf(text).length;
    if (index === 0) continue;
    worked += (now() - startedAt) / 1_000;
    seconds += samples.length / HEARING_RATE;
  }
  const realTimeFactor = ratio(worked, seconds);
  return knowsEnglish ? { realTimeFactor, wordErrorRate: ratio(wrong, words) } : { realTimeFactor };
}

/** The same for a model that waits for words; undefined where it can hear none of these. */
export async function measureWaiting<Keyword>(
  engine: Waits<Keyword>,
  spoken: readonly BenchmarkAudio[],
  now: () => number,
): Promise<Pick<Benchmark, 'realTimeFactor'> | undefined> {
  const keywords = await engine.keywords(['good morning', 'turn on the lights']);
  if (keywords.length === 0) return undefined;
  let [worked, seconds] = [0, 0];
  for (const [index, { samples }] of spoken.entries()) {
    const startedAt = now();
    const ignore = () => undefined;
    const waiting = await engine.spot({ keywords, onDetected: ignore, onLost: ignore });
    waiting.hear(samples);
    await waiting.end();
    waiting.close();
    if (index === 0) continue;
    worked += (now() - startedAt) / 1_000;
    seconds += samples.length / HEARING_RATE;
  }
  return { realTimeFactor: ratio(worked, seconds) };
}

function ratio(one: number, other: number): number {
  return other > 0 ? Math.round((1_000 * one) / other) / 1_000 : 0;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}

/** How many words have to be put in, left out or changed to make one of the other. */
export function wrongWords(said: readonly string[], heard: readonly string[]): number {
  let last = Array.from({ length: heard.length + 1 }, (_, index) => index);
  for (const [row, word] of said.entries()) {
    const next = [row + 1];
    for (const [column, other] of heard.entries()) {
      const changed = (last[column] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(changed, (last[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    last = next;
  }
  return last[heard.length] ?? 0;
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
