import type { IndexDocument } from './documents.ts';
import type { Content } from './pieces.ts';
import { Postings } from './postings.ts';
import { Scratch } from './scratch.ts';
import { spoken } from './spoken.ts';
import { folded, isQuestion, wordsOf } from './terms.ts';
import { IndexVocabulary, NO_TERM, type VocabularyPart } from './vocabulary.ts';

const FIRST_ROOM = 4_096;
const DOCUMENTS_A_PIECE = 1_000;
const CHARACTERS_A_PIECE = 250_000;
/** Who comes back after more than this speaks of the time when they were here. */
const LONGEST_PAUSE_MS = 62 * 86_400_000;
/** A rough figure for what an object, its entries in maps and arrays, and the heads of its strings take. */
const BYTES_A_DOCUMENT = 400;
const BYTES_A_WORD = 120;

export interface IndexedEpisode {
  readonly id: string;
  /** When the first of it was. */
  at: number;
  importance: number;
  /** Its documents, in order. */
  readonly members: number[];
  /** How many terms they have together. */
  length: number;
}

/** The numbers beside documents are first how many terms each has, and then these terms. */
export type CorpusPart = VocabularyPart | { readonly documents: readonly IndexDocument[] };

/** The documents of one user as numbers: which terms each has, in order, and which episode it belongs to. */
export class Corpus {
  readonly documents: IndexDocument[] = [];
  readonly episodes: IndexedEpisode[] = [];
  readonly vocabulary = new IndexVocabulary();
  readonly #numbers = new Map<string, number>();
  readonly #episodeNumbers = new Map<string, number>();
  readonly #episodeOf: number[] = [];
  readonly #orders: number[] = [];
  readonly #asks: boolean[] = [];
  readonly #isTurn: boolean[] = [];
  readonly #speakers: (string | undefined)[] = [];
  readonly #starts: number[] = [0];
  #sequence = new Uint32Array(FIRST_ROOM);
  #length = 0;
  #characters = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #postings: Postings | undefined;
  #scratch: Scratch | undefined;

  /** What is there already, by its id, is left as it is. */
  add(documents: readonly IndexDocument[]): void {
    for (const document of documents) if (!this.#numbers.has(document.id)) this.#add(document);
    this.#forgetDrawn();
  }

  /** All that was found out about them, to be taken in again by another. */
  pieces(): readonly (() => Content<CorpusPart>)[] {
    return [...this.vocabulary.pieces(), ...this.#documentRanges().map((range) => () => this.#piece(range))];
  }

  /** What another had in its pieces, in their order, while there is nothing here yet. */
  restore({ said, numbers }: Content<CorpusPart>): void {
    if (!('documents' in said)) {
      this.vocabulary.restore({ said, numbers });
      return;
    }
    let from = said.documents.length;
    for (const [index, document] of said.documents.entries()) {
      const length = numbers[index] ?? 0;
      const number = this.#describe(document).number;
      this.#makeRoom(length);
      this.#sequence.set(numbers.subarray(from, from + length), this.#length);
      from += length;
      this.#length += length;
      this.#end(number, document);
    }
    this.#forgetDrawn();
  }

  #documentRanges(): readonly (readonly [number, number])[] {
    const found: (readonly [number, number])[] = [];
    let [from, characters] = [0, 0];
    for (const [at, { text }] of this.documents.entries()) {
      characters += text.length;
      const isFull = at + 1 - from === DOCUMENTS_A_PIECE || characters >= CHARACTERS_A_PIECE;
      if (!isFull && at + 1 < this.documents.length) continue;
      found.push([from, at + 1]);
      [from, characters] = [at + 1, 0];
    }
    return found;
  }

  #piece([from, until]: readonly [number, number]): Content<CorpusPart> {
    const count = until - from;
    const [start = 0, end = 0] = [this.#starts[from], this.#starts[until]];
    const numbers = new Uint32Array(count + end - start);
    for (let index = 0; index < count; index++) numbers[index] = this.lengthOf(from + index);
    numbers.set(this.#sequence.subarray(start, end), count);
    return { said: { documents: this.documents.slice(from, until) }, numbers };
  }

  has(id: string): boolean {
    return this.#numbers.has(id);
  }
  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  get bytes(): number {
    return (
      this.documents.length * BYTES_A_DOCUMENT +
      this.vocabulary.wordCount * BYTES_A_WORD +
      this.#characters +
      12 * this.#length
    );
  }
  /** Terms a document has on average. */
  get usualLength(): number {
    return this.#length / Math.max(1, this.documents.length);
  }
  get usualEpisodeLength(): number {
    return this.#length / Math.max(1, this.episodes.length);
  }
  /** How many terms a document has. */
  lengthOf(document: number): number {
    return this.#start(document + 1) - this.#start(document);
  }
  /** Where its terms begin; they end where those of the next begin. */
  #start(document: number): number {
    return this.#starts[document] ?? 0;
  }
  get postings(): Postings {
    this.#postings ??= new Postings(this.#sequence, this.#starts, this.vocabulary.termCount);
    return this.#postings;
  }

  /** Clean, for one search at a time. */
  get scratch(): Scratch {
    this.#scratch ??= new Scratch(this.documents.length, this.episodes.length);
    this.#scratch.clear();
    return this.#scratch;
  }

  /** What a query counts from: now, or where memory ends long before. */
  present(now: number): number {
    return Math.min(now, this.#lastAt + LONGEST_PAUSE_MS);
  }

  termsOf(document: number): Uint32Array {
    return this.#sequence.subarray(this.#start(document), this.#start(document + 1));
  }
  episodeOf(document: number): number {
    return this.#episodeOf[document] ?? 0;
  }
  /** Whether it ends with a question. */
  asks(document: number): boolean {
    return this.#asks[document] === true;
  }
  isTurn(document: number): boolean {
    return this.#isTurn[document] === true;
  }
  /** By name, where there is one. */
  speakerOf(document: number): string | undefined {
    return this.#speakers[document];
  }
  /** Its place among the documents of its episode. */
  orderOf(document: number): number {
    return this.#orders[document] ?? 0;
  }
  /** The document of the same episode that comes so many places after it, or before it. */
  neighbour(document: number, distance: number): number | undefined {
    return this.episodes[this.episodeOf(document)]?.members[this.orderOf(document) + distance];
  }

  #forgetDrawn(): void {
    this.#postings = undefined;
    this.#scratch = undefined;
    this.vocabulary.forgetDrawn();
  }

  #add(document: IndexDocument): void {
    const { number, speaker, said, asks } = this.#describe(document);
    // What somebody asks is about whoever is asked.
    if (speaker !== undefined && !asks) this.#write(folded(speaker));
    this.#write(folded(said));
    for (const keyword of document.keywords ?? []) this.#write(folded(keyword));
    if (document.topic !== undefined) this.#write(folded(document.topic));
    this.#end(number, document);
  }

  #describe(document: IndexDocument) {
    const number = this.documents.push(document) - 1;
    this.#numbers.set(document.id, number);
    const { speaker, said } = spoken(document);
    const asks = isQuestion(said);
    this.#asks.push(asks);
    this.#isTurn.push(document.kind === 'turn');
    this.#speakers.push(speaker);
    return { number, speaker, said, asks };
  }

  /** All its terms are written. */
  #end(number: number, document: IndexDocument): void {
    this.#starts.push(this.#length);
    this.#characters += document.text.length;
    this.#enter(number, document);
  }

  #enter(number: number, { episodeId, at, importance }: IndexDocument): void {
    const length = this.lengthOf(number);
    this.#lastAt = Math.max(this.#lastAt, at);
    const place = this.#episodeNumbers.get(episodeId);
    const episode = place === undefined ? undefined : this.episodes[place];
    if (place === undefined || !episode) {
      const first = this.episodes.push({ id: episodeId, at, importance, members: [number], length }) - 1;
      this.#episodeNumbers.set(episodeId, first);
      this.#episodeOf.push(first);
      this.#orders.push(0);
      return;
    }
    this.#episodeOf.push(place);
    this.#orders.push(episode.members.push(number) - 1);
    episode.at = Math.min(episode.at, at);
    episode.importance = Math.max(episode.importance, importance);
    episode.length += length;
  }

  #write(text: string): void {
    for (const word of wordsOf(text)) {
      const term = this.vocabulary.learn(word);
      if (term === NO_TERM) continue;
      this.#makeRoom(1);
      this.#sequence[this.#length++] = term;
    }
  }

  #makeRoom(terms: number): void {
    const needed = this.#length + terms;
    if (needed <= this.#sequence.length) return;
    const longer = new Uint32Array(2 * needed);
    longer.set(this.#sequence);
    this.#sequence = longer;
  }
}
