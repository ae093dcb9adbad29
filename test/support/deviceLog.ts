import { digestOf } from '../../src/application/devices/keys.ts';
import { changeDevice, registerDevice } from '../../src/commands/devices/device.ts';
import { StoreCommandRunner } from '../../src/commands/runner.ts';
import { eventCatalog } from '../../src/events/catalog.ts';
import { devices } from '../../src/projections/devices/devices.ts';
import { ProjectionRuntime } from '../../src/projections/runtime.ts';
import type { StoreAdapter } from '../../src/store/adapter.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { NOW } from './given.ts';

export const NOTHING = {
  audio: false,
  microphone: false,
  speaker: false,
  display: false,
  buttons: false,
  sensors: false,
};

export const who = { userId: 'ann', correlationId: 'test' };

/** Devices on a log of their own, at a time that the test says. */
export async function deviceLog(adapter: StoreAdapter = new MemoryAdapter()) {
  const store = await Log.open(adapter, eventCatalog);
  const time = { now: NOW };
  const runner = new StoreCommandRunner({ store, clock: () => time.now, newId: () => 'id' });
  const views = new ProjectionRuntime(store, [devices]);
  await views.start();
  /** Of ann's, and in use. */
  const add = async (deviceId: string, secret: string, publicKey: string | null = null) => {
    const newcomer = {
      deviceId,
      type: 'esp32',
      name: deviceId,
      capabilities: NOTHING,
      secret: digestOf(secret),
      publicKey,
      sas: null,
      isVouched: false,
      expiresAt: time.now + 300_000,
    } as const;
    await runner.run(registerDevice, newcomer, who);
    await runner.run(changeDevice, { deviceId, status: 'active', approver: 'ann' }, who);
  };
  const change = (deviceId: string, status: 'active' | 'pending' | 'suspended' | 'revoked') =>
    runner.run(changeDevice, { deviceId, status, approver: 'ann' }, who);
  return { store, time, runner, views, add, change };
}
