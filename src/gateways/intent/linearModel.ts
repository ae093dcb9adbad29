import { type Features, featuresOf, groups } from './features.ts';

/** What each group of features may say at most. */
const GROUP_WEIGHTS: Readonly<Record<(typeof groups)[number], number>> = {
  words: 1,
  pairs: 0.8,
  letters: 0.6,
  kinds: 1.5,
  frames: 1,
  shape: 0.6,
};

const MAGIC = 0x314b4948;
const HEADER_BYTES = 24;
const BYTES_OF_NUMBER = 4;
const IDF_STEPS = 16;
/** As rare as a feature can be: also what none of the training texts has. */
const MOST_IDF = 255;

/** A model as it is kept: for every feature that it knows one row of weights, a column for each class. */
export interface ModelParts {
  readonly classes: number;
  /** Ascending. */
  readonly hashes: Uint32Array;
  readonly idf: Uint8Array;
  readonly weights: Int8Array;
  readonly bias: Float32Array;
  readonly scale: number;
  readonly temperature: number;
  /** Below this confidence nothing is claimed. */
  readonly threshold: number;
}

/** Features of a text, each with its row and what it weighs. Used again for the next text. */
export class Entries {
  readonly rows: number[] = [];
  readonly values: number[] = [];
  size = 0;

  add(row: number, value: number): void {
    this.rows[this.size] = row;
    this.values[this.size++] = value;
  }
}

/**
 * Puts into `entries` the features of a text that a model knows, weighed. A group has the same length in all texts, and
 * what nobody knows has its share of that: a text of which little is known says little.
 */
export function findEntries(
  features: Features,
  { rowOf, idf }: { readonly rowOf: (hash: number) => number; readonly idf: Uint8Array },
  entries: Entries,
): void {
  entries.size = 0;
  for (let place = 0; place < groups.length; place++) {
    const group = groups[place];
    const found = features[place];
    if (!group || !found) continue;
    const first = entries.size;
    let squares = 0;
    for (let at = 0; at < found.size; at++) {
      const row = rowOf(found.featureAt(at));
      const value = (1 + Math.log(found.timesAt(at))) * ((idf[row] ?? MOST_IDF) / IDF_STEPS);
      squares += value * value;
      if (row >= 0) entries.add(row, value);
    }
    const factor = GROUP_WEIGHTS[group] / Math.sqrt(squares || 1);
    for (let at = first; at < entries.size; at++) entries.values[at] = (entries.values[at] ?? 0) * factor;
  }
}

/** How rare a feature is, as one byte. */
export function idfByte(texts: number, having: number): number {
  return Math.min(MOST_IDF, Math.round(IDF_STEPS * (1 + Math.log(texts / having))));
}

/** In place. */
export function softmax(scores: Float64Array): Float64Array {
  let most = Number.NEGATIVE_INFINITY;
  for (const score of scores) most = Math.max(most, score);
  let sum = 0;
  for (let at = 0; at < scores.length; at++) {
    const power = Math.exp((scores[at] ?? 0) - most);
    scores[at] = power;
    sum += power;
  }
  for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] ?? 0) / sum;
  return scores;
}

export class LinearModel {
  readonly threshold: number;
  readonly #parts: ModelParts;
  /** Open addressing, places in the table are twice as many as features: row + 1, or 0 for a free place. */
  readonly #table: Int32Array;
  readonly #entries = new Entries();
  readonly #sums: Float64Array;

  constructor(parts: ModelParts) {
    this.#parts = parts;
    this.threshold = parts.threshold;
    this.#sums = new Float64Array(parts.classes);
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(parts.hashes.length * 2 + 1)));
    for (let row = 0; row < parts.hashes.length; row++) {
      let place = this.#firstPlace(parts.hashes[row] ?? 0);
      while (this.#table[place]) place = (place + 1) & (this.#table.length - 1);
      this.#table[place] = row + 1;
    }
  }

  static decode(bytes: Uint8Array): LinearModel {
    return new LinearModel(decodeParts(bytes));
  }

  /** How likely each class is, in the order of training. To be looked at before the next text is. */
  probabilities(text: string): Float64Array {
    const { classes, weights, bias, scale, temperature } = this.#parts;
    const sums = this.#sums.fill(0);
    findEntries(featuresOf(text), this.#known, this.#entries);
    const { rows, values, size } = this.#entries;
    for (let at = 0; at < size; at++) {
      const row = rows[at] ?? 0;
      const value = values[at] ?? 0;
      for (let column = 0; column < classes; column++)
        sums[column] = (sums[column] ?? 0) + value * (weights[row * classes + column] ?? 0);
    }
    for (let column = 0; column < classes; column++)
      sums[column] = ((sums[column] ?? 0) * scale + (bias[column] ?? 0)) / temperature;
    return softmax(sums);
  }

  readonly #rowOf = (hash: number): number => {
    for (let place = this.#firstPlace(hash); ; place = (place + 1) & (this.#table.length - 1)) {
      const row = (this.#table[place] ?? 0) - 1;
      if (row < 0 || this.#parts.hashes[row] === hash) return row;
    }
  };

  get #known() {
    return { rowOf: this.#rowOf, idf: this.#parts.idf };
  }

  #firstPlace(hash: number): number {
    return (hash ^ (hash >>> 15)) & (this.#table.length - 1);
  }
}

/**
 * Little-endian, as every machine is that Node runs on but one: magic, classes, features, then scale, temperature and
 * threshold, biases, hashes, idf, weights.
 */
export function encodeParts(parts: ModelParts): Uint8Array {
  const { classes, hashes, idf, weights, bias, scale, temperature, threshold } = parts;
  const numbers = HEADER_BYTES + BYTES_OF_NUMBER * (bias.length + hashes.length);
  const bytes = new Uint8Array(numbers + idf.length + weights.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const next = () => BYTES_OF_NUMBER * at++;
  for (const number of [MAGIC, classes, hashes.length]) view.setUint32(next(), number, true);
  for (const number of [scale, temperature, threshold, ...bias]) view.setFloat32(next(), number, true);
  for (const hash of hashes) view.setUint32(next(), hash, true);
  bytes.set(idf, next());
  bytes.set(new Uint8Array(weights.buffer, weights.byteOffset, weights.length), numbers + idf.length);
  return bytes;
}

function decodeParts(bytes: Uint8Array): ModelParts {
  // A copy of its own: views of whole numbers want an even place, and what is read may lie anywhere.
  const { buffer } = new Uint8Array(bytes);
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== MAGIC) throw new TypeError('Not an intent model');
  const [classes, features] = [view.getUint32(4, true), view.getUint32(8, true)];
  const [scale, temperature, threshold] = [12, 16, 20].map((at) => view.getFloat32(at, true));
  const sizes = [4 * classes, 4 * features, features, features * classes];
  const [bias = 0, hashes = 0, idf = 0, weights = 0, end] = startsOf(HEADER_BYTES, sizes);
  if (end !== bytes.length) throw new TypeError('An intent model that was cut off');
  return {
    classes,
    hashes: new Uint32Array(buffer, hashes, features),
    idf: new Uint8Array(buffer, idf, features),
    weights: new Int8Array(buffer, weights, features * classes),
    bias: new Float32Array(buffer, bias, classes),
    scale: scale ?? 1,
    temperature: temperature ?? 1,
    threshold: threshold ?? 0,
  };
}

/** Where each of the parts begins, and where the last one ends. */
function startsOf(first: number, sizes: readonly number[]): readonly number[] {
  const starts = [first];
  for (const size of sizes) starts.push((starts.at(-1) ?? 0) + size);
  return starts;
}
