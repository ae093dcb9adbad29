import { createHash, randomUUID } from 'node:crypto';
import type { Caller } from './operation.ts';

/** A new id; the same one again for a request that is repeated under its `Idempotency-Key`. */
export function newIdFor({ commandId }: Caller): string {
  return commandId ? createHash('sha256').update(commandId).digest('hex').slice(0, 32) : randomUUID();
}
