import { outranks, type Ranked } from '../../../commands/memory/sweep/rank.ts';
import { findSimilar } from './similarSets.ts';

/** A conclusion, as far as it matters for whether it says the same as another. */
export interface MergeCandidate extends Ranked {
  readonly text: string;
}

/** Places in the list of candidates. */
export interface PlannedMerge {
  readonly loser: number;
  readonly winner: number;
  /** The one that it is like: the winner, or who goes to the winner in turn. */
  readonly like: number;
  readonly similarity: number;
}

/**
 * Who goes where: each to the first in rank of all that it is like and that outrank it, and from there on with that
 * one. That depends on the candidates alone, not on their order. The least in rank comes first, so that what is left
 * of the plan after any part of it is what would be planned then.
 */
export function planMerges(candidates: readonly MergeCandidate[], least: number): readonly PlannedMerge[] {
  const { ranking, rank } = rankingOf(candidates);
  const sets = candidates.map(({ text }) => wordSet(text));
  const groups = groupEqual(sets, rank);
  const like = new Map<number, { readonly place: number; readonly similarity: number }>();
  const prefer = (loser: number, place: number, similarity: number) => {
    const winner = like.get(loser);
    if (!winner || (rank[place] ?? 0) < (rank[winner.place] ?? 0)) like.set(loser, { place, similarity });
  };
  for (const { first, others } of groups) for (const other of others) prefer(other, first, 1);
  const firsts = groups.map(({ first }) => first);
  const distinct = firsts.map((place) => sets[place] ?? []);
  findSimilar(distinct, least, (a, b, similarity) => {
    if (decisiveWords(distinct[a] ?? []) !== decisiveWords(distinct[b] ?? [])) return;
    const [one, other] = [firsts[a] ?? 0, firsts[b] ?? 0];
    if ((rank[one] ?? 0) < (rank[other] ?? 0)) prefer(other, one, similarity);
    else prefer(one, other, similarity);
  });
  const winners = new Map<number, number>();
  const winnerOf = (place: number) => winners.get(place) ?? place;
  // The first in rank come first: whoever one goes to has found its winner already.
  const planned = Array.from(ranking).flatMap((loser) => {
    const next = like.get(loser);
    if (!next) return [];
    const winner = winnerOf(next.place);
    winners.set(loser, winner);
    return [{ loser, winner, like: next.place, similarity: next.similarity }];
  });
  return planned.reverse();
}

function rankingOf(candidates: readonly MergeCandidate[]) {
  const before = (one: number, other: number) => {
    const [a, b] = [candidates[one], candidates[other]];
    return a && b && outranks(a, b) ? -1 : 1;
  };
  const ranking = Uint32Array.from(candidates.keys()).sort(before);
  const rank = new Uint32Array(ranking.length);
  ranking.forEach((place, index) => {
    rank[place] = index;
  });
  return { ranking, rank };
}

interface Group {
  /** In rank. */
  first: number;
  readonly others: number[];
}

/** Those with the very same words: thousands of them are as many pairs as make millions. */
function groupEqual(sets: readonly (readonly string[])[], rank: Uint32Array): readonly Group[] {
  const groups = new Map<string, Group>();
  sets.forEach((set, place) => {
    const key = [...set].sort().join(' ');
    const group = groups.get(key);
    if (!group) groups.set(key, { first: place, others: [] });
    else if ((rank[place] ?? 0) < (rank[group.first] ?? 0)) {
      group.others.push(group.first);
      group.first = place;
    } else group.others.push(place);
  });
  return [...groups.values()];
}

/** The words of a text, each once. Where there is no word, it is the text itself. */
export function wordSet(text: string): readonly string[] {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words ? [...new Set(words)] : [text];
}

const DENIALS: ReadonlySet<string> = new Set(
  'not no never none neither nor nothing nobody nowhere without cannot t'.split(' '),
);

/**
 * What must not differ between two texts that say the same, however much else they share: whether it is denied, and
 * every number. What differs in that is rather a contradiction.
 */
function decisiveWords(words: readonly string[]): string {
  const isDenied = words.some((word) => DENIALS.has(word));
  const numbers = words.filter((word) => /^\p{N}/u.test(word)).sort();
  return `${isDenied} ${numbers.join(' ')}`;
}

/** Some of the candidates; the last ones come with what is wanted of all. */
export interface CandidatesPart {
  readonly candidates: readonly MergeCandidate[];
  readonly least?: number;
}

/** Of each planned merge the loser, the winner, whom it is like and how much, one after the other. */
export type PlanReply = Float64Array;
