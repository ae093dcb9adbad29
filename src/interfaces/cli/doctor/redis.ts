import { readRedisFacts } from '../../../store/redis/facts.ts';
import { describePlace } from '../openLog.ts';
import { type Check, type CheckResult, fail, ok, warn } from './check.ts';

const OLDEST_REDIS = 7;

const lossAtCrash: Readonly<Record<string, string>> = {
  always: 'nothing that was acknowledged is lost when the machine fails',
  everysec: 'up to one second of what was acknowledged is lost when the machine fails',
  no: 'what the system had not written yet is lost when the machine fails',
};

export const redisCheck: Check = {
  name: 'Redis',
  async run({ place }) {
    if (!place.url.startsWith('redis')) return [];
    const { version, maxmemoryPolicy, appendonly, appendfsync } = await readRedisFacts(place.url);
    return [
      Number.parseInt(version, 10) >= OLDEST_REDIS
        ? ok(`Redis ${version} at ${describePlace(place)}`)
        : fail(`Redis ${version} is too old`, `Install Redis ${OLDEST_REDIS} or newer`),
      maxmemoryPolicy === 'noeviction'
        ? ok('it never evicts keys')
        : fail(
            `it may evict keys (maxmemory-policy ${maxmemoryPolicy}), and a log must lose none`,
            'CONFIG SET maxmemory-policy noeviction, and the same in redis.conf',
          ),
      durability(appendonly, appendfsync),
    ];
  },
};

function durability(appendonly: boolean, appendfsync: string): CheckResult {
  if (!appendonly)
    return warn(
      'appendonly is off: everything since the last RDB file is lost when Redis ends',
      'CONFIG SET appendonly yes, and the same in redis.conf',
    );
  const loss = lossAtCrash[appendfsync] ?? 'Redis does not say how often it flushes';
  return ok(`appendonly, appendfsync ${appendfsync}: ${loss}`);
}
