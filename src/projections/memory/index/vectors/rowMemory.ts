import { newMemory, type Products, productsIn } from './dotProducts.ts';

const PAGE = 65_536;
const ROWS_AT_ONCE = 4;
const PRODUCT = 4;

/**
 * Rows of bytes in a memory of their own that WebAssembly reads: first what they are multiplied with, then the rows,
 * then what comes out.
 */
export class RowMemory {
  readonly #memory = newMemory();
  readonly #products: Products = productsIn(this.#memory);
  readonly #head: number;
  readonly #stride: number;
  #room = 0;

  constructor({ head, stride }: { readonly head: number; readonly stride: number }) {
    this.#head = head;
    this.#stride = stride;
  }

  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }
  rowAt(place: number): number {
    return this.#head + this.#stride * place;
  }
  /** Where the products come out, each in the place of its row. */
  get out(): number {
    return this.rowAt(this.#room);
  }

  multiplyAll(how: keyof Products, rows: number): void {
    this.#multiply(how, 0, Math.ceil(rows / ROWS_AT_ONCE) * ROWS_AT_ONCE);
  }

  /** Of these rows, in their order, and of those that are read with them. */
  multiplySome(how: keyof Products, places: readonly number[]): void {
    let done = 0;
    for (const place of places) {
      if (place < done) continue;
      const first = place - (place % ROWS_AT_ONCE);
      done = first + ROWS_AT_ONCE;
      this.#multiply(how, first, ROWS_AT_ONCE);
    }
  }

  #multiply(how: keyof Products, first: number, rows: number): void {
    this.#products[how](0, this.rowAt(first), rows, this.#stride, this.out + PRODUCT * first);
  }

  /** All zeros where nothing was written yet. */
  makeRoom(rows: number): void {
    if (rows <= this.#room) return;
    this.#room = Math.ceil(Math.max(64, 1.5 * rows) / ROWS_AT_ONCE) * ROWS_AT_ONCE;
    const missing = this.out + PRODUCT * this.#room - this.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    // The products stood where rows come now; what pads them must be zero.
    new Uint8Array(this.buffer).fill(0, this.rowAt(rows - 1), this.out);
  }

  /** The last of so many rows takes the place of another, so that nothing of that is left. */
  moveLast(to: number, rows: number): void {
    const all = new Uint8Array(this.buffer);
    const from = this.rowAt(rows - 1);
    if (to !== rows - 1) all.copyWithin(this.rowAt(to), from, from + this.#stride);
    all.fill(0, from, from + this.#stride);
  }
}
