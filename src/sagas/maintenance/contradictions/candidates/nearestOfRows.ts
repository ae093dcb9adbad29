/** Of each row the nearest others, as they come to light. */
export class NearestOfRows {
  readonly #most: number;
  /** Of each row, the best first. */
  readonly #similarities: Float32Array;
  readonly #others: Int32Array;

  constructor(rows: number, most: number) {
    this.#most = most;
    this.#similarities = new Float32Array(rows * most).fill(Number.NEGATIVE_INFINITY);
    this.#others = new Int32Array(rows * most).fill(-1);
  }

  offer(row: number, other: number, similarity: number): void {
    const first = row * this.#most;
    let place = first + this.#most - 1;
    if (!(similarity > (this.#similarities[place] ?? Number.POSITIVE_INFINITY))) return;
    for (; place > first && similarity > (this.#similarities[place - 1] ?? 0); place--) {
      this.#similarities[place] = this.#similarities[place - 1] ?? 0;
      this.#others[place] = this.#others[place - 1] ?? -1;
    }
    this.#similarities[place] = similarity;
    this.#others[place] = other;
  }

  each(onNeighbour: (row: number, other: number, similarity: number) => void): void {
    for (const [index, other] of this.#others.entries())
      if (other >= 0) onNeighbour(Math.floor(index / this.#most), other, this.#similarities[index] ?? 0);
  }
}
