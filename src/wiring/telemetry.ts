import type { Config } from '../config.ts';
import type { Collector } from '../gateways/telemetry/collector.ts';
import type { OtlpMetrics } from '../gateways/telemetry/otlpMetrics.ts';
import type { OtlpTraces } from '../gateways/telemetry/otlpTraces.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { Metrics } from '../metrics.ts';
import type { AnySaga } from '../sagas/saga.ts';
import { onSpan } from '../tracing/live.ts';
import type { Span } from '../tracing/span.ts';

interface TelemetryOptions {
  readonly config: Config;
  readonly version: string;
  readonly kvstore: Pick<Kvstore, 'connected'>;
  readonly metrics: Pick<Metrics, 'read'>;
  /** To be called before the metrics are read. */
  readonly lookAround: () => Promise<unknown>;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** What is told to a collector. Where none is named there is nothing here, and nothing of it is loaded. */
export class Telemetry {
  readonly #options: TelemetryOptions;
  readonly #collector: Collector | undefined;
  #opening: Promise<{ readonly traces: OtlpTraces; readonly metrics: OtlpMetrics } | undefined> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopListening = () => {};

  constructor(options: TelemetryOptions) {
    this.#options = options;
    this.#collector = collectorOf(options.config, options.version);
  }

  async sagas(): Promise<readonly AnySaga[]> {
    const sending = await this.#open();
    if (!sending) return [];
    const { exportSpans } = await import('../sagas/telemetry/exportSpans.ts');
    const { config, kvstore } = this.#options;
    return [
      exportSpans({
        store: () => kvstore.connected().store,
        send: (spans) => sending.traces.send(spans),
        withContent: config.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
      }),
    ];
  }

  start(): void {
    if (!this.#collector) return;
    const { config } = this.#options;
    this.#stopListening = onSpan((span) => void this.#send(span));
    this.#timer = setInterval(() => void this.#sendMetrics(), config.OTEL_METRIC_EXPORT_INTERVAL).unref();
  }

  async stop(): Promise<void> {
    this.#stopListening();
    clearInterval(this.#timer);
    await this.#sendMetrics();
    const sending = await this.#open();
    await Promise.all([sending?.traces.stop(), sending?.metrics.stop()]).catch((error) =>
      this.#failed(error),
    );
  }

  #open() {
    this.#opening ??= this.#load();
    return this.#opening;
  }

  /** Undefined where nothing is to be sent, or the packages for it, which are optional, are not there. */
  async #load() {
    const collector = this.#collector;
    if (!collector) return undefined;
    try {
      const [{ OtlpTraces }, { OtlpMetrics }] = await Promise.all([
        import('../gateways/telemetry/otlpTraces.ts'),
        import('../gateways/telemetry/otlpMetrics.ts'),
      ]);
      return { traces: new OtlpTraces(collector), metrics: new OtlpMetrics(collector) };
    } catch (error) {
      this.#options.onFailure('packages of OpenTelemetry', error);
      return undefined;
    }
  }

  async #send(span: Span): Promise<void> {
    try {
      await (await this.#open())?.traces.send([span]);
    } catch (error) {
      this.#failed(error);
    }
  }

  async #sendMetrics(): Promise<void> {
    const { metrics, lookAround } = this.#options;
    try {
      const sending = await this.#open();
      if (!sending) return;
      await lookAround();
      await sending.metrics.send(await metrics.read(), Date.now());
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#options.onFailure('collector', error);
  }
}

function collectorOf(config: Config, version: string): Collector | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = config;
  return endpoint === undefined
    ? undefined
    : { endpoint: endpoint.endsWith('/') ? endpoint : `${endpoint}/`, serviceName, version };
}
