import { gistOf } from '../../../../commands/memory/findings.ts';
import { isOnlyOtherValue } from '../../../../commands/memory/replacing.ts';
import { type Claim, claimOf } from '../../../../language/claim.ts';
import { oppositionOf } from '../../../../language/opposition.ts';
import { BestPairs } from './bestPairs.ts';
import { GrowingRows, type Rows, rowsOf } from './blocks.ts';
import type { Helper } from './helper.ts';
import { DIMENSIONS, keywordVectors } from './keywordVectors.ts';
import type { AddStatements, CandidatePair, SelectPairs } from './messages.ts';
import { eachNear } from './neighbours.ts';

/** Where two statements are likely to contradict each other: on one thing, and not the same of it. */
interface Band {
  readonly from: number;
  readonly fullFrom: number;
  readonly fullTo: number;
}

const MEANING: Band = { from: 0.25, fullFrom: 0.5, fullTo: 0.93 };
const WORDS: Band = { from: 0.1, fullFrom: 0.3, fullTo: 0.85 };

/** Of so many on one topic, all pairs are looked at; of more, each with those that came just before it. */
const MOST_ON_TOPIC = 20;

interface Statement {
  readonly text: string;
  readonly topic: string | null;
  readonly value: string | null;
  readonly negated: boolean | null;
}

/** Vectors that can be compared, and whose each is. */
interface Space {
  readonly rows: Rows;
  readonly at: readonly number[];
  readonly band: Band;
}

/** Of the statements whose vectors have one length. */
interface Meant {
  readonly rows: GrowingRows;
  readonly at: number[];
}

/** The statements of one user, from which the pairs are chosen that are worth a closer look. */
export class Selection {
  readonly #statements: Statement[] = [];
  /** By what it says, the place of the first that says it: the others would only crowd around it. */
  readonly #distinct = new Map<string, number>();
  /** Of those that say something of their own, by place. */
  readonly #claims: Claim[] = [];
  /** By the length of their vectors. */
  readonly #meant = new Map<number, Meant>();
  readonly #helper: Helper | undefined;

  /** With a helper it is quicker; whoever gives one ends it. */
  constructor(helper?: Helper) {
    this.#helper = helper;
  }

  add({ texts, topics, values, negated, lengths, vectors }: AddStatements): void {
    let from = 0;
    for (const [index, text] of texts.entries()) {
      const place = this.#statements.length;
      const vector = vectors.subarray(from, from + (lengths[index] ?? 0));
      from += vector.length;
      const [topic, value, denied] = [topics[index] ?? null, values[index] ?? null, negated[index] ?? null];
      this.#statements.push({ text, topic, value, negated: denied });
      const gist = gistOf(text);
      if (this.#distinct.has(gist)) continue;
      this.#distinct.set(gist, place);
      if (vector.length > 0) this.#mean(place, vector);
    }
  }

  #mean(place: number, vector: Float32Array): void {
    const meant = this.#meant.get(vector.length) ?? { rows: new GrowingRows(vector.length), at: [] };
    this.#meant.set(vector.length, meant);
    if (meant.rows.add(vector)) meant.at.push(place);
  }

  /** The most promising first. */
  async select(
    { nearest, most, settled }: Omit<SelectPairs, 'kind'>,
    signal: AbortSignal,
  ): Promise<readonly CandidatePair[]> {
    const places = [...this.#distinct.values()];
    const found = new BestPairs(most);
    const skipped = new Set(settled.map(([one, other]) => this.#keyOf(one, other)));
    const look = (one: number, other: number, similarity: number, band: Band) => {
      const key = this.#keyOf(one, other);
      if (skipped.has(key)) return;
      const pair = this.#judge(one, other, similarity, band);
      if (pair) found.offer(key, pair);
    };
    for (const { rows, at, band } of this.#spaces(places)) {
      const comparing = eachNear({ rows, nearest, signal, helper: this.#helper }, (one, other, similarity) =>
        look(at[one] ?? 0, at[other] ?? 0, similarity, band),
      );
      // The helper compares meanwhile.
      this.#readAll(places);
      await comparing;
    }
    this.#readAll(places);
    for (const [one, other] of this.#onOneTopic(places)) look(one, other, 0, MEANING);
    return found.inOrder();
  }

  /**
   * Vectors can be compared where they are of one length. Where a statement has none, or is alone with its length,
   * all are compared by their words as well.
   */
  *#spaces(places: readonly number[]): Generator<Space> {
    let withVector = 0;
    let lengths = 0;
    for (const { rows: growing, at } of this.#meant.values()) {
      const { rows } = growing;
      if (rows.count > 0) lengths++;
      withVector += rows.count;
      if (rows.count > 1) yield { rows, at, band: MEANING };
    }
    if ((lengths === 1 && withVector === places.length) || places.length < 2) return;
    this.#readAll(places);
    const claims = places.flatMap((place) => this.#claims[place] ?? []);
    const { rows, kept } = rowsOf(keywordVectors(claims), places.length, DIMENSIONS);
    yield { rows, at: kept.map((index) => places[index] ?? 0), band: WORDS };
  }

  *#onOneTopic(places: readonly number[]): Generator<readonly [number, number]> {
    const byTopic = Map.groupBy(places, (place) => this.#statements[place]?.topic ?? null);
    for (const [topic, at] of byTopic) {
      if (topic === null) continue;
      for (const [index, place] of at.entries())
        for (const before of at.slice(Math.max(0, index - MOST_ON_TOPIC), index)) yield [before, place];
    }
  }

  #judge(a: number, b: number, similarity: number, band: Band): CandidatePair | undefined {
    const [one, other] = a < b ? [a, b] : [b, a];
    const [first, second] = [this.#statements[one], this.#statements[other]];
    const [claim, against] = [this.#claims[one], this.#claims[other]];
    if (!first || !second || !claim || !against) return undefined;
    const sameTopic = first.topic !== null && first.topic === second.topic;
    if (sameTopic && isOnlyOtherValue(told(first), told(second))) return undefined;
    if (similarity < band.from && !sameTopic) return undefined;
    const { signs, weight } = oppositionOf(claim, against, sameTopic);
    const near = within(band, similarity);
    const isOfInterest = signs.some((sign) => sign !== 'names') || (signs.length > 0 && near > 0.5);
    return isOfInterest ? { one, other, similarity, score: weight + near, signs } : undefined;
  }

  #readAll(places: readonly number[]): void {
    if (this.#claims.length > 0) return;
    for (const place of places) {
      const { text = '', negated } = this.#statements[place] ?? {};
      const claim = claimOf(text);
      this.#claims[place] = { ...claim, denied: negated ?? claim.denied };
    }
  }

  #keyOf(one: number, other: number): number {
    return Math.min(one, other) * this.#statements.length + Math.max(one, other);
  }
}

function told({ topic, value, negated }: Statement) {
  return { text: null, about: topic, value, ...(negated === null ? {} : { negated }) };
}

/** From 0 to 1. What is all but the same does not contradict. */
function within({ from, fullFrom, fullTo }: Band, similarity: number): number {
  const rise = (similarity - from) / (fullFrom - from);
  const fall = (1 - similarity) / (1 - fullTo);
  return Math.max(0, Math.min(1, rise, fall));
}
