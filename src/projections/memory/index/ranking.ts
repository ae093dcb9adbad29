import { hasAnswer } from './answers.ts';
import { Best } from './best.ts';
import { type Concept, conceptsOf, rarityOf } from './concepts.ts';
import type { Corpus } from './corpus.ts';
import type { IndexDocument } from './documents.ts';
import type { ParsedQuery } from './query.ts';
import type { Scratch } from './scratch.ts';
import { beforeApostrophe, folded, wordsOf } from './terms.ts';

/* Okapi BM25; turns are short by nature, so that their length tells less than that of an article. */
const SATURATION = 0.8;
const LENGTH_WEIGHT = 0.4;
const EPISODE_LENGTH_WEIGHT = 1;

/** What a turn passes on: an answer seldom repeats the words of the question before it. */
const TO_NEXT = 0.45;
const QUESTION_TO_NEXT = 0.7;
const TO_SECOND = 0.25;
const TO_PREVIOUS = 0.25;
/** How much more than the word that was asked with a rarer one can tell of a whole episode. */
const MOST_BY_RARITY = 2.5;
const LEAST_RARITY = 0.1;

const LOOKED_AT_CLOSELY = 64;
const ADJACENT = 0.45;
const CLOSE = 0.12;

/* Bounded biases: none of them can hide what answers. */
const SPOKEN_BY_NAMED = 0.8;
const SPOKEN_BY_WHOM_IT_IS_ABOUT = 0.75;
const HAS_ANSWER = 0.3;
const QUESTION = -0.2;

/** Until the next search of the same corpus. */
export interface QueryScores {
  /** From 0 on; 1 is all that was asked for, in one place. */
  readonly documents: Float32Array;
  readonly episodes: Float32Array;
  /** Those that are not 0. */
  readonly touched: Uint32Array;
  readonly touchedEpisodes: Uint32Array;
  /** For what episodes come to in the end; of those that were touched. */
  readonly whole: Float32Array;
}

/** Scores every document by the query's words, and every episode as a whole. */
export class Ranking {
  readonly #corpus: Corpus;
  readonly #query: ParsedQuery;
  readonly concepts: readonly Concept[];
  readonly #scratch: Scratch;
  #ideal = 0;
  #idealEpisode = 0;

  constructor(corpus: Corpus, query: ParsedQuery) {
    this.#corpus = corpus;
    this.#query = query;
    this.concepts = conceptsOf(query, corpus);
    this.#scratch = corpus.scratch;
  }

  run(): QueryScores {
    const { scores, touched, episodes, touchedEpisodes, whole } = this.#scratch;
    for (const [index, concept] of this.concepts.entries()) this.#count(concept, index + 1);
    this.#lookClosely();
    this.#scale();
    if (this.#idealEpisode > 0)
      for (const episode of touchedEpisodes.all)
        episodes[episode] = (episodes[episode] ?? 0) / this.#idealEpisode;
    return { documents: scores, touched: touched.all, episodes, touchedEpisodes: touchedEpisodes.all, whole };
  }

  /** `seen` keeps an alternative from counting where the term itself, or a better one, counted already. */
  #count({ alternatives, weight, rarity }: Concept, mark: number): void {
    const corpus = this.#corpus;
    const { seen, counts, within } = this.#scratch;
    const { postings } = corpus;
    const { documents, counts: times } = postings;
    within.clear();
    this.#ideal += weight * rarity;
    for (const { term, weight: share } of alternatives) {
      const own = rarityOf(postings.spread(term), corpus.documents.length);
      const counted = share * Math.min(MOST_BY_RARITY, own / Math.max(LEAST_RARITY, rarity));
      const end = postings.start(term + 1);
      for (let at = postings.start(term); at < end; at++) {
        const document = documents[at] ?? 0;
        if (seen[document] === mark) continue;
        seen[document] = mark;
        const episode = corpus.episodeOf(document);
        const count = times[at] ?? 1;
        if (counts[episode] === 0) within.push(episode);
        counts[episode] = (counts[episode] ?? 0) + counted * count;
        this.#passOn(document, weight * share * own * this.#frequency(document, count));
      }
    }
    this.#gather();
    this.#countEpisodes(weight);
  }

  /** To those beside it, each of which has it once: as much as what has most of it passes on. */
  #passOn(document: number, gain: number): void {
    const corpus = this.#corpus;
    this.#raise(document, gain);
    if (!corpus.isTurn(document)) return;
    this.#raise(corpus.neighbour(document, 1), gain * (corpus.asks(document) ? QUESTION_TO_NEXT : TO_NEXT));
    this.#raise(corpus.neighbour(document, 2), gain * TO_SECOND);
    const previous = corpus.neighbour(document, -1);
    // Before the first turn there is the summary.
    if (previous !== undefined && corpus.isTurn(previous)) this.#raise(previous, gain * TO_PREVIOUS);
  }

  #raise(document: number | undefined, gain: number): void {
    if (document === undefined) return;
    const { strength, near } = this.#scratch;
    const before = strength[document] ?? 0;
    if (before >= gain) return;
    if (before === 0) near.push(document);
    strength[document] = gain;
  }

  #gather(): void {
    const { scores, strength, near, touched } = this.#scratch;
    for (const document of near.all) {
      if (scores[document] === 0) touched.push(document);
      scores[document] = (scores[document] ?? 0) + (strength[document] ?? 0);
      strength[document] = 0;
    }
    near.clear();
  }

  #countEpisodes(weight: number): void {
    const { episodes, usualEpisodeLength } = this.#corpus;
    const { counts, within, episodes: scores, touchedEpisodes } = this.#scratch;
    let spread = 0;
    for (const episode of within.all) spread += Math.min(1, counts[episode] ?? 0);
    const gain = weight * rarityOf(spread, episodes.length);
    this.#idealEpisode += gain * (SATURATION + 1) * 0.75;
    for (const episode of within.all) {
      const count = counts[episode] ?? 0;
      counts[episode] = 0;
      const length = (episodes[episode]?.length ?? 0) / usualEpisodeLength;
      const damping = SATURATION * (1 - EPISODE_LENGTH_WEIGHT + EPISODE_LENGTH_WEIGHT * length);
      if (scores[episode] === 0) touchedEpisodes.push(episode);
      scores[episode] = (scores[episode] ?? 0) + (gain * count * (SATURATION + 1)) / (count + damping);
    }
  }

  #frequency(document: number, count: number): number {
    const usual = this.#corpus.usualLength;
    // A turn of three words is not about them more than one of a sentence.
    const length = Math.max(0.9, this.#corpus.lengthOf(document) / usual);
    const damping = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length);
    return (count * (SATURATION + 1)) / (count + damping);
  }

  /** Of the best, also where the words stand, who says them, and what else is there. */
  #lookClosely(): void {
    const { scores, touched } = this.#scratch;
    const best = new Best(LOOKED_AT_CLOSELY);
    for (const document of touched.all) best.offer(document, scores[document] ?? 0);
    for (const { item } of best.sorted()) {
      const document = this.#corpus.documents[item];
      if (!document) continue;
      const near = this.#closeness(this.#corpus.termsOf(item)) + this.#phrases(document);
      scores[item] = ((scores[item] ?? 0) + near) * (1 + this.#bias(item, document));
    }
  }

  #closeness(terms: Uint32Array): number {
    let gain = 0;
    for (let index = 0; index + 1 < this.concepts.length; index++) {
      const [one, other] = [this.concepts[index], this.concepts[index + 1]];
      if (one?.term === undefined || other?.term === undefined) continue;
      const distance = leastDistance(terms, one.term, other.term);
      if (distance > 3) continue;
      gain += (distance === 1 ? ADJACENT : CLOSE) * Math.min(one.rarity, other.rarity);
    }
    return gain;
  }

  #phrases({ text }: IndexDocument): number {
    if (this.#query.phrases.length === 0) return 0;
    const whole = folded(text);
    const found = this.#query.phrases.filter((phrase) => whole.includes(phrase)).length;
    return (found / this.#query.phrases.length) * 0.6 * this.#ideal;
  }

  #bias(item: number, document: IndexDocument): number {
    if (document.kind === 'episode') return 0;
    const { about, answeredBy } = this.#query;
    const { role, text } = document;
    const asks = this.#corpus.asks(item);
    const answer = asks ? this.#corpus.neighbour(item, 1) : undefined;
    // What somebody is asked is about them, not about whoever asks.
    let bias = asks ? QUESTION : 0;
    if (this.#names(this.#corpus.speakerOf(answer ?? item))) bias += SPOKEN_BY_NAMED;
    if (about !== undefined && role === (about === 'me' ? 'user' : 'assistant'))
      bias += SPOKEN_BY_WHOM_IT_IS_ABOUT;
    if (answeredBy !== undefined && hasAnswer(text, answeredBy)) bias += HAS_ANSWER;
    return bias;
  }

  #names(speaker: string | undefined): boolean {
    if (speaker === undefined) return false;
    const said = wordsOf(folded(speaker));
    return this.#query.wanted.some(({ word }) => said.includes(beforeApostrophe(word)));
  }

  #scale(): void {
    const { scores, touched } = this.#scratch;
    const ideal = Math.max(1e-6, this.#ideal * (SATURATION + 1) * 0.5);
    for (const document of touched.all) scores[document] = (scores[document] ?? 0) / ideal;
  }
}

function leastDistance(terms: Uint32Array, one: number, other: number): number {
  let least = Number.POSITIVE_INFINITY;
  let lastOne = Number.NEGATIVE_INFINITY;
  let lastOther = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < terms.length; at++) {
    if (terms[at] === one) lastOne = at;
    else if (terms[at] === other) lastOther = at;
    else continue;
    least = Math.min(least, Math.abs(lastOne - lastOther));
  }
  return least;
}
