import { createHmac, randomBytes } from 'node:crypto';

/* Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */

const PREFIX = 'whsec_';
const FEWEST_BYTES = 24;
const MOST_BYTES = 64;

export function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** As the standard has it: 24 to 64 bytes in base64. */
export function isSecret(secret: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return false;
  const { length } = keyOf(secret);
  return length >= FEWEST_BYTES && length <= MOST_BYTES;
}

export interface SignedMessage {
  /** The same whenever it is sent: by it a receiver knows what came twice. */
  readonly id: string;
  readonly sentAt: number;
  readonly body: string;
}

export function signatureHeaders(
  { id, sentAt, body }: SignedMessage,
  secret: string,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt / 1_000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
