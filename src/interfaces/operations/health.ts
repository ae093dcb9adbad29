import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import type { RequestStatistics } from '../../requestStatistics.ts';
import type { HealthRegistry } from '../healthRegistry.ts';
import { type AnyOperation, defineOperation, id } from '../operation.ts';
import { scopeNamed } from '../providerNaming.ts';
import type { VoiceSessions } from '../voiceSessions.ts';

const area = 'health';
/** Of the text exposition format. */
const EXPOSITION = 'text/plain; version=0.0.4; charset=utf-8';
const nothing = lazily(() => z.object({}));
const count = lazily(() => z.object({ total: z.int(), perMinute: z.int() }));
const entry = lazily(() =>
  z.object({
    status: z
      .enum(['healthy', 'off', 'unhealthy'])
      .describe('`off` is a service that is not configured or not used'),
    responseTime: z.number(),
    error: z.string().optional(),
    note: z.string().optional().describe('Of a service that is healthy or off: a note'),
    lastMaintenanceAt: z
      .number()
      .nullable()
      .optional()
      .describe('Of `memory-maintenance`: when the last sweep was (Unix ms); null before the first'),
    totalSweeps: z.int().optional().describe('Of `memory-maintenance`: how many there were'),
  }),
);

const report = lazily(() =>
  z.object({
    status: z.enum(['healthy', 'degraded', 'unhealthy']),
    services: z.record(z.string(), entry()),
  }),
);
const notice = lazily(() =>
  z.string().exactOptional().describe('A notice about this service (`SERVICE_NOTICE`)'),
);
const latency = lazily(() => z.object({ p50: z.number(), p95: z.number(), p99: z.number() }));
const minute = lazily(() =>
  z.object({
    requestsPerMinute: z.int(),
    errorsPerMinute: z.int(),
    activeSessions: z.int(),
    latency: latency(),
  }),
);

interface HealthDependencies {
  readonly health: HealthRegistry;
  readonly statistics: RequestStatistics;
  /** Every metric, as it is now. */
  readonly exposition: () => Promise<string>;
  readonly clock: Clock;
  readonly version: string;
  /** What is to be known of this service, if anything is. */
  readonly notice: string | undefined;
  readonly voiceSessions: VoiceSessions;
}

export function healthOperations({
  health,
  statistics,
  exposition,
  clock,
  version,
  notice: said,
  voiceSessions,
}: HealthDependencies): readonly AnyOperation[] {
  const noticed = said === undefined ? {} : { notice: said };
  const metricsNow = () => {
    const { requests, errors, latency } = statistics.figures();
    const minute = { requestsPerMinute: requests.perMinute, errorsPerMinute: errors.perMinute };
    return { ...minute, activeSessions: voiceSessions.activeCount(), latency };
  };
  return [
    defineOperation({
      name: 'health.live',
      area,
      device: 'always',
      summary: 'Whether the service answers; 503 while it starts or stops',
      rest: { method: 'GET', path: '/health' },
      input: nothing,
      output: () =>
        z.object({ status: z.literal('healthy'), version: z.string(), uptime: z.number(), notice: notice() }),
      errors: [],
      example: { input: {} },
      run: () => ({ status: 'healthy' as const, version, uptime: process.uptime(), ...noticed }),
    }),
    defineOperation({
      name: 'health.figures',
      area,
      device: 'always',
      summary: 'Requests, errors and latency (ms) of this process',
      rest: { method: 'GET', path: '/health/metrics' },
      input: nothing,
      output: () => z.object({ requests: count(), errors: count(), latency: latency(), uptime: z.number() }),
      errors: [],
      example: { input: {} },
      run: () => ({ ...statistics.figures(), uptime: process.uptime() }),
    }),
    defineOperation({
      name: 'health.service',
      area,
      device: 'always',
      summary: 'The state of one service',
      rest: { method: 'GET', path: '/health/:serviceName' },
      input: () => z.object({ serviceName: id() }),
      output: entry,
      errors: ['SERVICE_UNKNOWN', 'CHECK_FAILED'],
      example: { input: { serviceName: 'event-log' } },
      async run({ serviceName }) {
        const found = await health.check(serviceNamed(serviceName));
        if (!found) throw new HarkError('SERVICE_UNKNOWN');
        const { responseTime: _, ...told } = found;
        if (found.status === 'unhealthy') throw new HarkError('CHECK_FAILED', { body: told });
        return found;
      },
    }),
    defineOperation({
      name: 'health.report',
      area,
      device: 'never',
      summary: 'The state of every service; `degraded` when an optional one is not well',
      rest: { method: 'GET', path: '/api/health' },
      input: nothing,
      output: () => report().extend({ timestamp: z.number(), notice: notice() }),
      tool: {
        name: 'system.health',
        description:
          'Tells how this service is: as a whole, each of its parts, and requests, errors and latency in ms.',
        hints: {
          phrases:
            'system status, healthy, is running, are you ok, are you well, anything broken, wrong with you, slow, ' +
            'diagnose, all systems, errors, doctor, läuft alles, geht es dir, ça marche, funciona todo',
        },
        category: 'system',
        annotations: { title: 'Health', readOnlyHint: true, openWorldHint: false },
        result: ({ status, services }) => ({ status, services, metrics: metricsNow(), ...noticed }),
        resultSchema: () => report().extend({ metrics: minute(), notice: notice() }),
        refusal: 'Health check failed',
      },
      errors: ['CHECK_FAILED'],
      example: { input: {} },
      async run() {
        const report = await health.report().catch((cause: unknown) => {
          throw new HarkError('CHECK_FAILED', { message: 'The services could not be asked', cause });
        });
        return { ...report, timestamp: clock(), ...noticed };
      },
    }),
    defineOperation({
      name: 'health.exposition',
      area,
      device: 'always',
      summary: 'Every metric in the text exposition format',
      rest: { method: 'GET', path: '/metrics', text: EXPOSITION },
      input: nothing,
      output: () => z.string(),
      errors: [],
      example: { input: {} },
      run: exposition,
    }),
  ];
}

/** `provider-anthropic` is looked up as `provider-cloud-a`; every other service goes by its own name alone. */
function serviceNamed(name: string): string {
  return name.startsWith('provider-') ? scopeNamed(name) : name;
}
