import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client';
import { type Collector, urlOf } from './collector.ts';

export type ReadMetrics = () => Promise<readonly MetricObjectWithValues<MetricValue<string>>[]>;

/** Since then counters count, as OTLP wants to know. */
const STARTED_MS = Math.round(performance.timeOrigin);
const CUMULATIVE = 2;

/** Sends what `/metrics` shows to a collector, under the same names, now and then. */
export class OtlpMetrics {
  readonly #delegate;
  readonly #collector: Collector;

  constructor(collector: Collector) {
    this.#collector = collector;
    const json = { 'content-type': 'application/json' };
    this.#delegate = createOtlpHttpExportDelegate<object, unknown>(
      convertLegacyHttpOptions({ url: urlOf(collector, 'metrics') }, 'METRICS', 'v1/metrics', json),
      {
        serializeRequest: (request) => Buffer.from(JSON.stringify(request)),
        deserializeResponse: (data) =>
          data.length === 0 ? {} : JSON.parse(Buffer.from(data).toString('utf8')),
      },
      'otlp_http_metric_exporter',
      { name: 'metric_data_point', countItems: () => 1 },
      undefined,
    );
  }

  send(metrics: Awaited<ReturnType<ReadMetrics>>, nowMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#delegate.export(requestOf(metrics, nowMs, this.#collector), ({ error }) => {
      if (error) reject(new Error('The collector did not take the metrics', { cause: error }));
      else resolve();
    });
    return promise;
  }

  stop(): Promise<void> {
    return this.#delegate.shutdown();
  }
}

function requestOf(
  metrics: Awaited<ReturnType<ReadMetrics>>,
  nowMs: number,
  { serviceName, version }: Collector,
) {
  const resource = { attributes: attributesOf({ 'service.name': serviceName, 'service.version': version }) };
  const at = { startTimeUnixNano: nanoseconds(STARTED_MS), timeUnixNano: nanoseconds(nowMs) };
  const shown = metrics.flatMap((metric) => metricsOf(metric, at));
  return {
    resourceMetrics: [{ resource, scopeMetrics: [{ scope: { name: 'hark', version }, metrics: shown }] }],
  };
}

interface Times {
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
}

type Value = MetricValue<string> | MetricValueWithName<string>;

function metricsOf(
  { name, help, type, values }: MetricObjectWithValues<MetricValue<string>>,
  at: Times,
): readonly object[] {
  const of = { name, description: help };
  switch (String(type)) {
    case 'counter':
      return [{ ...of, sum: { ...sumOf(values, at) } }];
    case 'histogram':
      return [
        {
          ...of,
          histogram: { aggregationTemporality: CUMULATIVE, dataPoints: histogramsOf(name, values, at) },
        },
      ];
    case 'summary':
      return [{ ...of, summary: { dataPoints: summariesOf(name, values, at) } }];
    default:
      return [{ ...of, gauge: { dataPoints: values.map((value) => pointOf(value, at)) } }];
  }
}

function sumOf(values: readonly Value[], at: Times) {
  return {
    aggregationTemporality: CUMULATIVE,
    isMonotonic: true,
    dataPoints: values.map((value) => pointOf(value, at)),
  };
}

function pointOf({ labels, value }: Value, at: Times) {
  return { ...at, attributes: attributesOf(labels), asDouble: value };
}

interface Series {
  readonly labels: object;
  readonly parts: [number, number][];
  sum: number;
  count: number;
}

/** What belongs to the same labels, but for the one that tells its parts apart. */
function series(name: string, values: readonly Value[], parted: 'le' | 'quantile') {
  const found = new Map<string, Series>();
  for (const { labels, value, ...rest } of values) {
    const { [parted]: part, ...others } = Object(labels);
    const key = JSON.stringify(others);
    const one: Series = found.get(key) ?? { labels: others, parts: [], sum: 0, count: 0 };
    found.set(key, one);
    const metricName = 'metricName' in rest ? rest.metricName : name;
    if (metricName === `${name}_sum`) one.sum = value;
    else if (metricName === `${name}_count`) one.count = value;
    else if (part !== undefined && part !== '+Inf') one.parts.push([Number(part), value]);
  }
  return [...found.values()];
}

function histogramsOf(name: string, values: readonly Value[], at: Times): readonly object[] {
  return series(name, values, 'le').map(({ labels, parts, sum, count }) => ({
    ...at,
    attributes: attributesOf(labels),
    sum,
    count: String(count),
    explicitBounds: parts.map(([bound]) => bound),
    // There they are not added up.
    bucketCounts: [...parts.map(([, upTo]) => upTo), count].map((upTo, place, all) =>
      String(upTo - (all[place - 1] ?? 0)),
    ),
  }));
}

function summariesOf(name: string, values: readonly Value[], at: Times): readonly object[] {
  return series(name, values, 'quantile').map(({ labels, parts, sum, count }) => ({
    ...at,
    attributes: attributesOf(labels),
    sum,
    count: String(count),
    quantileValues: parts.map(([quantile, value]) => ({ quantile, value })),
  }));
}

function attributesOf(labels: object): readonly object[] {
  return Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: String(value) } }));
}

function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`;
}
