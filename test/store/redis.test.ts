import { afterAll } from 'vitest';
import { RedisAdapter } from '../../src/store/redis/adapter.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { storeContract } from './contract.ts';

const server = redisIsMissing ? undefined : await RedisServer.start();
afterAll(() => server?.stop());

storeContract({
  name: 'redis',
  outlives: true,
  skip: redisIsMissing,
  async fresh() {
    const url = server?.url ?? '';
    const plain = server?.client();
    await plain?.flushall();
    plain?.disconnect();
    return { open: () => RedisAdapter.open(url), dispose: async () => {} };
  },
});
