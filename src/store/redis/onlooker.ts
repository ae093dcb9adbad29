import type { Redis } from 'ioredis';
import { toHarkError } from './failures.ts';

const TIMEOUT_MS = 5_000;

/** One connection for one look. It is tried once, and does not come back when it is lost. */
export async function connectOnce(url: string): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
  });
  let said: unknown;
  redis.on('error', (error: unknown) => {
    said = error;
  });
  try {
    await redis.connect();
    return redis;
  } catch (error) {
    redis.disconnect();
    throw toHarkError(said ?? error);
  }
}
