import assert from 'node:assert/strict';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { type KnownDevices, LiveDevices } from '../../src/interfaces/liveDevices.ts';
import type { AnyOperation } from '../../src/interfaces/operation.ts';
import { Authentication } from '../../src/interfaces/rest/authentication.ts';
import type { EventStreamOptions } from '../../src/interfaces/rest/eventStream.ts';
import { RateLimits } from '../../src/interfaces/rest/rateLimits.ts';
import { type RestServer, startRest } from '../../src/interfaces/rest/server.ts';
import { RuntimeSettings } from '../../src/interfaces/runtimeSettings.ts';
import { createLogger } from '../../src/logger.ts';
import { Metrics } from '../../src/metrics.ts';
import { RequestStatistics } from '../../src/requestStatistics.ts';
import { Buckets } from '../../src/store/buckets.ts';

/** A REST server with operations of a test, and nothing behind it. */
export function startOperations(
  operations: readonly AnyOperation[],
  streams: EventStreamOptions = {},
  devices: KnownDevices = { prove: () => 'wrong', scopeOf: () => undefined },
): Promise<RestServer> {
  const config = readConfig({ HEALTH_PORT: '0', SERVICE_KVSTORE_URL: 'none' });
  const clock = systemClock;
  const nothing = {
    current: undefined,
    connected: () => assert.fail(),
    reachable: () => assert.fail(),
    status: () => assert.fail(),
    reconnect: () => assert.fail(),
  };
  const settings = new RuntimeSettings(config, nothing);
  const buckets = { api: new Buckets(clock), chat: new Buckets(clock), v1: new Buckets(clock) };
  return startRest({
    config,
    clock,
    devices,
    liveDevices: new LiveDevices(devices.scopeOf),
    authentication: new Authentication(undefined, clock),
    log: createLogger('silent'),
    metrics: new Metrics(),
    statistics: new RequestStatistics(clock),
    limits: new RateLimits({ settings, clock, buckets, shared: undefined }),
    operations,
    version: '0',
    streams,
  });
}
