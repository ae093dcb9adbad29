import { Best } from '../best.ts';
import { RowMemory } from './rowMemory.ts';

const NUMBERS_AT_ONCE = 16;
const LARGEST = 127;
const LARGEST_WANTED = 32_767;
const LARGEST_SUM = 2 ** 31 - 1;
/** What products of 32-bit numbers may be wrong by themselves, for each that is added: rather too much. */
const ROUNDING = 2 ** -22;

/** What whole numbers stand for, and the length of what they leave out. */
interface Coarse {
  readonly scale: number;
  readonly error: number;
}

/**
 * Vectors of length 1 as whole numbers of 8 bits, a quarter of what they take: a large memory is read as much faster.
 * By how much each product can be wrong at most is known, so that none of the nearest is missed.
 */
export class CoarseRows {
  readonly #rows: RowMemory;
  readonly #dimensions: number;
  readonly #largestWanted: number;
  readonly #scales: number[] = [];
  readonly #errors: number[] = [];

  constructor(dimensions: number) {
    const stride = Math.ceil(dimensions / NUMBERS_AT_ONCE) * NUMBERS_AT_ONCE;
    this.#rows = new RowMemory({ head: 2 * stride, stride });
    this.#dimensions = dimensions;
    // No sum may leave its 32 bits.
    this.#largestWanted = Math.min(LARGEST_WANTED, Math.floor(LARGEST_SUM / (LARGEST * dimensions)));
  }

  get bytes(): number {
    return this.#rows.buffer.byteLength;
  }

  /** How many there are, from the first place on. */
  get size(): number {
    return this.#scales.length;
  }

  makeRoom(rows: number): void {
    this.#rows.makeRoom(rows);
  }

  /** In the place of another, or after the last. */
  set(place: number, unit: Float32Array): void {
    this.makeRoom(place + 1);
    const into = new Int8Array(this.#rows.buffer, this.#rows.rowAt(place), this.#dimensions);
    const { scale, error } = rounded(unit, LARGEST, into);
    this.#scales[place] = scale;
    this.#errors[place] = error;
  }

  /** The last takes the place of the one that goes. */
  delete(place: number): void {
    this.#rows.moveLast(place, this.#scales.length);
    const [scale = 0, error = 0] = [this.#scales.pop(), this.#errors.pop()];
    if (place === this.#scales.length) return;
    this.#scales[place] = scale;
    this.#errors[place] = error;
  }

  /** The places, in order, of whatever may be among so many nearest ones, and not below the threshold. */
  candidates(unit: Float32Array, limit: number, threshold: number): readonly number[] {
    if (this.size === 0) return [];
    const wanted = rounded(unit, this.#largestWanted, new Int16Array(this.#rows.buffer, 0, this.#dimensions));
    this.#rows.multiplyAll('coarseProducts', this.#scales.length);
    const products = new Int32Array(this.#rows.buffer, this.#rows.out, this.#scales.length);
    // |w·r - w'·r'| ≤ |w'|·|r - r'| + |w - w'|·|r|, and no length is more than 1 and what was left out.
    const length = 1 + wanted.error;
    const always = wanted.error + ROUNDING * this.#dimensions;
    const product = (place: number) => (products[place] ?? 0) * wanted.scale * (this.#scales[place] ?? 0);
    const least = new Best(limit);
    for (let place = 0; place < products.length; place++) {
      least.offer(place, product(place) - length * this.#error(place));
    }
    const bound = Math.max(threshold, least.worst - always) - always;
    const found: number[] = [];
    for (let place = 0; place < products.length; place++) {
      if (product(place) + length * this.#error(place) >= bound) found.push(place);
    }
    return found;
  }

  #error(place: number): number {
    return this.#errors[place] ?? 0;
  }
}

/** As the multiples of a scale that come nearest, the largest of them being given. */
function rounded(unit: Float32Array, largest: number, into: Int8Array | Int16Array): Coarse {
  let most = 0;
  for (let at = 0; at < unit.length; at++) most = Math.max(most, Math.abs(unit[at] ?? 0));
  const scale = most / largest;
  let squares = 0;
  for (let at = 0; at < unit.length; at++) {
    const value = unit[at] ?? 0;
    const whole = Math.round(value / scale);
    into[at] = whole;
    squares += (value - whole * scale) ** 2;
  }
  return { scale, error: Math.sqrt(squares) };
}
