import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Keys of order 8 and less, but for the sign: a signature that holds for any text is easily made for them. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

/** Whether 32 bytes in base64url may be somebody's Ed25519 key. */
export function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== 32 || bytes.toString('base64url') !== text) return false;
  const unsigned = Buffer.from(bytes);
  unsigned.writeUInt8(unsigned.readUInt8(31) & 0x7f, 31);
  return !SMALL_ORDER.has(unsigned.toString('hex'));
}

/** Whether this is the signature, in base64url, of who has the key that belongs to this one. */
export function isSigned(text: string, signature: string, publicKey: string): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.length !== 64) return false;
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, bytes);
  } catch {
    // What is no point of the curve has signed nothing.
    return false;
  }
}

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key of the service's own: the same as long as its secret is. */
export interface ServiceKey {
  /** 32 bytes in base64url. */
  readonly publicKey: string;
  /** In base64url. */
  sign(text: string): string;
}

export function serviceKeyFrom(seed: Buffer): ServiceKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return {
    publicKey: rawOf(createPublicKey(key)),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  };
}

function rawOf(key: KeyObject): string {
  const { x = '' } = key.export({ format: 'jwk' });
  return x;
}
