/** What a provider refuses, by what it means; each protocol has its own words for it. */
export const failureNames = [
  /** The account has no money left. */
  'billing',
  /** A limit that its owner set is reached, for the account or the key. */
  'spend-limit',
  /** This model's quota is used up, and others still answer. */
  'model-quota',
  'rate-limit',
  'wrong-key',
  'missing-key',
  'expired-key',
  'revoked-key',
  /** The key may not do this. */
  'forbidden',
  'overloaded',
  'unavailable',
  'server-error',
  'model-unknown',
  'context-too-long',
  'bad-request',
] as const;
export type FailureName = (typeof failureNames)[number];

/** What is wrong, as the provider's protocol tells it. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What the words of a refusal may quote. */
export interface Refused {
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

export function retryAfter({ retryAfterSeconds }: Refused): Readonly<Record<string, string>> {
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
}

export const asText = { 'content-type': 'text/plain' };
