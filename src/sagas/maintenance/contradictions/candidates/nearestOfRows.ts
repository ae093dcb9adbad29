/** Of each row the nearest others, as they come to light. Of equally near ones, those that come first in the order. */
export class NearestOfRows {
  readonly #most: number;
  /** Of each row, the best first. */
  readonly #similarities: Float32Array<ArrayBuffer>;
  readonly #others: Int32Array<ArrayBuffer>;

  constructor(rows: number, most: number) {
    this.#most = most;
    this.#similarities = new Float32Array(rows * most).fill(Number.NEGATIVE_INFINITY);
    this.#others = new Int32Array(rows * most).fill(-1);
  }

  /** What is not above this need not be offered, where others are offered in their order. */
  least(row: number): number {
    return this.#similarities[row * this.#most + this.#most - 1] ?? 0;
  }

  offer(row: number, other: number, similarity: number): void {
    const first = row * this.#most;
    let place = first + this.#most;
    for (; place > first && this.#isBefore(other, similarity, place - 1); place--) {
      if (place === first + this.#most) continue;
      this.#similarities[place] = this.#similarities[place - 1] ?? 0;
      this.#others[place] = this.#others[place - 1] ?? -1;
    }
    if (place === first + this.#most) return;
    this.#similarities[place] = similarity;
    this.#others[place] = other;
  }

  /** Each once, though most are near each other from both sides. */
  eachPair(onPair: (row: number, other: number, similarity: number) => void): void {
    for (let place = 0; place < this.#others.length; place++) {
      const row = Math.floor(place / this.#most);
      const other = this.#others[place] ?? -1;
      const isTold = other < row && this.#has(other, row);
      if (other >= 0 && !isTold) onPair(row, other, this.#similarities[place] ?? 0);
    }
  }

  /** As another thread can take it over. */
  get found(): FoundNearest {
    return { similarities: this.#similarities, others: this.#others };
  }

  /** What was found among other pairs of the same rows. */
  add({ similarities, others }: FoundNearest): void {
    for (let place = 0; place < others.length; place++) {
      const other = others[place] ?? -1;
      if (other >= 0) this.offer(Math.floor(place / this.#most), other, similarities[place] ?? 0);
    }
  }

  #has(row: number, other: number): boolean {
    const first = row * this.#most;
    for (let place = first; place < first + this.#most; place++)
      if (this.#others[place] === other) return true;
    return false;
  }

  #isBefore(other: number, similarity: number, place: number): boolean {
    const held = this.#similarities[place] ?? 0;
    return similarity > held || (similarity === held && other < (this.#others[place] ?? 0));
  }
}

export interface FoundNearest {
  readonly similarities: Float32Array<ArrayBuffer>;
  readonly others: Int32Array<ArrayBuffer>;
}
