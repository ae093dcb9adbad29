import assert from 'node:assert/strict';
import { test } from 'vitest';
import { InProcessService } from '../support/service.ts';

test('where hark listens on loopback alone, it is not announced, and says so', async (t) => {
  const service = await InProcessService.start({ SERVICE_MDNS_ENABLED: 'true' });
  t.onTestFinished(() => service.stop());
  const { body } = await service.get<{ status: string; services: Record<string, object> }>('/api/health');
  const { mdns } = body.services;
  assert.deepEqual(
    { ...mdns, responseTime: 0 },
    { status: 'off', responseTime: 0, note: 'hark listens on loopback alone' },
  );
});
