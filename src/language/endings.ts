import { readFileSync } from 'node:fs';

/*
 * How much English words sound like the end of what is said: a sum of weights of the last words, how they end, and how it
 * began. They are trained on requests (scripts/trainEndings.ts): each is an end, and each beginning of it is none.
 */

export const WEIGHTS = 16_384;
/** Of the largest weight that a byte may hold. */
export const SCALE = 127;
export const WEIGHTS_FILE = new URL('./endings.bin', import.meta.url);
const LONG = 9;
const SHORT = 5;

/** Where the weights of it are. Small words, without signs. */
export function endingFeaturesOf(words: readonly string[]): readonly number[] {
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '^';
  const [first = '', second = ''] = words;
  return [
    `last ${last}`,
    `both ${before} ${last}`,
    `before ${before}`,
    `end ${last.slice(-3)}`,
    `short end ${last.slice(-2)}`,
    `length ${Math.min(words.length, LONG)}`,
    `first ${first} ${words.length < SHORT ? words.length : ''}`,
    `begins ${first} ${second}`,
  ].map(hashed);
}

let weights: { readonly bytes: Int8Array; readonly unit: number; readonly bias: number } | undefined;

/** Above zero it sounds more like an end than not. */
export function endingScore(words: readonly string[]): number {
  weights ??= read();
  let sum = weights.bias;
  for (const feature of endingFeaturesOf(words)) sum += (weights.bytes[feature] ?? 0) * weights.unit;
  return sum;
}

/** The unit and the bias come first. */
function read(): NonNullable<typeof weights> {
  const file = readFileSync(WEIGHTS_FILE);
  return {
    unit: file.readFloatLE(0),
    bias: file.readFloatLE(4),
    bytes: new Int8Array(file.buffer, file.byteOffset + 8, WEIGHTS),
  };
}

/** FNV-1a. */
function hashed(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % WEIGHTS;
}
