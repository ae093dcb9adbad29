import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { EventReader, InProcessService, ServiceProcess, type ServiceUnderTest } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

const WISH = { type: 'esp32', capabilities: {} };

interface Listed {
  readonly devices: readonly { readonly id: string; readonly status: string; readonly userId: string }[];
}

function register(service: ServiceUnderTest, pairingCode: string) {
  return service.ask('POST', '/api/devices/register', { body: { ...WISH, pairingCode } });
}

/** What it is killed at; each leaves it a while of its own to go on. */
const moments = {
  'when it was asked': async () => undefined,
  'when it has answered something else': (service: ServiceUnderTest) => service.get('/health'),
  'when it has told of the device': async (_service: ServiceUnderTest, news: EventReader) => news.next(),
  'when it has answered': (_service: ServiceUnderTest, _news: EventReader, answered: Promise<unknown>) =>
    answered,
};

async function newCode(service: ServiceUnderTest): Promise<string> {
  const made = await service.ask<{ code: string }>('POST', '/api/devices/pairing-codes', { body: {} });
  return made.body.code;
}

describe('a process that is killed while a device registers', () => {
  it('leaves a device that is in, or a code that still counts', async (test) => {
    const directory = mkdtempSync(join(tmpdir(), 'hark-pairing-'));
    const environment = { SERVICE_DATA_DIR: directory, SERVICE_KVSTORE_URL: 'embedded' };
    const outcomes: string[] = [];
    try {
      for (const [when, comes] of Object.entries(moments)) {
        const doomed = new ServiceProcess(environment);
        const before = await doomed.ready();
        const code = await newCode(before);
        const { body: known } = await before.get<Listed>('/api/devices');
        const topics = `${before.url}/api/events/stream?topics=device.registered`;
        const news = await EventReader.open(topics);
        const registering = register(before, code).then(
          ({ status }) => status,
          () => 'cut off',
        );
        await comes(before, news, registering);
        await doomed.stop('SIGKILL');
        const answered = await registering;
        const next = new ServiceProcess(environment);
        const after = await next.ready();
        const { body: now } = await after.get<Listed>('/api/devices');
        const isIn = now.devices.length === known.devices.length + 1;
        assert.ok(now.devices.every(({ status, userId }) => status === 'active' && userId === 'default'));
        if (answered === 201) assert.ok(isIn, 'what was acknowledged is gone');
        assert.equal((await register(after, code)).status, isIn ? 403 : 201);
        outcomes.push(`${when}: ${answered}, ${isIn ? 'in' : 'not in'}`);
        await next.stop();
      }
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
    await test.annotate(outcomes.join('; '));
  });
});

describe('two processes on one Redis', { ...skippedFor(redisIsMissing) }, () => {
  it('let one device in by a code, whichever of them it asks', async () => {
    const redis = await RedisServer.start();
    const environment = { SERVICE_KVSTORE_URL: redis.url, API_RATE_LIMIT: '1000' };
    const services = [await InProcessService.start(environment), await InProcessService.start(environment)];
    try {
      for (const service of services) {
        const code = await newCode(service);
        const all = [...services, ...services];
        const answers = await Promise.all(all.map((one) => register(one, code)));
        assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 403, 403, 403]);
      }
      for (const service of services)
        assert.equal((await service.get<Listed>('/api/devices')).body.devices.length, 2);
    } finally {
      for (const service of services) await service.stop();
      await redis.stop();
    }
  });
});
