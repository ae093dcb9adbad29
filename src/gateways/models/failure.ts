import type { ProviderId } from '../../vocabulary.ts';

/**
 * Why a model did not answer, in the kinds that decide what happens next: whether to try again, to go to the
 * next model, or to tell the user.
 */
export type FailureKind =
  | 'billing'
  | 'rate-limit'
  /** Missing, wrong, expired or revoked, or without the permission. */
  | 'key'
  | 'overload'
  | 'network'
  | 'timeout'
  /** Whatever model is asked: too long, too large, against the rules. */
  | 'bad-request'
  /** The provider does not serve this model, or not for what is asked of it: tools, images, embeddings. */
  | 'model-unknown'
  /** Not in the protocol, or not of the schema. */
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
  /** A word by which operators find the case: the provider's error code, the system's, or ours. */
  readonly code?: string;
}

/**
 * Carries nothing of what the provider said but its code, and no cause: its text, its headers and its stack may
 * quote the prompt or the key.
 */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: FailureKind;
  readonly providerId: ProviderId;
  readonly model: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly modelOnly: boolean;
  readonly code: string | undefined;

  constructor(kind: FailureKind, details: FailureDetails) {
    const code = plainCode(details.code);
    super(`${details.providerId}: ${kind}${code === undefined ? '' : ` (${code})`}`);
    this.kind = kind;
    this.providerId = details.providerId;
    this.model = details.model;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.modelOnly = details.modelOnly ?? false;
    this.code = code;
  }
}

/** Words only: what has digits or mixed case may be a key that a provider quotes. */
function plainCode(code: string | undefined): string | undefined {
  return code !== undefined &&
    code.length <= 64 &&
    /^(?:[a-z]+(?:[_-][a-z]+)*|[A-Z]+(?:_[A-Z]+)*)$/.test(code)
    ? code
    : undefined;
}
