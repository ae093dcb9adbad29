import { toHarkError } from './failures.ts';
import { infoField } from './inspection.ts';

const PATIENCE_MS = 5_000;

export interface RedisFacts {
  readonly version: string;
  readonly maxmemoryPolicy: string;
  readonly appendonly: boolean;
  /** `unknown` where Redis does not let its configuration be read. */
  readonly appendfsync: string;
}

/** What a Redis says of itself, whether or not a log may be kept there. */
export async function readRedisFacts(url: string): Promise<RedisFacts> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const info = await redis.info('server', 'memory', 'persistence');
    const [, appendfsync = 'unknown'] = await redis.config('GET', 'appendfsync').then(toTexts, () => []);
    return {
      version: infoField(info, 'redis_version') ?? 'unknown',
      maxmemoryPolicy: infoField(info, 'maxmemory_policy') ?? 'unknown',
      appendonly: infoField(info, 'aof_enabled') === '1',
      appendfsync,
    };
  } catch (error) {
    throw toHarkError(error);
  } finally {
    redis.disconnect();
  }
}

function toTexts(answer: unknown): string[] {
  return Array.isArray(answer) ? answer.map(String) : [];
}
