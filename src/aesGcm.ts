import { type CipherKey, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/* AES-256-GCM, as everything that hark encrypts. How the three parts lie beside each other is for who keeps them. */

const ALGORITHM = 'aes-256-gcm';
export const IV_BYTES = 12;
export const TAG_BYTES = 16;

export interface Encrypted {
  readonly iv: Uint8Array;
  readonly tag: Uint8Array;
  readonly data: Uint8Array;
}

/**
 * `place` is bound in: what was encrypted for one does not open at another. `iv` is never the same twice under one key,
 * and drawn where it is not given.
 */
export function encrypt(
  plain: string | Uint8Array,
  key: CipherKey,
  place?: string,
  iv: Uint8Array = randomBytes(IV_BYTES),
): Encrypted & { readonly data: Buffer; readonly tag: Buffer } {
  const cipher = cipherFor(key, iv, place);
  const data = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  // In this mode nothing comes at the end but the tag.
  cipher.final();
  return { iv, tag: cipher.getAuthTag(), data };
}

/** For what comes in pieces. */
export function cipherFor(key: CipherKey, iv: Uint8Array, place?: string) {
  const cipher = createCipheriv(ALGORITHM, key, iv);
  if (place !== undefined) cipher.setAAD(Buffer.from(place));
  return cipher;
}

/** Throws when it is not what was encrypted under this key for this place. */
export function decrypt({ iv, tag, data }: Encrypted, key: CipherKey, place?: string): Buffer<ArrayBuffer> {
  // A shorter one is more easily guessed. Said to Node as an option, it takes a tenth of all.
  if (tag.length !== TAG_BYTES) throw new TypeError('The tag has another length');
  const decipher = createDecipheriv(ALGORITHM, key, iv);
  if (place !== undefined) decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(tag);
  const plain = decipher.update(data);
  // In this mode nothing comes at the end but the word that all of it is genuine.
  decipher.final();
  return plain;
}
