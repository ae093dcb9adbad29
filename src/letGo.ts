/** Smaller ones may lie in memory that Node shares among many, and are few among what is collected. */
const LARGE = 2 ** 18;

/**
 * Frees the memory of bytes that nobody reads any more, all that it holds, and leaves them empty. V8 counts what its
 * objects hold outside its heap: megabytes that wait for the next collection of young objects add up to where it
 * begins to collect everything, at every tenth request.
 */
export function letGo({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= LARGE) buffer.transfer(0);
}
