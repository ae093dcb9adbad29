import { createHash } from 'node:crypto';

/** What a loaded writer says of an append that it was told is durable. */
export interface Acknowledged {
  /** Its events carry it as their correlation id. */
  readonly id: string;
  readonly stream: string;
  readonly firstVersion: number;
  readonly count: number;
  readonly position: number;
  readonly digest: string;
  /** As if all its personal text had been forgotten. */
  readonly erasedDigest: string;
  readonly commandId: string | null;
  readonly repeated: boolean;
}

interface Content {
  readonly type: string;
  readonly data: unknown;
}

export function digestOf(events: readonly Content[]): string {
  const content = events.map(({ type, data }) => [type, data]);
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

export function erasedDigestOf(events: readonly Content[]): string {
  return digestOf(events.map(({ type, data }) => ({ type, data: withoutText(data) })));
}

function withoutText(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'text' in data ? { ...data, text: null } : data;
}
