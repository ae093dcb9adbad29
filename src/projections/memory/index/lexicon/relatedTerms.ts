import { termOf } from '../terms.ts';
import { associations } from './associations.ts';
import { kinds } from './kinds.ts';
import { synonyms } from './synonyms.ts';

/* How much another word counts beside 1 of the one that was asked with. */
const SAME = 0.7;
/** Asked for by its kind, it is told of by its name. */
const OF_THIS_KIND = 0.6;
const KIND_OF_THIS = 0.3;
const NEAR = 0.3;

const related = new Map<string, Map<string, number>>();

function relate(from: string, to: string, weight: number): void {
  if (from === to) return;
  const others = related.get(from) ?? new Map<string, number>();
  others.set(to, Math.max(weight, others.get(to) ?? 0));
  related.set(from, others);
}

function termsIn(words: string): readonly string[] {
  return [...new Set(words.split(' ').flatMap((word) => termOf(word) ?? []))];
}

function linesOf(table: string): readonly string[] {
  return table.trim().split('\n');
}

for (const line of linesOf(synonyms)) {
  const terms = termsIn(line);
  for (const one of terms) for (const other of terms) relate(one, other, SAME);
}
for (const [table, onward, back] of [
  [kinds, OF_THIS_KIND, KIND_OF_THIS],
  [associations, NEAR, NEAR],
] as const) {
  for (const line of linesOf(table)) {
    const [heads = [], members = []] = line.split(':').map((part) => termsIn(part.trim()));
    for (const head of heads)
      for (const member of members) {
        relate(head, member, onward);
        relate(member, head, back);
      }
  }
}

const NONE: ReadonlyMap<string, number> = new Map();

/** What may be said instead of this term, or together with what is meant by it, and how much that counts. */
export function relatedTerms(term: string): ReadonlyMap<string, number> {
  return related.get(term) ?? NONE;
}
