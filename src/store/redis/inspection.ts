import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { HarkError } from '../../errors.ts';
import { toHarkError } from './failures.ts';
import { connectOnce } from './onlooker.ts';

const MIGRATIONS = join(import.meta.dirname, '../../../migrations/redis');
const OLDEST_REDIS = 7;

/** Whether a log may be kept here; brings the function library up to date. Gives the version of Redis. */
export async function inspectServer(redis: Redis): Promise<string> {
  const info = await redis.info('server', 'memory');
  const version = infoField(info, 'redis_version') ?? '0';
  if (Number.parseInt(version, 10) < OLDEST_REDIS)
    throw misconfigured(`Redis ${version} is too old: hark needs ${OLDEST_REDIS} or newer`);
  const policy = infoField(info, 'maxmemory_policy') ?? 'unknown';
  if (policy !== 'noeviction')
    throw misconfigured(
      `Redis may evict keys (maxmemory-policy is ${policy}), and a log must lose none. ` +
        'Fix it with: CONFIG SET maxmemory-policy noeviction, and the same in redis.conf',
    );
  await bringLibraryUpToDate(redis);
  return version;
}

export function infoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];
}

async function bringLibraryUpToDate(redis: Redis): Promise<void> {
  const { version, code } = library();
  const loaded = await loadedVersion(redis);
  if (loaded > version)
    throw new HarkError('LOG_NEWER', {
      message: `Redis holds the functions of a newer hark (${loaded}; this one has ${version}). Start that one`,
    });
  if (loaded < version) await redis.function('LOAD', 'REPLACE', code);
}

async function loadedVersion(redis: Redis): Promise<number> {
  try {
    return Number(await redis.fcall_ro('hark_version', 0));
  } catch (error) {
    if (error instanceof Error && /function not found/i.test(error.message)) return 0;
    throw error;
  }
}

/** Each numbered file is the whole library, and its number the version that it says it has. */
function library(): { version: number; code: string } {
  const file = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.lua'))
    .sort()
    .at(-1);
  if (!file) throw new Error('The function library for Redis is missing from this installation');
  return { version: Number.parseInt(file, 10), code: readFileSync(join(MIGRATIONS, file), 'utf8') };
}

function misconfigured(message: string): HarkError {
  return new HarkError('KVSTORE_MISCONFIGURED', { message });
}

interface RedisFacts {
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
