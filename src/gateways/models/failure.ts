import type { ProviderId } from './gateway.ts';

/**
 * Why a model did not answer, in the kinds that decide what happens next: whether to try again, to go to the
 * next model, or to tell the user.
 */
export type FailureKind =
  | 'billing'
  | 'rate-limit'
  | 'key'
  | 'overload'
  | 'network'
  | 'timeout'
  | 'bad-request'
  | 'model-unknown'
  | 'malformed'
  | 'cancelled'
  | 'unknown';

export interface FailureDetails {
  readonly providerId: ProviderId;
  readonly model?: string;
  readonly status?: number;
  /** What the provider asks callers to wait; not capped yet. */
  readonly retryAfterMs?: number;
  /** Billing: only this model is exhausted, and not the whole credential. */
  readonly modelOnly?: boolean;
  readonly cause?: unknown;
}

/** Never carries the provider's own text further than `cause`: it may quote the prompt or the key. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: FailureKind;
  readonly providerId: ProviderId;
  readonly model: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly modelOnly: boolean;

  constructor(kind: FailureKind, details: FailureDetails) {
    super(
      `${details.providerId}: ${kind}`,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.kind = kind;
    this.providerId = details.providerId;
    this.model = details.model;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.modelOnly = details.modelOnly ?? false;
  }
}
