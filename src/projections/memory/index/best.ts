export interface Scored {
  readonly item: number;
  readonly score: number;
}

/** The best few of many, kept in order while they are offered. What is no number is never among them. */
export class Best {
  readonly #most: number;
  readonly #items: number[] = [];
  readonly #scores: number[] = [];

  constructor(most: number) {
    this.#most = Math.max(0, most);
  }

  offer(item: number, score: number): void {
    const { length } = this.#scores;
    if (this.#most === 0 || Number.isNaN(score)) return;
    if (length === this.#most && score <= this.#score(length - 1)) return;
    let place = length < this.#most ? length : length - 1;
    for (; place > 0 && this.#score(place - 1) < score; place--) {
      this.#scores[place] = this.#score(place - 1);
      this.#items[place] = this.#items[place - 1] ?? 0;
    }
    this.#scores[place] = score;
    this.#items[place] = item;
  }

  #score(place: number): number {
    return this.#scores[place] ?? 0;
  }

  /** What has to be beaten once there are enough. */
  get worst(): number {
    return this.#scores[this.#most - 1] ?? Number.NEGATIVE_INFINITY;
  }

  /** The best first; of equals the one that was offered first. */
  sorted(): readonly Scored[] {
    return this.#items.map((item, index) => ({ item, score: this.#score(index) }));
  }
}
