import { hash } from 'node:crypto';

/** What is known of keys. All are 32 bytes in base64url. */
export interface DeviceKeys {
  isPublicKey(text: string): boolean;
  isSigned(text: string, signature: string, publicKey: string): boolean;
  /** The service's own, the same as long as its secret is. */
  ofService(): Promise<{ readonly publicKey: string; sign(text: string): string }>;
}

/** What is kept of a secret. */
export function digestOf(secret: string): string {
  return hash('sha256', secret);
}

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const HOW_MANY = 12;

interface Exchanged {
  readonly publicKey: string;
  readonly serviceKey: string;
  readonly nonce: string;
  readonly serviceNonce: string;
}

/**
 * The letters that both sides work out for themselves and a person compares: who stands between them, and shows each of
 * them a key of their own, cannot have them be the same.
 */
export function lettersOf({ publicKey, serviceKey, nonce, serviceNonce }: Exchanged): string {
  const parts = [publicKey, serviceKey, nonce, serviceNonce].map((part) => Buffer.from(part, 'base64url'));
  const digest = hash('sha256', Buffer.concat(parts), 'buffer');
  return Array.from(digest.subarray(0, HOW_MANY), (byte) => LETTERS[byte % LETTERS.length]).join('');
}
