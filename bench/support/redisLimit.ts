import { Redis } from 'ioredis';
import { RedisServer } from '../../test/support/redis.ts';

const PIPELINED = 100;
const STREAMS = 10_000;

/** A version check and an entry in a stream, and nothing else: the least that an append on Redis takes. */
const CHECK_AND_ADD = `
  local version = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
  if version ~= tonumber(ARGV[2]) then return redis.error_reply('VERSION') end
  redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
  return redis.call('XADD', KEYS[2], '*', 'event', ARGV[3])`;

/** Measures the limit on a Redis of its own (`everysec`), empties it, and hands it on with the figure. */
export async function onRedisWithLimit(
  events: readonly unknown[],
  work: (url: string, perSecond: number) => Promise<void>,
): Promise<void> {
  const server = await RedisServer.start({ appendonly: 'yes', appendfsync: 'everysec' });
  try {
    const client = new Redis(server.url);
    const perSecond = await measure(client, events);
    await client.flushall();
    client.disconnect();
    await work(server.url, perSecond);
  } finally {
    await server.stop();
  }
}

async function measure(client: Redis, events: readonly unknown[]): Promise<number> {
  const sha = String(await client.script('LOAD', CHECK_AND_ADD));
  const texts = events.map((event) => JSON.stringify(event));
  const started = performance.now();
  for (let from = 0; from < texts.length; from += PIPELINED) {
    const pipeline = client.pipeline();
    for (let index = from; index < Math.min(from + PIPELINED, texts.length); index++) {
      const version = Math.floor(index / STREAMS);
      pipeline.evalsha(sha, 2, 'versions', 'events', `agent-${index % STREAMS}`, version, texts[index] ?? '');
    }
    const failed = (await pipeline.exec())?.find(([error]) => error);
    if (failed?.[0]) throw failed[0];
  }
  return texts.length / ((performance.now() - started) / 1_000);
}
