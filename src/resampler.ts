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
  readonly #weights = new Map<number, Float32Array>();
  /** Input from `#start` on, counted from the first sample ever. */
  #kept = new Float32Array(0);
  #start = 0;
  /** Of the next output sample. */
  #next = 0;

  constructor(from: number, to: number) {
    const divisor = greatestDivisor(from, to);
    this.#from = from / divisor;
    this.#to = to / divisor;
    this.#cut = Math.min(1, to / from) * 0.95;
    this.#reach = Math.ceil(HALF_WIDTH / this.#cut);
  }

  /** What is ready once these came; the end of it comes with the next, or with `end`. */
  push(samples: Int16Array): Int16Array {
    if (this.#from === this.#to) return samples;
    const all = new Float32Array(this.#kept.length + samples.length);
    all.set(this.#kept);
    all.set(samples, this.#kept.length);
    this.#kept = all;
    return this.#drain(this.#start + all.length - this.#reach);
  }

  end(): Int16Array {
    if (this.#from === this.#to) return new Int16Array(0);
    const last = this.#start + this.#kept.length;
    const silence = new Float32Array(this.#kept.length + this.#reach + 1);
    silence.set(this.#kept);
    this.#kept = silence;
    return this.#drain(last);
  }

  /** Output whose centre lies before the input sample `until`. */
  #drain(until: number): Int16Array {
    const count = Math.max(0, Math.ceil((until * this.#to) / this.#from) - this.#next);
    const out = new Int16Array(count);
    for (let index = 0; index < count; index++, this.#next++) out[index] = this.#at(this.#next);
    const needed = Math.floor((this.#next * this.#from) / this.#to) - this.#reach;
    if (needed > this.#start) {
      this.#kept = this.#kept.slice(needed - this.#start);
      this.#start = needed;
    }
    return out;
  }

  #at(output: number): number {
    const whole = Math.floor((output * this.#from) / this.#to);
    const phase = (output * this.#from) % this.#to;
    const weights = this.#weightsAt(phase);
    const first = whole - this.#reach + 1 - this.#start;
    let sum = 0;
    for (let tap = Math.max(0, -first); tap < weights.length; tap++)
      sum += (this.#kept[first + tap] ?? 0) * (weights[tap] ?? 0);
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }

  #weightsAt(phase: number): Float32Array {
    const known = this.#weights.get(phase);
    if (known) return known;
    const weights = new Float32Array(2 * this.#reach);
    let sum = 0;
    for (let tap = 0; tap < weights.length; tap++) {
      const distance = tap - this.#reach + 1 - phase / this.#to;
      const weight = sinc(distance * this.#cut) * kaiser(distance / this.#reach);
      weights[tap] = weight;
      sum += weight;
    }
    for (let tap = 0; tap < weights.length; tap++) weights[tap] = (weights[tap] ?? 0) / sum;
    this.#weights.set(phase, weights);
    return weights;
  }
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
