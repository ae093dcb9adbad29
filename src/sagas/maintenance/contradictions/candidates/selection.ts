import { gistOf } from '../../../../commands/memory/findings.ts';
import { isOnlyOtherValue } from '../../../../commands/memory/replacing.ts';
import { type Claim, claimOf } from '../../../../language/claim.ts';
import { oppositionOf } from '../../../../language/opposition.ts';
import { directionOf } from '../../../../projections/memory/index/vectors/direction.ts';
import { keywordVectors } from './keywordVectors.ts';
import type { AddStatements, CandidatePair, SelectPairs } from './messages.ts';
import { eachNeighbour, type Rows } from './neighbours.ts';

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
  readonly claim: Claim;
  readonly topic: string | null;
  readonly value: string | null;
  readonly negated: boolean | null;
  readonly vector: Float32Array | undefined;
}

/** The statements of one user, from which the pairs are chosen that are worth a closer look. */
export class Selection {
  readonly #statements: Statement[] = [];
  /** By what it says, the place of the first that says it: the others would only crowd around it. */
  readonly #distinct = new Map<string, number>();

  add({ texts, topics, values, negated: denials, vectors }: AddStatements): void {
    for (const [index, text] of texts.entries()) {
      const place = this.#statements.length;
      const vector = vectors[index];
      const direction = vector ? directionOf(vector) : undefined;
      const [topic, value, negated] = [topics[index] ?? null, values[index] ?? null, denials[index] ?? null];
      const claim = claimOf(text);
      const denied = negated ?? claim.denied;
      this.#statements.push({ claim: { ...claim, denied }, topic, value, negated, vector: direction });
      const said = gistOf(text);
      if (!this.#distinct.has(said)) this.#distinct.set(said, place);
    }
  }

  /** The most promising first. */
  async select(
    { nearest, most, settled }: Omit<SelectPairs, 'kind'>,
    signal: AbortSignal,
  ): Promise<readonly CandidatePair[]> {
    const places = [...this.#distinct.values()];
    const found = new Map<number, CandidatePair>();
    const skipped = new Set(settled.map(([one, other]) => this.#keyOf(one, other)));
    const look = (one: number, other: number, similarity: number, band: Band) => {
      const key = this.#keyOf(one, other);
      if (skipped.has(key)) return;
      const pair = this.#judge(one, other, similarity, band);
      if (pair && pair.score > (found.get(key)?.score ?? 0)) found.set(key, pair);
    };
    for (const { rows, at, band } of this.#spaces(places)) {
      // Most are near each other from both sides.
      const met = new Set<number>();
      await eachNeighbour({ rows, nearest, signal }, (row, other, similarity) => {
        const before = met.size;
        const isNew = met.add(Math.min(row, other) * rows.count + Math.max(row, other)).size > before;
        if (isNew) look(at[row] ?? 0, at[other] ?? 0, similarity, band);
      });
    }
    for (const [one, other] of this.#onOneTopic(places)) look(one, other, 0, MEANING);
    return [...found.values()].sort(byScore).slice(0, most);
  }

  /**
   * Vectors can be compared where they are of one length. Where a statement has none, or is alone with its length,
   * all are compared by their words as well.
   */
  *#spaces(places: readonly number[]): Generator<{ rows: Rows; at: readonly number[]; band: Band }> {
    const byLength = Map.groupBy(places, (place) => this.#statements[place]?.vector?.length ?? 0);
    for (const [length, at] of byLength)
      if (length > 0 && at.length > 1)
        yield { rows: rowsOf(at.map((place) => this.#statements[place]?.vector)), at, band: MEANING };
    const isWhole = byLength.size === 1 && !byLength.has(0);
    if (isWhole || places.length < 2) return;
    const claims = places.flatMap((place) => this.#statements[place]?.claim ?? []);
    const vectors = keywordVectors(claims).map(directionOf);
    const kept = places.flatMap((place, index) =>
      vectors[index] ? [{ place, vector: vectors[index] }] : [],
    );
    yield { rows: rowsOf(kept.map(({ vector }) => vector)), at: kept.map(({ place }) => place), band: WORDS };
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
    if (!first || !second) return undefined;
    const sameTopic = first.topic !== null && first.topic === second.topic;
    if (sameTopic && isOnlyOtherValue(told(first), told(second))) return undefined;
    if (similarity < band.from && !sameTopic) return undefined;
    const { signs, weight } = oppositionOf(first.claim, second.claim, sameTopic);
    const near = within(band, similarity);
    const isOfInterest = signs.some((sign) => sign !== 'names') || (signs.length > 0 && near > 0.5);
    return isOfInterest ? { one, other, similarity, score: weight + near, signs } : undefined;
  }

  #keyOf(one: number, other: number): number {
    return Math.min(one, other) * this.#statements.length + Math.max(one, other);
  }
}

function told({ topic, value, negated }: Statement) {
  return { text: null, about: topic, value, ...(negated === null ? {} : { negated }) };
}

function rowsOf(vectors: readonly (Float32Array | undefined)[]): Rows {
  const dimensions = vectors[0]?.length ?? 0;
  const values = new Float32Array(vectors.length * dimensions);
  for (const [index, vector] of vectors.entries()) if (vector) values.set(vector, index * dimensions);
  return { count: vectors.length, dimensions, values };
}

/** From 0 to 1. What is all but the same does not contradict. */
function within({ from, fullFrom, fullTo }: Band, similarity: number): number {
  const rise = (similarity - from) / (fullFrom - from);
  const fall = (1 - similarity) / (1 - fullTo);
  return Math.max(0, Math.min(1, rise, fall));
}

/** Of equals, those that came first. */
function byScore(one: CandidatePair, other: CandidatePair): number {
  return other.score - one.score || one.one - other.one || one.other - other.other;
}
