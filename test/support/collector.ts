import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { Witness } from './sagas.ts';

const attribute = z.object({
  key: z.string(),
  value: z.object({
    stringValue: z.string().optional(),
    intValue: z.union([z.number(), z.string()]).optional(),
    doubleValue: z.number().optional(),
    boolValue: z.boolean().optional(),
    arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }).optional(),
  }),
});

const span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(attribute),
  status: z.object({ code: z.number() }),
});
const traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});
const metrics = z.object({
  resourceMetrics: z.array(
    z.object({
      scopeMetrics: z.array(z.object({ metrics: z.array(z.looseObject({ name: z.string() })) })),
    }),
  ),
});

export interface CollectedSpan extends Omit<z.output<typeof span>, 'attributes'> {
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A collector of OpenTelemetry, as far as it is asked over OTLP and HTTP: it keeps what it is sent. */
export class Collector {
  readonly url: string;
  readonly spans = new Witness<CollectedSpan>();
  readonly metrics = new Witness<{ readonly name: string }>();
  /** Of all that was sent, word for word. */
  sent = '';
  /** Answers like this until it is 200. */
  status = 200;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    server.on('request', async (request, response) => {
      const body = await json(request);
      const { status } = this;
      if (status === 200) this.#take(request.url ?? '', body);
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  }

  static async start(): Promise<Collector> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new TypeError('No port');
    return new Collector(server, address.port);
  }

  /** Resolves with all spans once there is one of this name. */
  async until(name: string): Promise<readonly CollectedSpan[]> {
    for (let count = 1; ; count++) {
      const spans = await this.spans.count(count);
      if (spans.some((one) => one.name === name)) return spans;
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #take(path: string, body: unknown): void {
    this.sent += JSON.stringify(body);
    if (path === '/v1/traces') {
      const { resourceSpans } = traces.parse(body);
      for (const { scopeSpans } of resourceSpans)
        for (const { spans } of scopeSpans)
          for (const one of spans) this.spans.add({ ...one, attributes: plain(one.attributes) });
    } else if (path === '/v1/metrics') {
      const { resourceMetrics } = metrics.parse(body);
      for (const { scopeMetrics } of resourceMetrics)
        for (const scope of scopeMetrics) for (const metric of scope.metrics) this.metrics.add(metric);
    }
  }
}

function plain(attributes: readonly z.output<typeof attribute>[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue, arrayValue } }) => {
      const list = arrayValue?.values.map((one) => one.stringValue);
      return [
        key,
        stringValue ??
          (intValue === undefined ? undefined : Number(intValue)) ??
          doubleValue ??
          boolValue ??
          list,
      ];
    }),
  );
}
