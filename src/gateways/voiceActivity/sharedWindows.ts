/*
 * Memory that the main thread and the thread of the model share: windows of audio in the order in which they came, and
 * beside each how probable it is that somebody speaks in it. Nothing is copied between them but for the samples
 * themselves, and a thread is rung only when it sleeps.
 */

/** Samples of a window: 32 ms, as the model wants them. */
export const WINDOW = 512;
/** Windows that may wait for the model. A power of two: places are counted up and wrap around. */
const PLACES = 1_024;

const WRITTEN = 0;
const ANSWERED = 1;
const MODEL_AWAKE = 2;
const MAIN_RUNG = 3;
const SESSIONS = 4;
const CONTROLS = 5;

const FIRST = 2 ** 16;

export class SharedWindows {
  readonly memory: SharedArrayBuffer;
  readonly #control: Int32Array;
  readonly #origins: Int32Array;
  readonly #probabilities: Float32Array;
  readonly #samples: Int16Array;

  constructor(memory = new SharedArrayBuffer(4 * CONTROLS + PLACES * (4 + 4 + 2 * WINDOW))) {
    this.memory = memory;
    this.#control = new Int32Array(memory, 0, CONTROLS);
    this.#origins = new Int32Array(memory, 4 * CONTROLS, PLACES);
    this.#probabilities = new Float32Array(memory, 4 * (CONTROLS + PLACES), PLACES);
    this.#samples = new Int16Array(memory, 4 * (CONTROLS + 2 * PLACES), PLACES * WINDOW);
  }

  /** Where the count stands is one of so many places. */
  static place(count: number): number {
    return count & (PLACES - 1);
  }

  static get places(): number {
    return PLACES;
  }

  /** `slot` is where the model keeps what it heard of the same voice before, and forgets it with the first window. */
  write(count: number, window: Int16Array, slot: number, isFirst: boolean): void {
    const place = SharedWindows.place(count);
    this.#samples.set(window, place * WINDOW);
    this.#origins[place] = isFirst ? slot + FIRST : slot;
    Atomics.store(this.#control, WRITTEN, count + 1);
  }

  get written(): number {
    return Atomics.load(this.#control, WRITTEN);
  }

  slotAt(count: number): number {
    return (this.#origins[SharedWindows.place(count)] ?? 0) & (FIRST - 1);
  }

  isFirstAt(count: number): boolean {
    return (this.#origins[SharedWindows.place(count)] ?? 0) >= FIRST;
  }

  /** As numbers from -1 to 1. */
  read(count: number, into: Float32Array, offset: number): void {
    const from = SharedWindows.place(count) * WINDOW;
    for (let index = 0; index < WINDOW; index++)
      into[offset + index] = (this.#samples[from + index] ?? 0) / 32_768;
  }

  answer(count: number, probability: number): void {
    this.#probabilities[SharedWindows.place(count)] = probability;
    Atomics.store(this.#control, ANSWERED, count + 1);
  }

  get answered(): number {
    return Atomics.load(this.#control, ANSWERED);
  }

  probabilityAt(count: number): number {
    return this.#probabilities[SharedWindows.place(count)] ?? 0;
  }

  set sessions(count: number) {
    Atomics.store(this.#control, SESSIONS, count);
  }

  get sessions(): number {
    return Atomics.load(this.#control, SESSIONS);
  }

  /** Whether the model sleeps, and has to be rung. */
  wakeModel(): boolean {
    return Atomics.exchange(this.#control, MODEL_AWAKE, 1) === 0;
  }

  /** Whether it may: what is written from now on rings it. */
  letModelSleep(): void {
    Atomics.store(this.#control, MODEL_AWAKE, 0);
  }

  ringMain(): boolean {
    return Atomics.exchange(this.#control, MAIN_RUNG, 1) === 0;
  }

  mainCame(): void {
    Atomics.store(this.#control, MAIN_RUNG, 0);
  }
}
