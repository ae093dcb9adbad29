import { termOf } from '../terms.ts';
import { linesOf } from './tables.ts';
import { inWordNet } from './wordnet.ts';

/* How much another word counts beside 1 of the one that was asked with. */
const SAME = 0.7;
/** Asked for by its kind, it is told of by its name. */
const OF_THIS_KIND = 0.65;
const KIND_OF_THIS = 0.35;
const NEAR = 0.45;
/** Of what another word for the same thing passes on. */
const FURTHER = 0.4;

/** Every term of the one side is related to every term of the other. */
interface Line {
  readonly heads: readonly string[];
  readonly members: readonly string[];
  readonly onward: number;
  readonly back: number;
}

type Related = ReadonlyMap<string, number>;

const NONE: Related = new Map();
const found = new Map<string, Related>();
/** Taken apart while the thread starts, and a user's memory is on its way to it. */
const linesByTerm = takenApart();

/** What may be said instead of this term, or together with what is meant by it, and how much that counts. */
export function relatedTerms(term: string): Related {
  const all = new Map(byHand(term));
  for (const [other, weight] of inWordNet(term)) if (weight > (all.get(other) ?? 0)) all.set(other, weight);
  return all;
}

function byHand(term: string): Related {
  const direct = directly(term);
  if (direct === NONE) return NONE;
  const related = found.get(term) ?? withFurther(term, direct);
  found.set(term, related);
  return related;
}

/** Also what belongs to another word for the same thing. */
function withFurther(term: string, direct: Related): Related {
  const all = new Map(direct);
  for (const [other, weight] of direct) {
    if (weight !== SAME) continue;
    for (const [third, further] of directly(other))
      if (third !== term) all.set(third, Math.max(all.get(third) ?? 0, FURTHER * weight * further));
  }
  return all;
}

function directly(term: string): Related {
  const lines = linesByTerm.get(term);
  if (!lines) return NONE;
  const others = new Map<string, number>();
  const offer = (terms: readonly string[], weight: number) => {
    for (const other of terms)
      if (other !== term && weight > (others.get(other) ?? 0)) others.set(other, weight);
  };
  for (const { heads, members, onward, back } of lines) {
    if (heads.includes(term)) offer(members, onward);
    if (members.includes(term)) offer(heads, back);
  }
  return others;
}

function takenApart(): ReadonlyMap<string, readonly Line[]> {
  const byTerm = new Map<string, Line[]>();
  const enter = (line: Line) => {
    for (const term of new Set([...line.heads, ...line.members])) {
      const lines = byTerm.get(term);
      if (lines) lines.push(line);
      else byTerm.set(term, [line]);
    }
  };
  for (const line of linesOf('synonyms')) {
    const terms = termsIn(line);
    enter({ heads: terms, members: terms, onward: SAME, back: SAME });
  }
  for (const [table, onward, back] of [
    ['kinds', OF_THIS_KIND, KIND_OF_THIS],
    ['associations', NEAR, NEAR],
  ] as const)
    for (const line of linesOf(table)) {
      const [heads = [], members = []] = line.split(':').map(termsIn);
      enter({ heads, members, onward, back });
    }
  return byTerm;
}

function termsIn(words: string): readonly string[] {
  return words.split(' ').flatMap((word) => termOf(word) ?? []);
}
