import type { CandidatePair } from './messages.ts';

/** From so many times what is wanted on, the worse ones are let go: there may be a hundred thousand. */
const ROOM = 8;
const LEAST_ROOM = 4_096;

/** Of pairs as they come to light so many, each once and with its best score. */
export class BestPairs {
  readonly #most: number;
  #byKey = new Map<number, CandidatePair>();
  /** Pairs below it are none of the best any more. */
  #least = 0;
  #room: number;

  constructor(most: number) {
    this.#most = most;
    this.#room = Math.max(LEAST_ROOM, ROOM * most);
  }

  offer(key: number, pair: CandidatePair): void {
    if (pair.score < this.#least || pair.score <= (this.#byKey.get(key)?.score ?? 0)) return;
    this.#byKey.set(key, pair);
    if (this.#byKey.size <= this.#room) return;
    this.#letGo();
    // Where many are equal they all stay, and sorting them again for each that comes would take for ever.
    this.#room = Math.max(this.#room, 2 * this.#byKey.size);
  }

  /** The most promising first. */
  inOrder(): readonly CandidatePair[] {
    this.#letGo();
    return [...this.#byKey.values()].sort(byScore).slice(0, this.#most);
  }

  /** Numbers alone are quickly sorted; of equals none is let go. */
  #letGo(): void {
    const scores = Float64Array.from(this.#byKey.values(), ({ score }) => score);
    this.#least = Math.max(this.#least, scores.sort().at(-this.#most) ?? 0);
    this.#byKey = new Map([...this.#byKey].filter(([, { score }]) => score >= this.#least));
  }
}

/** Of equals, those that came first. */
function byScore(one: CandidatePair, other: CandidatePair): number {
  return other.score - one.score || one.one - other.one || one.other - other.other;
}
