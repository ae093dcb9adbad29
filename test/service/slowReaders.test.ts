import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { z } from 'zod';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { defineStream, type StreamMessage } from '../../src/interfaces/operation.ts';
import { Authentication } from '../../src/interfaces/rest/authentication.ts';
import { RateLimits } from '../../src/interfaces/rest/rateLimits.ts';
import { startRest } from '../../src/interfaces/rest/server.ts';
import { RuntimeSettings } from '../../src/interfaces/runtimeSettings.ts';
import { createLogger } from '../../src/logger.ts';
import { Metrics } from '../../src/metrics.ts';
import { RequestStatistics } from '../../src/requestStatistics.ts';
import { Buckets } from '../../src/store/buckets.ts';

const MESSAGE_BYTES = 65_536;
/** Far more than all buffers between two sockets of one machine. */
const MOST_BYTES = 64 * 1_048_576;

test('a reader that does not read costs little and is disconnected', async () => {
  let made = 0;
  const ended = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (;;) yield [{ data: { number: ++made, filler: 'x'.repeat(MESSAGE_BYTES) } }];
    } finally {
      ended.resolve();
    }
  }
  const rest = await startWith(streamOf(endless), 50);
  const socket = connect(rest.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET /messages HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await ended.promise;
  assert(made * MESSAGE_BYTES < MOST_BYTES, `${made} messages were made`);
  socket.resume();
  await once(socket, 'close');
  await rest.stop();
});

test('a reader that keeps up leaves nothing behind with each batch', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  async function* many() {
    for (let number = 1; number <= 30; number++)
      yield [{ data: { number, filler: 'x'.repeat(MESSAGE_BYTES) } }];
  }
  const rest = await startWith(streamOf(many), 20_000);
  const text = await (await fetch(`http://127.0.0.1:${rest.port}/messages`)).text();
  assert.match(text, /"number":30,/);
  await rest.stop();
  process.off('warning', note);
  assert.deepEqual(warnings, []);
});

function streamOf(messages: () => AsyncIterable<readonly StreamMessage[]>) {
  return defineStream({
    name: 'messages',
    area: 'test',
    summary: 'Many',
    rest: { method: 'GET', path: '/messages' },
    input: z.object({}),
    message: z.object({ number: z.number() }),
    errors: [],
    example: { input: {} },
    run: async () => messages(),
  });
}

function startWith(operation: ReturnType<typeof defineStream>, stallMs: number) {
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
  const buckets = { api: new Buckets(clock), chat: new Buckets(clock) };
  return startRest({
    config,
    authentication: new Authentication(undefined, clock),
    log: createLogger('silent'),
    metrics: new Metrics(),
    statistics: new RequestStatistics(clock),
    limits: new RateLimits({ settings, clock, buckets, shared: undefined }),
    operations: [operation],
    version: '0',
    streams: { stallMs },
  });
}
