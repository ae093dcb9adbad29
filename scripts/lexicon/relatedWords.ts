import type { Pointer, Synset } from './synsets.ts';

/* How likely it is that who asks with the one word was told the other, where each has one meaning only. */
const SAME = 0.6;
const KIND = 0.5;
/** For each step further down. */
const FURTHER_KIND = 0.9;
const DEEPEST_KIND = 4;
const BY_POINTER: Readonly<Record<string, number>> = {
  // More general
  '@': 0.35,
  '@i': 0.2,
  // Derived, part of a verb, made of an adjective
  '+': 0.6,
  '<': 0.4,
  '\\': 0.4,
  // Similar, its attribute, verbs of a group, see also, the opposite
  '&': 0.4,
  '=': 0.3,
  $: 0.45,
  '^': 0.3,
  '!': 0.15,
  // Entails, causes
  '*': 0.35,
  '>': 0.35,
  // Parts and wholes
  '#p': 0.2,
  '%p': 0.24,
  '#m': 0.2,
  '%m': 0.24,
  '#s': 0.16,
  '%s': 0.2,
  // The subject that it belongs to
  ';c': 0.15,
};

/** A word that was never met with a meaning may have it all the same. */
const UNSEEN = 0.3;
/** A name seldom means what the common word does. */
const OF_NAMES = 0.3;
const LEAST_MEANING = 0.03;
/** The other word may mostly mean something else: how much that counts. */
const OTHER_MEANINGS = 0.4;
const OTHER_MEANINGS_OF_KIND = 0.6;
const LEAST = 0.02;
const SHORTEST = 3;

/** For each term the others that may be told where it is asked for, each with how much that counts, up to 1. */
export function relatedWords(synsets: readonly Synset[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  return new Related(synsets).all();
}

class Related {
  readonly #synsets: readonly Synset[];
  readonly #byId: ReadonlyMap<string, Synset>;
  readonly #terms = new Map<Synset, readonly string[]>();
  /** How much of the uses of a term have this meaning. */
  readonly #shares = new Map<Synset, ReadonlyMap<string, number>>();
  readonly #kinds = new Map<string, Synset[]>();
  readonly #found = new Map<string, Map<string, number>>();

  constructor(synsets: readonly Synset[]) {
    this.#synsets = synsets;
    this.#byId = new Map(synsets.map((synset) => [synset.id, synset]));
    const totals = new Map<string, number>();
    const uses = new Map<Synset, Map<string, number>>();
    for (const synset of synsets) {
      const used = new Map<string, number>();
      for (const { term, isName, count } of synset.words) {
        if (term === undefined) continue;
        const weight = (count + UNSEEN) * (isName ? OF_NAMES : 1);
        used.set(term, (used.get(term) ?? 0) + weight);
        totals.set(term, (totals.get(term) ?? 0) + weight);
      }
      uses.set(synset, used);
      this.#terms.set(synset, [...used.keys()]);
      for (const { symbol, to } of synset.pointers)
        if (symbol === '@' || symbol === '@i') this.#kinds.set(to, [...(this.#kinds.get(to) ?? []), synset]);
    }
    for (const [synset, used] of uses)
      this.#shares.set(
        synset,
        new Map(Array.from(used, ([term, of]) => [term, of / (totals.get(term) ?? 1)])),
      );
  }

  all(): ReadonlyMap<string, ReadonlyMap<string, number>> {
    for (const synset of this.#synsets)
      for (const term of this.#termsOf(synset)) {
        const share = this.#share(synset, term);
        if (share >= LEAST_MEANING) this.#relate(term, share, synset);
      }
    return this.#found;
  }

  #relate(term: string, share: number, synset: Synset): void {
    this.#offerAll(term, SAME * share, synset);
    for (const pointer of synset.pointers) this.#follow(term, share, synset, pointer);
    let kinds = this.#kinds.get(synset.id) ?? [];
    const seen = new Set([synset]);
    for (let depth = 1; depth <= DEEPEST_KIND && kinds.length > 0; depth++) {
      const weight = KIND * FURTHER_KIND ** (depth - 1) * share;
      for (const kind of kinds) this.#offerAll(term, weight, kind, OTHER_MEANINGS_OF_KIND);
      for (const kind of kinds) seen.add(kind);
      kinds = kinds.flatMap(({ id }) => this.#kinds.get(id) ?? []).filter((kind) => !seen.has(kind));
    }
  }

  #follow(term: string, meant: number, synset: Synset, { symbol, to, words }: Pointer): void {
    const weight = (BY_POINTER[symbol] ?? 0) * meant;
    const other = this.#byId.get(to);
    if (!other || weight === 0) return;
    const derived =
      words && symbol === '+' ? { of: synset.words[words.from], to: other.words[words.to] } : undefined;
    if (!derived) this.#offerAll(term, weight, other);
    else if (derived.to?.term !== undefined) {
      const share = this.#share(other, derived.to.term) ** OTHER_MEANINGS;
      this.#offer(term, derived.to.term, weight * (derived.of?.term === term ? 1 : 0.5) * share);
    }
  }

  #offerAll(term: string, weight: number, synset: Synset, others = OTHER_MEANINGS): void {
    for (const other of this.#termsOf(synset))
      this.#offer(term, other, weight * this.#share(synset, other) ** others);
  }

  /** What several meanings have in common counts more. */
  #offer(term: string, other: string, weight: number): void {
    if (term === other || weight <= LEAST || Math.min(term.length, other.length) < SHORTEST) return;
    const found = this.#found.get(term) ?? new Map<string, number>();
    this.#found.set(term, found);
    found.set(other, 1 - (1 - (found.get(other) ?? 0)) * (1 - weight));
  }

  #termsOf(synset: Synset): readonly string[] {
    return this.#terms.get(synset) ?? [];
  }
  #share(synset: Synset, term: string): number {
    return this.#shares.get(synset)?.get(term) ?? 0;
  }
}
