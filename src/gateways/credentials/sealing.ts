import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  type ScryptOptions,
  scrypt,
} from 'node:crypto';

const IV_BYTES = 12;
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
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', encryption, iv).setAAD(Buffer.from(providerId));
  const data = Buffer.concat([cipher.update(apiKey, 'utf8'), cipher.final()]);
  return {
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
}

/** Throws when it is not what was sealed for this provider under this key. */
export function unseal({ iv, tag, data }: Sealed, providerId: string, encryption: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', encryption, Buffer.from(iv, 'base64'), {
    authTagLength: 16,
  })
    .setAAD(Buffer.from(providerId))
    .setAuthTag(Buffer.from(tag, 'base64'));
  return Buffer.concat([decipher.update(data, 'base64'), decipher.final()]).toString('utf8');
}
