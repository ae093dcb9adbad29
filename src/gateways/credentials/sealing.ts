import { createHmac, type ScryptOptions, scrypt } from 'node:crypto';
import { decrypt, encrypt } from '../../aesGcm.ts';

const KEY_BYTES = 32;
const COST = { N: 16_384, r: 8, p: 1 };

/** What the keys of the file are made from: something only this machine has, and a salt. */
export interface KeyMaterial {
  readonly secret: Buffer;
  readonly salt: Buffer;
}

export interface FileKeys {
  readonly encryption: Buffer;
  readonly authentication: Buffer;
  /** Tells files of other keys apart, and nothing about the keys. */
  readonly id: string;
}

/** One provider key, encrypted: all in base64. */
export interface Sealed {
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

/** Takes tens of milliseconds, off the main thread. */
export async function deriveKeys(material: KeyMaterial): Promise<FileKeys> {
  const derived = await stretch(material, 2 * KEY_BYTES, COST);
  const authentication = derived.subarray(KEY_BYTES);
  const id = authenticate('key id', authentication).subarray(0, 8).toString('hex');
  return { encryption: derived.subarray(0, KEY_BYTES), authentication, id };
}

export function stretch(
  { secret, salt }: KeyMaterial,
  bytes: number,
  options: ScryptOptions,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

export function authenticate(text: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Bound to the provider: under another provider's name it does not open. */
export function seal(apiKey: string, providerId: string, encryption: Buffer): Sealed {
  const { iv, tag, data } = encrypt(apiKey, encryption, providerId);
  return { iv: inBase64(iv), tag: inBase64(tag), data: inBase64(data) };
}

/** Throws when it is not what was sealed for this provider under this key. */
export function unseal({ iv, tag, data }: Sealed, providerId: string, encryption: Buffer): string {
  const parts = { iv: fromBase64(iv), tag: fromBase64(tag), data: fromBase64(data) };
  return decrypt(parts, encryption, providerId).toString('utf8');
}

function inBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
