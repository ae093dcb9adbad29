/** The same with length 1; undefined when it points nowhere. */
export function directionOf(vector: Float32Array): Float32Array | undefined {
  let largest = 0;
  // By places, and not by an iterator: there are millions of numbers in a large memory.
  for (let at = 0; at < vector.length; at++) {
    const size = Math.abs(vector[at] ?? 0);
    if (!(size < Number.POSITIVE_INFINITY)) return undefined;
    if (size > largest) largest = size;
  }
  if (largest === 0) return undefined;
  // By the largest first: squares of the largest numbers would be infinite, those of the smallest zero.
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += ((vector[at] ?? 0) / largest) ** 2;
  const length = Math.sqrt(squares);
  const direction = new Float32Array(vector.length);
  for (let at = 0; at < vector.length; at++) direction[at] = (vector[at] ?? 0) / largest / length;
  return direction;
}
