/** Where telemetry goes, and in whose name. What else OpenTelemetry's variables say of it, its exporters read. */
export interface Collector {
  readonly endpoint: string;
  readonly serviceName: string;
  readonly version: string;
}

/** Where a signal of it goes, as the specification of the variable has it. */
export function urlOf({ endpoint }: Collector, signal: 'traces' | 'metrics'): string {
  return new URL(`v1/${signal}`, endpoint).href;
}
