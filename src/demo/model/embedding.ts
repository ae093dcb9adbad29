import { createHash } from 'node:crypto';

const DIMENSIONS = 64;

/** The same for the same text, of length 1, and the closer the more words two texts share. */
export function embeddingOf(text: string): readonly number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const hash = createHash('sha256').update(word).digest();
    for (let index = 0; index < 4; index++) {
      const place = hash.readUInt8(2 * index) % DIMENSIONS;
      vector[place] = (vector[place] ?? 0) + (hash.readUInt8(2 * index + 1) % 2 === 0 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
