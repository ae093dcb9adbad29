import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { resetOnboarding } from '../../commands/system/setup.ts';
import { lazily } from '../../lazily.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, defineOperation } from '../operation.ts';

const area = 'system';
const nothing = lazily(() => z.object({}));
const port = lazily(() => z.int().nullable());

export interface Ports {
  voice: number | null;
  mcp: number | null;
  health: number | null;
  /** Only where it is on. */
  wyoming?: number;
}

const capabilities = lazily(() =>
  z.object({
    cpu: z.object({ cores: z.int(), model: z.string() }),
    memory: z.object({ totalMb: z.number(), availableMb: z.number() }),
    gpu: z.object({ available: z.boolean(), type: z.string().nullable() }),
    'local-runner': z.object({ available: z.boolean() }),
    'container-runtime': z.object({ available: z.boolean() }),
  }),
);

interface SystemDependencies {
  readonly kvstore: Kvstore;
  readonly clock: Clock;
  readonly ports: Ports;
  /** What is to be known of this service, if anything is. */
  readonly notice: string | undefined;
  readonly probeMachine: () => Promise<z.output<ReturnType<typeof capabilities>>>;
}

export function systemOperations({
  kvstore,
  clock,
  ports,
  notice,
  probeMachine,
}: SystemDependencies): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'system.info',
      area,
      device: 'never',
      summary: 'The running process',
      rest: { method: 'GET', path: '/api/system/info' },
      input: nothing,
      output: () =>
        z.object({
          uptime: z.number(),
          nodeVersion: z.string(),
          platform: z.string(),
          arch: z.string(),
          memoryUsage: z.object({
            rss: z.number(),
            heapTotal: z.number(),
            heapUsed: z.number(),
            external: z.number(),
            arrayBuffers: z.number(),
          }),
          ports: z.object({
            voice: port(),
            mcp: port(),
            health: port(),
            wyoming: z.int().exactOptional().describe('Only where `WYOMING_PORT` is set'),
          }),
          timestamp: z.number(),
          notice: z.string().exactOptional().describe('A notice about this service (`SERVICE_NOTICE`)'),
        }),
      errors: [],
      example: { input: {} },
      run: () => ({
        uptime: process.uptime(),
        nodeVersion: process.version,
        platform: process.platform,
        arch: process.arch,
        memoryUsage: process.memoryUsage(),
        ports,
        timestamp: clock(),
        ...(notice === undefined ? {} : { notice }),
      }),
    }),
    defineOperation({
      name: 'system.kvstoreStatus',
      area,
      device: 'never',
      summary: 'Whether the key-value store is connected',
      rest: { method: 'GET', path: '/api/system/kvstore-status' },
      input: nothing,
      output: () =>
        z.object({
          connected: z.boolean(),
          url: z.string(),
          version: z.string().describe('Of SQLite or Redis; empty when there is none, or it is unknown'),
          error: z.string().optional(),
        }),
      errors: [],
      example: { input: {} },
      async run() {
        const { connected, url, version, error } = await kvstore.status();
        return { connected, url, version, ...(error === undefined ? {} : { error }) };
      },
    }),
    defineOperation({
      name: 'system.reconnectKvstore',
      area,
      device: 'never',
      summary: 'Reconnects to the key-value store, and restarts what uses it',
      rest: { method: 'POST', path: '/api/system/reconnect-kvstore', isPowerful: true },
      input: nothing,
      output: () => z.object({ reconnected: z.literal(true), services: z.array(z.string()) }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      run: async () => ({ reconnected: true as const, services: [...(await kvstore.reconnect())] }),
    }),
    defineOperation({
      name: 'system.capabilities',
      area,
      device: 'never',
      summary: 'The hardware and system of this machine',
      rest: { method: 'GET', path: '/api/system/capabilities' },
      input: nothing,
      output: capabilities,
      errors: [],
      example: { input: {} },
      run: probeMachine,
    }),
    defineOperation({
      name: 'system.resetOnboarding',
      area,
      device: 'never',
      summary: 'Opens the steps of the setup again that were skipped or said to be done; facts stay',
      rest: { method: 'POST', path: '/api/system/reset-onboarding', isPowerful: true },
      input: nothing,
      output: () => z.object({ success: z.literal(true), message: z.string() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      async run(_input, caller) {
        await kvstore.connected().runner.run(resetOnboarding, {}, caller);
        return { success: true as const, message: 'The setup wizard runs again on the next load of the app' };
      },
    }),
  ];
}
