import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Intent, intents } from '../../src/vocabulary.ts';

export interface Utterance {
  readonly text: string;
  readonly intent: Intent;
}

/** Texts that share this much of their letters are one to the split. */
const NEAR = 0.6;

/** `intents` is what is trained on; the others are only ever measured on. */
type Folder = 'intents' | 'challenge' | 'second';

export function readUtterances(folder: Folder): readonly Utterance[] {
  return intents.flatMap((intent) => {
    const file = join(import.meta.dirname, '../../training', folder, `${intent}.txt`);
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    return [...new Set(lines)].map((text) => ({ text, intent }));
  });
}

/**
 * Each utterance with a part from 0 up to `parts`. Near duplicates are in the same part, whatever their intent, so
 * that none is measured on which another was trained on. An utterance keeps its part when others are added,
 * unless it becomes the near duplicate of one of them.
 */
export function splitParts(utterances: readonly Utterance[], parts: number): readonly number[] {
  const sets = utterances.map(({ text }) => trigrams(text));
  const leader = utterances.map((_, at) => at);
  const find = (at: number): number => {
    const next = leader[at] ?? at;
    return next === at ? at : find(next);
  };
  const byTrigram = new Map<string, number[]>();
  for (const [at, set] of sets.entries()) {
    const seen = new Set<number>();
    for (const trigram of set) {
      const having = byTrigram.get(trigram) ?? [];
      for (const other of having) seen.add(other);
      byTrigram.set(trigram, [...having, at]);
    }
    for (const other of seen) {
      if (likeness(set, sets[other] ?? set) < NEAR) continue;
      const [one, two] = [find(at), find(other)];
      leader[Math.max(one, two)] = Math.min(one, two);
    }
  }
  return utterances.map((_, at) => partOf(utterances[find(at)]?.text ?? '', parts));
}

function partOf(text: string, parts: number): number {
  return createHash('sha256').update(text).digest().readUInt32BE() % parts;
}

function trigrams(text: string): ReadonlySet<string> {
  const letters = `  ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
  return new Set(
    Array.from({ length: Math.max(1, letters.length - 2) }, (_, at) => letters.slice(at, at + 3)),
  );
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((trigram) => other.has(trigram)).length;
  return common / (one.size + other.size - common);
}
