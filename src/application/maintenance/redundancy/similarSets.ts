/*
 * Every two sets that are alike enough, exactly, without looking at every two. Words are numbered by how rare they
 * are. Two sets can only be alike enough if they share one of their rarest words, how many of these depends on their
 * length; and if neither is much longer than the other.
 */

/** For what a division in floating point leaves over. */
const HAIR = 1e-9;

interface Numbered {
  /** The words of all sets one after the other, each set sorted, the shortest set first. */
  readonly words: Uint32Array;
  /** By place, where the words of a set begin, and where those of the last end. */
  readonly begins: Uint32Array;
  /** By place, which of the given sets it is. */
  readonly given: Uint32Array;
  readonly vocabulary: number;
}

/** Calls back once for each two of the sets whose Jaccard similarity is at least `least`, which is above 0. */
export function findSimilar(
  sets: readonly (readonly string[])[],
  least: number,
  found: (one: number, other: number, similarity: number) => void,
): void {
  const numbered = number(sets);
  const { words, begins, given, vocabulary } = numbered;
  const postings: (number[] | undefined)[] = new Array(vocabulary);
  const firstLongEnough = new Uint32Array(vocabulary);
  const seen = new Int32Array(given.length).fill(-1);
  const lengthOf = (place: number) => (begins[place + 1] ?? 0) - (begins[place] ?? 0);
  for (let place = 0; place < given.length; place++) {
    const begin = begins[place] ?? 0;
    const length = lengthOf(place);
    const shortest = Math.ceil(least * length - HAIR);
    for (let at = begin; at <= begin + length - shortest; at++) {
      const word = words[at] ?? 0;
      const others = postings[word];
      if (!others) continue;
      let from = firstLongEnough[word] ?? 0;
      while (from < others.length && lengthOf(others[from] ?? 0) < shortest) from++;
      firstLongEnough[word] = from;
      for (let index = from; index < others.length; index++) {
        const other = others[index] ?? 0;
        if (seen[other] === place) continue;
        seen[other] = place;
        const similarity = similarityOf(numbered, place, other, least);
        if (similarity >= least) found(given[other] ?? 0, given[place] ?? 0, similarity);
      }
    }
    const looked = begin + length - Math.ceil(((2 * least) / (1 + least)) * length - HAIR);
    for (let at = begin; at <= looked; at++) {
      const word = words[at] ?? 0;
      const places = postings[word];
      if (places) places.push(place);
      else postings[word] = [place];
    }
  }
}

/** 0 as soon as it cannot be enough any more. */
function similarityOf({ words, begins }: Numbered, one: number, other: number, least: number): number {
  let at = begins[one] ?? 0;
  let to = begins[other] ?? 0;
  const end = begins[one + 1] ?? 0;
  const stop = begins[other + 1] ?? 0;
  const both = end - at + (stop - to);
  const needed = Math.ceil((least / (1 + least)) * both - HAIR);
  let shared = 0;
  while (at < end && to < stop) {
    const difference = (words[at] ?? 0) - (words[to] ?? 0);
    if (difference === 0) {
      shared++;
      at++;
      to++;
    } else if (difference < 0) {
      if (shared + end - ++at < needed) return 0;
    } else if (shared + stop - ++to < needed) return 0;
  }
  return shared / (both - shared);
}

function number(sets: readonly (readonly string[])[]): Numbered {
  const frequency = new Map<string, number>();
  let total = 0;
  for (const set of sets) {
    total += set.length;
    for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const rarest = [...frequency].sort(([, one], [, other]) => one - other);
  const numbers = new Map(rarest.map(([word], index) => [word, index]));
  const given = Uint32Array.from(sets.keys()).sort(
    (one, other) => (sets[one]?.length ?? 0) - (sets[other]?.length ?? 0) || one - other,
  );
  const words = new Uint32Array(total);
  const begins = new Uint32Array(sets.length + 1);
  let end = 0;
  given.forEach((index, place) => {
    const begin = end;
    for (const word of sets[index] ?? []) words[end++] = numbers.get(word) ?? 0;
    words.subarray(begin, end).sort();
    begins[place + 1] = end;
  });
  return { words, begins, given, vocabulary: numbers.size };
}
