import { spanIdOf, type TraceContext } from '../../tracing/context.ts';
import { attributesOf, type Span } from '../../tracing/span.ts';

/** An event as spans are made of it. What is personal in it reads as null, unless it was asked for. */
export interface TracedEvent {
  readonly id: string;
  readonly type: string;
  readonly at: number;
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly data: unknown;
}

interface Part {
  /** What it is among all of its trace. */
  readonly is: string;
  /** Of what it is a part; of whatever the caller was at, where nothing is said. */
  readonly within?: string | undefined;
  readonly name: string;
  readonly kind?: Span['kind'];
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Parameters<typeof attributesOf>[0];
  readonly error?: string | undefined;
}

/** A span of the trace in which an event happened. */
export function spanIn({ traceId, parentSpanId }: TraceContext, part: Part): Span {
  const { is, within, name, kind = 'internal', startMs, endMs, attributes, error } = part;
  return {
    traceId,
    spanId: spanIdOf(traceId, is),
    parentSpanId: within === undefined ? parentSpanId : spanIdOf(traceId, within),
    name,
    kind,
    startMs: Math.min(startMs, endMs),
    endMs,
    attributes: attributesOf({ ...attributes, 'error.type': error }),
    error,
  };
}
