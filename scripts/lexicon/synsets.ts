import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folded, termOf, wordsOf } from '../../src/projections/memory/index/terms.ts';

/** Words that mean the same, and how that hangs together with what others mean. */
export interface Synset {
  readonly id: string;
  readonly words: readonly SynsetWord[];
  readonly pointers: readonly Pointer[];
  /** The terms of its definition. */
  readonly definition: readonly string[];
}

interface SynsetWord {
  /** Undefined where it tells nothing, or is several words. */
  readonly term: string | undefined;
  readonly isName: boolean;
  /** How often it was met with this meaning. */
  readonly count: number;
}

export interface Pointer {
  /** As in WordNet: @ is a kind of, ~ has kinds, + is derived from, & is similar to … */
  readonly symbol: string;
  readonly to: string;
  /** Places of the words that it is between, from 0 on; undefined where it is between the meanings. */
  readonly words: { readonly from: number; readonly to: number } | undefined;
}

const FILES = { noun: 'n', verb: 'v', adj: 'a', adv: 'r' } as const;
/** By the number that a sense begins with; 5 are satellites of adjectives, which stand among them. */
const SENSE_KINDS: Readonly<Record<string, string>> = { 1: 'n', 2: 'v', 3: 'a', 4: 'r', 5: 'a' };

/** Reads the database files of WordNet 3. */
export function synsetsIn(folder: string): readonly Synset[] {
  const counts = countsIn(readFileSync(join(folder, 'index.sense'), 'utf8'));
  return Object.entries(FILES).flatMap(([file, kind]) =>
    linesOf(readFileSync(join(folder, `data.${file}`), 'utf8')).map((line) => synsetOf(line, kind, counts)),
  );
}

function linesOf(text: string): readonly string[] {
  // The licence stands before them, and is set in.
  return text.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
}

/** How often each word was met with each meaning. */
function countsIn(senses: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of senses.split('\n')) {
    const [sense = '', offset = '', , count = '0'] = line.split(' ');
    const [word = '', rest = ''] = sense.split('%');
    const key = countKey(`${SENSE_KINDS[rest.charAt(0)]}${offset}`, word);
    counts.set(key, Math.max(counts.get(key) ?? 0, Number(count)));
  }
  return counts;
}

function countKey(id: string, word: string): string {
  return `${id}/${word.toLowerCase()}`;
}

/** See the manual page wndb(5WN). */
function synsetOf(line: string, kind: string, counts: ReadonlyMap<string, number>): Synset {
  const [head = '', gloss = ''] = line.split(' | ');
  const fields = head.split(' ');
  const id = `${kind}${fields[0]}`;
  const size = Number.parseInt(fields[3] ?? '', 16);
  const words = Array.from({ length: size }, (_, place): SynsetWord => {
    const word = (fields[4 + 2 * place] ?? '').replace(/\(.*\)$/, '');
    const term = /^[A-Za-z]+$/.test(word) ? termOf(folded(word)) : undefined;
    return { term, isName: /^[A-Z]/.test(word), count: counts.get(countKey(id, word)) ?? 0 };
  });
  const first = 4 + 2 * size;
  const pointers = Array.from({ length: Number(fields[first]) }, (_, place) =>
    pointerOf(fields.slice(first + 1 + 4 * place, first + 5 + 4 * place)),
  );
  return { id, words, pointers, definition: wordsOf(folded(gloss)).flatMap((word) => termOf(word) ?? []) };
}

function pointerOf([symbol = '', offset = '', kind = '', between = '']: readonly string[]): Pointer {
  const [from, to] = [between.slice(0, 2), between.slice(2)].map((place) => Number.parseInt(place, 16));
  return { symbol, to: `${kind}${offset}`, words: from && to ? { from: from - 1, to: to - 1 } : undefined };
}
