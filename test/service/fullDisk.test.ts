import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'vitest';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { noSmallDisk, SmallDisk } from '../support/smallDisk.ts';

const folder = temporaryFolder('full-service');
const REASON = 'Storage is full; nothing was written';

test('a full disk is refused, told once and over when there is room', {
  ...skippedFor(noSmallDisk),
}, async (t) => {
  const place = join(folder, 'disk');
  const disk = new SmallDisk(place, 8);
  t.onTestFinished(() => disk.unmount());
  const service = await InProcessService.start({
    SERVICE_KVSTORE_URL: 'embedded',
    SERVICE_DATA_DIR: join(place, 'data'),
    API_RATE_LIMIT: '1000',
  });
  t.onTestFinished(() => service.stop());
  const steps = async () =>
    (await service.get<{ settings: Record<string, { value: unknown }> }>('/api/settings')).body.settings
      .agentMaxSteps?.value;

  assert.equal((await service.put('/api/settings', { agentMaxSteps: 3 })).status, 200);
  disk.fill();
  for (let asked = 0; asked < 20; asked++) {
    const { status, body } = await service.put('/api/settings', { agentMaxSteps: 4 + asked });
    assert.deepEqual([status, body.error], [503, REASON]);
  }
  assert.equal(await steps(), 3);
  const full = await service.get('/health/event-log');
  assert.deepEqual([full.status, full.body.status, full.body.error], [503, 'unhealthy', REASON]);
  assert.equal((await service.get('/api/health')).body.status, 'degraded');
  assert.equal((await service.get('/health')).status, 200);
  await service.logs(/STORAGE_FULL.*failed; trying again/);

  disk.makeRoom();
  assert.equal((await service.put('/api/settings', { agentMaxSteps: 5 })).status, 200);
  assert.equal(await steps(), 5);
  assert.equal((await service.get('/health/event-log')).status, 200);
  await service.logs(/the key-value store is back/);
  const lines = service.logged.split('\n').filter((line) => /"what":"event-log"|is back/.test(line));
  assert.equal(lines.length, 2, lines.join('\n'));
});
