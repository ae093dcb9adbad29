import { type Intent, intents } from '../../src/vocabulary.ts';
import type { Judged } from './training.ts';

interface Guess {
  readonly wanted: Intent;
  readonly guessed: Intent;
  readonly confidence: number;
  readonly text: string;
}

export function guessesOf(judged: readonly Judged[], threshold: number): readonly Guess[] {
  return judged.map(({ text, intent, probabilities }) => {
    const confidence = Math.max(...probabilities);
    const best = intents[probabilities.indexOf(confidence)] ?? 'none';
    return { text, wanted: intent, guessed: confidence < threshold ? 'none' : best, confidence };
  });
}

export function accuracyOf(guesses: readonly Guess[]): number {
  return guesses.filter(({ wanted, guessed }) => wanted === guessed).length / guesses.length;
}

/** Of each intent, how many of its guesses were right and how many of its texts were found. */
export function qualityTable(guesses: readonly Guess[]): string {
  const lines = intents.map((intent) => {
    const own = guesses.filter(({ wanted }) => wanted === intent);
    const said = guesses.filter(({ guessed }) => guessed === intent);
    const right = own.filter(({ guessed }) => guessed === intent).length;
    return `| \`${intent}\` | ${own.length} | ${percent(right / said.length)} | ${percent(right / own.length)} |`;
  });
  return ['| Intent | Texts | Precision | Recall |', '| --- | --: | --: | --: |', ...lines].join('\n');
}

export function confusionTable(guesses: readonly Guess[]): string {
  const short = intents.map((intent) => intent.slice(0, 6));
  const lines = intents.map((wanted) => {
    const own = guesses.filter((guess) => guess.wanted === wanted);
    const counts = intents.map((intent) => own.filter(({ guessed }) => guessed === intent).length);
    return `${wanted.padEnd(18)}${counts.map((count) => String(count || '·').padStart(7)).join('')}`;
  });
  return [`${''.padEnd(18)}${short.map((name) => name.padStart(7)).join('')}`, ...lines].join('\n');
}

/** What remains, and how much of that is right, when a guess needs at least this confidence. */
export function thresholdTable(judged: readonly Judged[]): string {
  const guesses = guessesOf(judged, 0).filter(({ wanted }) => wanted !== 'none');
  const nothing = guessesOf(judged, 0).filter(({ wanted }) => wanted === 'none');
  const lines = [0, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((least) => {
    const claimed = guesses.filter(({ confidence, guessed }) => confidence >= least && guessed !== 'none');
    const kept = nothing.filter(({ confidence, guessed }) => confidence < least || guessed === 'none');
    const share = claimed.length / guesses.length;
    return `| ${least} | ${percent(share)} | ${percent(accuracyOf(claimed))} | ${percent(kept.length / nothing.length)} |`;
  });
  const head = '| Least confidence | Claimed | of those right | `none` kept |\n| --: | --: | --: | --: |';
  return [head, ...lines].join('\n');
}

/** Mean surprise at what was wanted, were the scores divided by so much more. */
export function surpriseAt(judged: readonly Judged[], temperature: number): number {
  const total = judged.reduce((sum, { intent, probabilities }) => {
    const powers = probabilities.map((probability) => probability ** (1 / temperature));
    const all = powers.reduce((so, power) => so + power, 0);
    return sum - Math.log((powers[intents.indexOf(intent)] ?? 0) / all);
  }, 0);
  return total / judged.length;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
