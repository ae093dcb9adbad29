import type { Tensor } from 'onnxruntime-node';
import { loadOnnxruntime } from '../../onnxruntime.ts';
import { WINDOW } from './sharedWindows.ts';

/** The end of the window before comes with each. */
const CONTEXT = 64;
const ROW = CONTEXT + WINDOW;
/** Two layers of what a voice was before. */
const LAYERS = 2;
const UNITS = 128;
/** More at once are no faster, and the first would wait for the last. */
const MOST = 32;
const RATE = 16_000n;

/** Silero's model of speech (v5, 16 kHz), for many voices at once. What is known of a voice is kept in a slot. */
export async function loadSilero(file: string): Promise<Silero> {
  const { InferenceSession, Tensor } = await loadOnnxruntime();
  const session = await InferenceSession.create(file, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  });
  const { inputNames, outputNames } = session;
  if (!['input', 'state', 'sr'].every((name) => inputNames.includes(name)) || !outputNames.includes('stateN'))
    throw new TypeError('This is another model');
  const rate = new Tensor('int64', BigInt64Array.of(RATE), []);
  const tensor = (data: Float32Array, shape: readonly number[]) => new Tensor('float32', data, shape);
  return new Silero(
    (feeds) => session.run(feeds),
    () => session.release(),
    tensor,
    rate,
  );
}

class Silero {
  readonly most = MOST;
  readonly input = new Float32Array(MOST * ROW);
  readonly #slots = new Int32Array(MOST);
  readonly #state = new Float32Array(LAYERS * MOST * UNITS);
  /** By slot: the state of both layers, and the context. */
  #states = new Float32Array(0);
  #contexts = new Float32Array(0);
  /** By how many are in it: each views the same memory. */
  readonly #feeds: Record<string, Tensor>[] = [];
  readonly #run: (feeds: Record<string, Tensor>) => Promise<Record<string, Tensor>>;
  readonly release: () => Promise<void>;

  constructor(
    run: (feeds: Record<string, Tensor>) => Promise<Record<string, Tensor>>,
    release: () => Promise<void>,
    tensor: (data: Float32Array, shape: readonly number[]) => Tensor,
    rate: Tensor,
  ) {
    this.#run = run;
    this.release = release;
    for (let size = 1; size <= MOST; size++)
      this.#feeds.push({
        input: tensor(this.input.subarray(0, size * ROW), [size, ROW]),
        state: tensor(this.#state.subarray(0, LAYERS * size * UNITS), [LAYERS, size, UNITS]),
        sr: rate,
      });
  }

  /** Where the samples of a row belong in `input`. */
  placeOf(row: number): number {
    return row * ROW + CONTEXT;
  }

  forget(slot: number): void {
    this.#states.fill(0, slot * LAYERS * UNITS, (slot + 1) * LAYERS * UNITS);
    this.#contexts.fill(0, slot * CONTEXT, (slot + 1) * CONTEXT);
  }

  /** The row is of this voice. */
  take(row: number, slot: number): void {
    if (slot * CONTEXT >= this.#contexts.length) this.#grow(slot);
    this.#slots[row] = slot;
    const context = slot * CONTEXT;
    this.input.set(this.#contexts.subarray(context, context + CONTEXT), row * ROW);
    this.#contexts.set(this.input.subarray((row + 1) * ROW - CONTEXT, (row + 1) * ROW), context);
  }

  async run(size: number): Promise<Float32Array> {
    for (let layer = 0; layer < LAYERS; layer++)
      for (let row = 0; row < size; row++) {
        const from = this.#placeOf(row, layer);
        this.#state.set(this.#states.subarray(from, from + UNITS), (layer * size + row) * UNITS);
      }
    const { output, stateN } = await this.#run(this.#feeds[size - 1] ?? {});
    const probabilities = output?.data;
    const state = stateN?.data;
    if (!(probabilities instanceof Float32Array) || !(state instanceof Float32Array))
      throw new TypeError('The model gave something else');
    for (let layer = 0; layer < LAYERS; layer++)
      for (let row = 0; row < size; row++) {
        const from = (layer * size + row) * UNITS;
        this.#states.set(state.subarray(from, from + UNITS), this.#placeOf(row, layer));
      }
    return probabilities;
  }

  #placeOf(row: number, layer: number): number {
    return ((this.#slots[row] ?? 0) * LAYERS + layer) * UNITS;
  }

  #grow(slot: number): void {
    const slots = Math.max(16, 2 * slot);
    const states = new Float32Array(slots * LAYERS * UNITS);
    states.set(this.#states);
    this.#states = states;
    const contexts = new Float32Array(slots * CONTEXT);
    contexts.set(this.#contexts);
    this.#contexts = contexts;
  }
}
