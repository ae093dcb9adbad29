/** `crypto.randomUUID` is for pages by TLS or of this machine alone; hark is also read over plain HTTP at home. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
