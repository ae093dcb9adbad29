const BYTES_A_NUMBER = 4;

/** A vector, or several, as events keep them: each number in 32 bits, as base64. */
export function packed({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** As many whole numbers as there are. */
export function unpacked(text: string): Float32Array<ArrayBuffer> {
  // Copied: numbers have to begin where their size divides the address.
  const { buffer, byteLength } = new Uint8Array(Buffer.from(text, 'base64'));
  return new Float32Array(buffer, 0, Math.floor(byteLength / BYTES_A_NUMBER));
}
