import { channel } from 'node:diagnostics_channel';
import { contextOf, readTraceparent, spanIdOf, traceparentOf } from './context.ts';
import type { Span } from './span.ts';

/*
 * What the log knows nothing of, as a search or a call that came over MCP, is told while it happens. Where nobody
 * listens, nothing is made: whoever tells asks first.
 */

const live = channel('hark:spans');

export function isTraced(): boolean {
  return live.hasSubscribers;
}

function tellSpan(span: Span): void {
  live.publish(span);
}

/** Returns what ends it. */
export function onSpan(listener: (span: Span) => void): () => void {
  const heard = (span: unknown) => {
    if (isSpan(span)) listener(span);
  };
  live.subscribe(heard);
  return () => live.unsubscribe(heard);
}

function isSpan(value: unknown): value is Span {
  return typeof value === 'object' && value !== null && 'traceId' in value && 'spanId' in value;
}

/**
 * What whoever is asked next is handed on: where somebody traces, here or before us. `within` is the name of the span
 * that asks.
 */
export function handedOn(correlationId: string, within?: string): string | undefined {
  return isTraced() || readTraceparent(correlationId) ? traceparentOf(correlationId, within) : undefined;
}

interface Telling extends Pick<Span, 'name' | 'kind' | 'attributes'> {
  readonly correlationId: string;
  /** What it is a part of, as that is named; of what the caller was at, where nothing is said. */
  readonly within?: string | undefined;
}

let told = 0;

/** Tells of work, however it ends, with what `describe` makes of its result; `error` among that says that it failed. */
export async function traced<Result>(
  telling: () => Telling,
  work: () => Promise<Result>,
  describe: (result: Result) => Pick<Span, 'error'> & Partial<Pick<Span, 'attributes'>> = () => ({}),
): Promise<Result> {
  if (!isTraced()) return work();
  const startMs = performance.timeOrigin + performance.now();
  let end: ReturnType<typeof describe> = { error: '_OTHER' };
  try {
    const result = await work();
    end = describe(result);
    return result;
  } finally {
    tellPast(telling(), startMs, performance.timeOrigin + performance.now(), end);
  }
}

/** Tells of what is over. */
export function tellPast(
  { correlationId, within, attributes, ...telling }: Telling,
  startMs: number,
  endMs: number,
  end: Pick<Span, 'error'> & Partial<Pick<Span, 'attributes'>> = {},
): void {
  const { traceId, parentSpanId, isSampled } = contextOf(correlationId);
  if (!isSampled) return;
  const { error } = end;
  tellSpan({
    ...telling,
    traceId,
    spanId: spanIdOf(traceId, `live ${startMs} ${process.pid} ${++told}`),
    parentSpanId: within === undefined ? parentSpanId : spanIdOf(traceId, within),
    startMs,
    endMs,
    error,
    attributes: { ...attributes, ...end.attributes, ...(error === undefined ? {} : { 'error.type': error }) },
  });
}
