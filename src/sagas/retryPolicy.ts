import { isStoreUnavailable } from '../application/retryWhileUnavailable.ts';
import { type ErrorCode, isHarkError } from '../errors.ts';

/** What a saga does with an event that it could not answer. */
export interface RetryPolicy {
  /** So often in all it is tried to answer it; then that is recorded, and its key goes on. */
  readonly tries: number;
  /** Before the second try, where it is not as usual; each pause after that is twice as long. */
  readonly firstPauseMs?: number;
  /** None is longer than this. */
  readonly longestPauseMs?: number;
  /** What is waited for however long it takes: nothing is given up for it. */
  readonly awaits?: Awaited;
  /** No further try would bring anything else. */
  readonly hopeless?: readonly ErrorCode[];
}

interface Awaited {
  readonly codes: readonly ErrorCode[];
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** Of a saga that says nothing else. */
const usualRetry: RetryPolicy = { tries: 6 };
const USUAL_PAUSE_MS = 500;

/** No model answers now. Asking again soon would only add to what it suffers from. */
export const modelsAway: Awaited = {
  codes: ['MODEL_UNAVAILABLE', 'MODEL_TIMEOUT', 'BILLING_EXHAUSTED'],
  firstPauseMs: 30_000,
  longestPauseMs: 600_000,
};

const STORE_AWAY_MS = 1_000;

/** How often it was tried to answer an event, and how often it had to wait for what was away. */
interface Tried {
  readonly failures: number;
  readonly waits: number;
}

type Verdict = { readonly is: 'wait' | 'failure'; readonly pauseMs: number } | { readonly is: 'given-up' };

/** What is to be done after this error, which was the last of those that were counted. */
export function verdictOn(
  error: unknown,
  policy: RetryPolicy = usualRetry,
  { failures, waits }: Tried,
): Verdict {
  const { tries, awaits, hopeless = [] } = policy;
  const { firstPauseMs = USUAL_PAUSE_MS, longestPauseMs = Number.POSITIVE_INFINITY } = policy;
  if (isStoreUnavailable(error)) return { is: 'wait', pauseMs: STORE_AWAY_MS };
  if (awaits && isOneOf(error, awaits.codes)) {
    const pauseMs = Math.min(awaits.firstPauseMs * 2 ** waits, awaits.longestPauseMs);
    return { is: 'wait', pauseMs };
  }
  if (failures + 1 >= tries || isOneOf(error, hopeless)) return { is: 'given-up' };
  return { is: 'failure', pauseMs: Math.min(firstPauseMs * 2 ** failures, longestPauseMs) };
}

/** No model could be asked. One that answered what is of no use is not away: asked again it says the same. */
export function isModelAway(error: unknown): boolean {
  if (!isHarkError(error) || !modelsAway.codes.includes(error.code)) return false;
  const { cause } = error;
  return cause !== 'malformed' && Reflect.get(Object(cause), 'kind') !== 'malformed';
}

function isOneOf(error: unknown, codes: readonly ErrorCode[]): boolean {
  return isHarkError(error) && codes.includes(error.code);
}
