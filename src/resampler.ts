/** Zero crossings of the filter on each side of a sample. */
const HALF_WIDTH = 8;
/** Kaiser's: 60 dB. */
const BETA = 6;

/**
 * From one rate to another, piece by piece: a windowed sinc, cut off below half of the lower rate so that nothing is
 * mirrored. Rates are whole numbers, so the places between two samples repeat, and each has its weights reckoned once.
 */
export class Resampler {
  readonly #from: number;
  readonly #to: number;
  readonly #reach: number;
  readonly #cut: number;
  /** By the place between two samples. In doubles, as sums are: to widen each would cost as much as to multiply it. */
  readonly #weights: Float64Array[] = [];
  /** Input that is still needed, `#length` of it; the first is silence before all that came. */
  #kept: Float64Array;
  #length: number;
  /** Of the next output sample: where its weights begin in what is kept, and how far behind a sample it lies. */
  #first = 0;
  #phase = 0;

  constructor(from: number, to: number) {
    const divisor = greatestDivisor(from, to);
    this.#from = from / divisor;
    this.#to = to / divisor;
    this.#cut = Math.min(1, to / from) * 0.95;
    this.#reach = Math.ceil(HALF_WIDTH / this.#cut);
    this.#length = this.#reach - 1;
    this.#kept = new Float64Array(this.#length);
  }

  /** What is ready once these came; the end of it comes with the next, or with `end`. */
  push(samples: Int16Array): Int16Array {
    if (this.#from === this.#to) return samples;
    const length = this.#length + samples.length;
    if (length > this.#kept.length) {
      const kept = new Float64Array(length + this.#reach);
      kept.set(this.#kept.subarray(0, this.#length));
      this.#kept = kept;
    }
    this.#kept.set(samples, this.#length);
    this.#length = length;
    return this.#drain();
  }

  end(): Int16Array {
    if (this.#from === this.#to) return new Int16Array(0);
    return this.push(new Int16Array(this.#reach));
  }

  /** As much as all of its input is there for. */
  #drain(): Int16Array {
    const taps = 2 * this.#reach;
    const room = this.#length - taps - this.#first;
    const count = room < 0 ? 0 : Math.floor(((room + 1) * this.#to - this.#phase - 1) / this.#from) + 1;
    const out = new Int16Array(count);
    const kept = this.#kept;
    let first = this.#first;
    let phase = this.#phase;
    for (let index = 0; index < count; index++) {
      const sum = weighted(kept, first, this.#weightsAt(phase));
      out[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
      phase += this.#from;
      while (phase >= this.#to) {
        phase -= this.#to;
        first++;
      }
    }
    const gone = Math.min(first, this.#length);
    kept.copyWithin(0, gone, this.#length);
    this.#length -= gone;
    this.#first = first - gone;
    this.#phase = phase;
    return out;
  }

  #weightsAt(phase: number): Float64Array {
    const known = this.#weights[phase];
    if (known) return known;
    const weights = new Float64Array(2 * this.#reach);
    let sum = 0;
    for (let tap = 0; tap < weights.length; tap++) {
      const distance = tap - this.#reach + 1 - phase / this.#to;
      const weight = sinc(distance * this.#cut) * kaiser(distance / this.#reach);
      weights[tap] = weight;
      sum += weight;
    }
    for (let tap = 0; tap < weights.length; tap++) weights[tap] = (weights[tap] ?? 0) / sum;
    this.#weights[phase] = weights;
    return weights;
  }
}

/** Weights come in pairs. Two sums at a time, as an addition waits for the one before it. */
function weighted(samples: Float64Array, first: number, weights: Float64Array): number {
  let even = 0;
  let odd = 0;
  for (let tap = 0; tap < weights.length; tap += 2) {
    even += (samples[first + tap] ?? 0) * (weights[tap] ?? 0);
    odd += (samples[first + tap + 1] ?? 0) * (weights[tap + 1] ?? 0);
  }
  return even + odd;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** 1 in the middle, and 0 from 1 on. */
function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(BETA * Math.sqrt(1 - x * x)) / bessel(BETA);
}

function bessel(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; k < 20; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
