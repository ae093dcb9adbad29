import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { Span } from '../../tracing/span.ts';
import { type Collector, urlOf } from './collector.ts';

/** What comes within this time goes in one request. */
const TOGETHER_MS = 200;
const MOST_AT_ONCE = 512;

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER } as const;

type Batch = PromiseWithResolvers<void> & { readonly spans: ReadableSpan[] };

/**
 * Sends spans to a collector over OTLP and HTTP. Their times and ids are those that they come with, which is why nothing
 * of the SDK makes them: its tracers draw ids by chance, and forget with the process what was not sent.
 */
export class OtlpTraces {
  readonly #exporter: OTLPTraceExporter;
  readonly #shared: Pick<ReadableSpan, 'resource' | 'instrumentationScope'>;
  #batch: Batch | undefined;

  constructor(collector: Collector) {
    const { serviceName, version } = collector;
    this.#exporter = new OTLPTraceExporter({ url: urlOf(collector, 'traces') });
    const own = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version });
    this.#shared = {
      resource: detectResources({ detectors: [envDetector] }).merge(own),
      instrumentationScope: { name: 'hark', version },
    };
  }

  /** Resolves when the collector has taken them. */
  send(spans: readonly Span[]): Promise<void> {
    const batch = this.#batch ?? this.#begin();
    for (const span of spans) batch.spans.push(this.#readable(span));
    if (batch.spans.length >= MOST_AT_ONCE) this.#flush();
    return batch.promise;
  }

  async stop(): Promise<void> {
    this.#flush();
    await this.#exporter.shutdown();
  }

  #begin(): Batch {
    const batch = { ...Promise.withResolvers<void>(), spans: [] };
    this.#batch = batch;
    setTimeout(() => {
      if (this.#batch === batch) this.#flush();
    }, TOGETHER_MS);
    return batch;
  }

  #flush(): void {
    const batch = this.#batch;
    this.#batch = undefined;
    if (!batch) return;
    this.#exporter.export(batch.spans, ({ error }) => {
      if (error) batch.reject(new Error('The collector did not take the spans', { cause: error }));
      else batch.resolve();
    });
  }

  #readable({
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    startMs,
    endMs,
    attributes,
    error,
  }: Span): ReadableSpan {
    const traceFlags = TraceFlags.SAMPLED;
    return {
      ...this.#shared,
      name,
      kind: kinds[kind],
      spanContext: () => ({ traceId, spanId, traceFlags }),
      ...(parentSpanId === undefined
        ? {}
        : { parentSpanContext: { traceId, spanId: parentSpanId, traceFlags } }),
      startTime: timeOf(startMs),
      endTime: timeOf(endMs),
      duration: timeOf(endMs - startMs),
      ended: true,
      status: { code: error === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([key, value]) => [
          key,
          typeof value === 'object' ? [...value] : value,
        ]),
      ),
      links: [],
      events: [],
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  }
}

function timeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)];
}
