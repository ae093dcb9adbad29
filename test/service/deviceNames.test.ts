import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { bytesOf, temporaryFolder } from '../support/dataDirectory.ts';
import { addDevice, changeDevice } from '../support/devices.ts';
import { InProcessService } from '../support/service.ts';

interface Shown {
  readonly device: { readonly name: string | null; readonly status: string };
}

describe('what a device is called', () => {
  const directory = temporaryFolder('device-names');
  let service: InProcessService;
  beforeAll(async () => {
    const store = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
    service = await InProcessService.start({ API_RATE_LIMIT: '1000000', ...store });
  });
  afterAll(() => service.stop());
  const shown = async (id: string) => (await service.get<Shown>(`/api/devices/${id}`)).body.device;
  const erase = (user: string) => service.ask('DELETE', '/api/memory', { headers: { 'x-user-id': user } });

  test('is erased with everything of whom it speaks for, also where it came in another name', async () => {
    const [bens, anns] = [await addDevice(service), await addDevice(service)];
    await changeDevice(service, bens.id, { name: 'Watch of Benedikt' });
    await changeDevice(service, anns.id, { name: 'Lamp of Annabel' });
    for (const [device, userId] of [
      [bens, 'ben'],
      [anns, 'ann'],
    ] as const)
      await service.ask('POST', `/api/devices/${device.id}/link`, { body: { userId } });
    assert.equal((await erase('ben')).status, 200);
    assert.deepEqual([(await shown(bens.id)).name, (await shown(anns.id)).name], [null, 'Lamp of Annabel']);
    for (const [name, bytes] of bytesOf(directory)) assert.ok(!bytes.includes('Benedikt'), name);
    // It goes on, and may be called something else.
    assert.equal((await service.get('/api/notifications', bens.headers)).status, 200);
    await changeDevice(service, bens.id, { name: 'A watch' });
    assert.equal((await shown(bens.id)).name, 'A watch');
    assert.equal((await erase('ben')).status, 200);
    assert.equal((await shown(bens.id)).name, null);
  });
});
