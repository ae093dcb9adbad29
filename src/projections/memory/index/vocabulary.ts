import type { Content } from './pieces.ts';
import { termOf } from './terms.ts';

/** What a word counts as that is no term, as "the". */
export const NO_TERM = -1;
/** The same where numbers have no sign. */
const NO_TERM_KEPT = 2 ** 32 - 1;
const WORDS_A_PIECE = 20_000;

/** The numbers beside words are those of their terms. */
export type VocabularyPart = { readonly terms: readonly string[] } | { readonly words: readonly string[] };

/** Which terms there are, numbered as they came, and which of them each word is a form of. */
export class IndexVocabulary {
  readonly #terms = new Map<string, number>();
  readonly #words = new Map<string, number>();
  #termsByBeginning: ReadonlyMap<string, readonly string[]> | undefined;

  get termCount(): number {
    return this.#terms.size;
  }
  get wordCount(): number {
    return this.#words.size;
  }

  termNumber(term: string): number | undefined {
    return this.#terms.get(term);
  }
  /** The term of a word as it stands in a document. */
  termOfWord(word: string): number | undefined {
    return this.#words.get(word);
  }

  /** The same, of a word that may not have been seen yet. */
  learn(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const term = termOf(word);
    const number = term === undefined ? NO_TERM : (this.#terms.get(term) ?? this.#terms.size);
    if (term !== undefined) this.#terms.set(term, number);
    this.#words.set(word, number);
    return number;
  }

  /** Terms that begin with this, of two letters at least. */
  beginningWith(start: string, most: number): readonly string[] {
    this.#termsByBeginning ??= Map.groupBy(this.#terms.keys(), (term) => term.slice(0, 2));
    const near = this.#termsByBeginning.get(start.slice(0, 2)) ?? [];
    return near.filter((term) => term.startsWith(start)).slice(0, most);
  }

  /** To be called when terms have come. */
  forgetDrawn(): void {
    this.#termsByBeginning = undefined;
  }

  pieces(): readonly (() => Content<VocabularyPart>)[] {
    const [terms, words] = [[...this.#terms.keys()], [...this.#words.keys()]];
    const numbers = Uint32Array.from(this.#words.values());
    return [
      ...ranges(terms.length).map(([from, until]) => () => ({
        said: { terms: terms.slice(from, until) },
        numbers: new Uint32Array(),
      })),
      ...ranges(words.length).map(([from, until]) => () => ({
        said: { words: words.slice(from, until) },
        numbers: numbers.slice(from, until),
      })),
    ];
  }

  /** What another had in its pieces, in their order, while there is nothing here yet. */
  restore({ said, numbers }: Content<VocabularyPart>): void {
    if ('terms' in said) for (const term of said.terms) this.#terms.set(term, this.#terms.size);
    else
      for (const [index, word] of said.words.entries())
        this.#words.set(word, numbers[index] === NO_TERM_KEPT ? NO_TERM : (numbers[index] ?? NO_TERM));
  }
}

function ranges(length: number): readonly (readonly [number, number])[] {
  return Array.from({ length: Math.ceil(length / WORDS_A_PIECE) }, (_, index) => {
    return [index * WORDS_A_PIECE, Math.min(length, (index + 1) * WORDS_A_PIECE)] as const;
  });
}
