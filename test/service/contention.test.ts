import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { range } from '../support/range.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { ServiceProcess } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

const EACH = 100;

test('three services to which one user writes at once keep all of it, and refuse nothing', {
  ...skippedFor(redisIsMissing),
}, async (t) => {
  const redis = await RedisServer.start();
  t.onTestFinished(() => redis.stop());
  const processes = range(0, 3).map(() => {
    const directory = mkdtempSync(join(tmpdir(), 'hark-contention-'));
    t.onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    return new ServiceProcess({
      SERVICE_KVSTORE_URL: redis.url,
      SERVICE_DATA_DIR: directory,
      OLLAMA_HOST: 'http://127.0.0.1:9',
      API_RATE_LIMIT: '100000',
    });
  });
  t.onTestFinished(async () => {
    await Promise.all(processes.map((one) => one.stop()));
  });
  const services = await Promise.all(processes.map((process) => process.ready()));

  const answers = await Promise.all(
    services.map(async (service, of) => {
      const given: { status: number; ms: number }[] = [];
      for (const n of range(0, EACH)) {
        const began = performance.now();
        const body = { text: `The user keeps bee colony ${of * EACH + n}.` };
        const { status } = await service.ask('POST', '/api/memory/conclusions', { body });
        given.push({ status, ms: performance.now() - began });
      }
      return given;
    }),
  );
  assert.deepEqual([...new Set(answers.flat().map(({ status }) => status))], [201]);
  const slowest = Math.max(...answers.flat().map(({ ms }) => ms));
  await t.annotate(`the slowest of ${3 * EACH} took ${Math.round(slowest)} ms`);
  assert.ok(slowest < 5_000);
  const known = async () =>
    (await services[0]?.get<{ count: number }>('/api/memory/conclusions'))?.body.count;
  // What the others wrote is known here a moment later.
  while ((await known()) !== 3 * EACH);
});
