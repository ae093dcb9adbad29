import { toHarkError } from './failures.ts';
import { infoField } from './inspection.ts';
import { connectOnce } from './onlooker.ts';

export interface RedisFacts {
  readonly version: string;
  readonly maxmemoryPolicy: string;
  readonly appendonly: boolean;
  /** `unknown` where Redis does not let its configuration be read. */
  readonly appendfsync: string;
}

/** What a Redis says of itself, whether or not a log may be kept there. */
export async function readRedisFacts(url: string): Promise<RedisFacts> {
  const redis = await connectOnce(url);
  try {
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
