/** The same with length 1; undefined when it points nowhere. */
export function directionOf(vector: Float32Array): Float32Array | undefined {
  let largest = 0;
  for (const value of vector) {
    if (!Number.isFinite(value)) return undefined;
    largest = Math.max(largest, Math.abs(value));
  }
  if (largest === 0) return undefined;
  // By the largest first: squares of the largest numbers would be infinite, those of the smallest zero.
  let squares = 0;
  for (const value of vector) squares += (value / largest) ** 2;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / largest / length);
}
