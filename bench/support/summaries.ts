import { Random } from '../../test/support/random.ts';

const WORDS = 20_000;
/** The commonest, which would be stop words. */
const COMMON = 20;
const EXPONENT = 1.07;

/** Short texts whose words are as common as words are, by the law of Zipf; and queries of three of them. */
export class Summaries {
  readonly #random: Random;
  readonly #words: readonly string[];
  readonly #until: Float64Array;

  constructor(seed = 7) {
    this.#random = new Random(seed);
    this.#words = Array.from({ length: WORDS }, () => this.#word());
    let sum = 0;
    this.#until = Float64Array.from({ length: WORDS }, (_, rank) => (sum += (rank + 1) ** -EXPONENT));
  }

  text(words = this.#random.whole(20, 41)): string {
    return Array.from({ length: words }, () => this.#words[this.#rank()]).join(' ');
  }

  query(): readonly string[] {
    const chosen = new Set<string>();
    while (chosen.size < 3) {
      const rank = this.#rank();
      if (rank >= COMMON) chosen.add(this.#words[rank] ?? '');
    }
    return [...chosen];
  }

  vector(dimensions: number): Float32Array {
    return Float32Array.from({ length: dimensions }, () => this.#random.next() + this.#random.next() - 1);
  }

  #word(): string {
    const letters = Array.from({ length: this.#random.whole(3, 10) }, (_, index) => {
      const from = index % 2 === 0 ? 'bcdfghklmnprstvw' : 'aeiou';
      return from[this.#random.whole(0, from.length)];
    });
    return letters.join('');
  }

  #rank(): number {
    const wanted = this.#random.next() * (this.#until.at(-1) ?? 0);
    let from = 0;
    for (let until = WORDS - 1; from < until; ) {
      const middle = (from + until) >>> 1;
      if ((this.#until[middle] ?? 0) < wanted) from = middle + 1;
      else until = middle;
    }
    return from;
  }
}
