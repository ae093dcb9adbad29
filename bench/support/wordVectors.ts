const DIMENSIONS = 384;

const PLACES = 4;

/** A vector for a text at once, and the nearer to another's the more words the two share: no model is measured. */
export function wordVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 0x811c9dc5;
    for (let index = 0; index < word.length; index++)
      hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193) >>> 0;
    for (let count = 0; count < PLACES; count++) {
      const place = hash % DIMENSIONS;
      vector[place] = (vector[place] ?? 0) + (hash & 65_536 ? 1 : -1);
      hash = Math.imul(hash ^ (hash >>> 13), 0x5bd1e995) >>> 0;
    }
  }
  return vector;
}
