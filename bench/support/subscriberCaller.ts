import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from './measure.ts';

/*
 * A process of its own: has so many subscribers listen, lets something happen that is told to all of them, and says
 * when each of them had heard of it: after it was asked for, and after it was durable. It was by the time at which
 * the answer came, or the first of them heard of it.
 */

export interface SubscriberCalls {
  readonly port: number;
  readonly subscribers: number;
  readonly events: number;
}

export interface SubscriberTimes {
  readonly p50: number;
  readonly p99: number;
  /** The same, the write included. */
  readonly asked99: number;
}

const { port, subscribers, events }: SubscriberCalls = JSON.parse(process.argv[2] ?? '');

const PAUSE_MS = 20;
const SUBSCRIBE = 'GET /api/events/stream?topics=config:changed HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

let askedAt = 0;
let hasAll: () => void = () => {};
let heard = 0;
let times: number[] = [];
const afterAsked: number[] = [];
const afterDurable: number[] = [];

await Promise.all(Array.from({ length: subscribers }, subscribe));
await happen(1_000_001);
for (let event = 0; event < events; event++) {
  await wait(PAUSE_MS);
  const durableAt = Math.min(await happen(1_000_002 + event), ...times);
  afterAsked.push(...times);
  afterDurable.push(...times.map((time) => time - durableAt));
}
const result: SubscriberTimes = {
  p50: percentile(afterDurable, 50),
  p99: percentile(afterDurable, 99),
  asked99: percentile(afterAsked, 99),
};
console.log(JSON.stringify(result));
process.exit();

async function subscribe(): Promise<void> {
  const socket = connect(port, '127.0.0.1', () => socket.write(SUBSCRIBE));
  await once(socket, 'data');
  socket.on('data', (bytes) => {
    if (!bytes.includes('config:changed')) return;
    times.push(performance.now() - askedAt);
    if (++heard === subscribers) hasAll();
  });
}

/** Resolves when all have heard of it, with the time until the answer. */
async function happen(apiRateLimit: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  hasAll = resolve;
  heard = 0;
  times = [];
  const headers = { 'content-type': 'application/json' };
  const asking = request({ host: '127.0.0.1', port, path: '/api/settings', method: 'PUT', headers });
  asking.end(JSON.stringify({ apiRateLimit }));
  askedAt = performance.now();
  const [answer] = await once(asking, 'response');
  const took = performance.now() - askedAt;
  answer.resume();
  await promise;
  return took;
}
