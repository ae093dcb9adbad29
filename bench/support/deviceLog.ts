import { randomUUID } from 'node:crypto';
import { changeDevice, registerDevice } from '../../src/commands/devices/device.ts';
import { StoreCommandRunner } from '../../src/commands/runner.ts';
import { eventCatalog } from '../../src/events/catalog.ts';
import { Log } from '../../src/store/log.ts';
import { openAdapter } from '../../src/store/open.ts';
import { callAtOnce } from './measure.ts';

const NOTHING = { audio: false, microphone: false, speaker: false, display: false, buttons: false };

/** Devices in use, as a service would leave them that ran for long and was stopped. */
export async function writeDevices(folder: string, count: number, userId: string): Promise<void> {
  const store = await Log.open(await openAdapter('embedded', folder), eventCatalog);
  const runner = new StoreCommandRunner({ store, clock: Date.now, newId: String });
  const who = { userId, correlationId: 'bench' };
  await callAtOnce(512, count, async (index) => {
    const deviceId = randomUUID();
    const newcomer = {
      ...{
        deviceId,
        type: 'esp32' as const,
        name: `Lamp ${index}`,
        capabilities: { ...NOTHING, sensors: true },
      },
      ...{ secret: '0'.repeat(64), publicKey: null, sas: null, isVouched: true },
    };
    await runner.run(registerDevice, { ...newcomer, expiresAt: Date.now() + 300_000 }, who);
    return runner.run(changeDevice, { deviceId, status: 'active', approver: userId }, who);
  });
  await store.close();
}
