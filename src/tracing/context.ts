import { createHash } from 'node:crypto';

/*
 * Where a span belongs follows from ids that the log has anyway, so that whoever exports it again, or on another day,
 * gives it the same ids. What came in with a `traceparent` of W3C's Trace Context has that as its correlation id, and
 * belongs to the caller's trace.
 */

export interface TraceContext {
  readonly traceId: string;
  /** Of the caller, where one was named. */
  readonly parentSpanId: string | undefined;
  /** False where the caller does not record its trace: then nobody could use ours. */
  readonly isSampled: boolean;
}

const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const LONGEST = 512;
const RECORDED = 1;

/** In the form of version 00, which fits in an id; undefined where it is none. */
export function readTraceparent(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > LONGEST) return undefined;
  const [, traceId, parentId, flags = '00'] = TRACEPARENT.exec(given) ?? [];
  return traceId && `00-${traceId}-${parentId}-${flags}`;
}

export function contextOf(correlationId: string): TraceContext {
  const [, traceId, parentSpanId, flags = '00'] = TRACEPARENT.exec(correlationId) ?? [];
  if (traceId === undefined)
    return { traceId: hashed(correlationId, 32), parentSpanId: undefined, isSampled: true };
  return { traceId, parentSpanId, isSampled: (Number.parseInt(flags, 16) & RECORDED) === RECORDED };
}

/** `what` names it among all of its trace. */
export function spanIdOf(traceId: string, what: string): string {
  return hashed(`${traceId} ${what}`, 16);
}

/** What has a span, by what the log calls it. */
export const named = {
  turn: (turnId: string) => `turn ${turnId}`,
  /** An attempt at an occurrence of a task: the turn in which it is said, if it is, has its name for an id. */
  run: (attempt: string) => `run ${attempt}`,
  step: (turnId: string, step: number) => `step ${turnId} ${step}`,
  /** A model that did not answer. */
  attempt: (turnId: string, step: number, place: number) => `attempt ${turnId} ${step} ${place}`,
  recall: (turnId: string) => `recall ${turnId}`,
  call: (turnId: string, callId: string) => `call ${turnId} ${callId}`,
  event: (eventId: string) => `event ${eventId}`,
};

/** As it is handed on to whoever is asked next; within the span of that name, where there is one. */
export function traceparentOf(correlationId: string, within?: string): string {
  const { traceId, parentSpanId, isSampled } = contextOf(correlationId);
  const spanId = within === undefined ? parentSpanId : spanIdOf(traceId, within);
  return `00-${traceId}-${spanId ?? spanIdOf(traceId, 'root')}-${isSampled ? '01' : '00'}`;
}

function hashed(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
