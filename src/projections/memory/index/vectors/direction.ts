/** The same with length 1; undefined when it points nowhere. */
export function directionOf(vector: Float32Array): Float32Array<ArrayBuffer> | undefined {
  const direction = new Float32Array(vector.length);
  return writeDirection(vector, direction) ? direction : undefined;
}

/** The same into memory that is there; false, and nothing is written, when it points nowhere. */
export function writeDirection(vector: Float32Array, into: Float32Array): boolean {
  let squares = 0;
  // By places, and not by an iterator: there are millions of numbers in a large memory. The square of no 32-bit
  // number is too large or too small for 64 bits.
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at] ?? 0;
    squares += value * value;
  }
  if (!(squares > 0 && squares < Number.POSITIVE_INFINITY)) return false;
  const shortening = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at++) into[at] = (vector[at] ?? 0) * shortening;
  return true;
}
