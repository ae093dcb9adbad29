import type { DeviceJoining } from '../../application/devices/joining.ts';
import type { DeviceKeys } from '../../application/devices/keys.ts';
import type { DeviceProofs } from '../../application/devices/proofs.ts';
import type { Clock } from '../../clock.ts';
import { unknownDevice } from '../../commands/devices/device.ts';
import { trustOf } from '../../folds/devices/device.ts';
import {
  type DeviceTable,
  devices,
  findDevice,
  isOf,
  type KnownDevice,
} from '../../projections/devices/devices.ts';
import { nameOf } from '../../projections/devices/names.ts';
import { devicesAt } from '../../projections/devices/past.ts';
import type { Kvstore, ServiceContext } from '../kvstore.ts';
import type { Caller } from '../operation.ts';
import { type DeviceView, deviceToWire } from './deviceShapes.ts';

export interface DeviceOptions {
  readonly kvstore: Kvstore;
  readonly clock: Clock;
  readonly proofs: DeviceProofs;
  readonly joining: DeviceJoining;
  readonly keys: DeviceKeys;
  /** A key was configured: who is known showed it. */
  readonly hasKey: boolean;
  /** Where devices reach the service. */
  readonly url: () => string;
  /** As a picture. */
  readonly qr: (text: string) => Promise<string>;
}

/** Which devices a caller may see, and what they are shown of them. */
export class ShownDevices {
  readonly #options: DeviceOptions;

  constructor(options: DeviceOptions) {
    this.#options = options;
  }

  /** Throws also for one that is somebody else's. */
  own({ views }: ServiceContext, deviceId: string, { userId }: Caller): KnownDevice {
    const device = findDevice(views, deviceId, this.#options.clock());
    if (!device || !isOf(userId, device)) throw unknownDevice(deviceId);
    return device;
  }

  /** A user's devices, now or at a moment in the past. */
  async tableOf(context: ServiceContext, { userId }: Caller, at?: number): Promise<DeviceTable> {
    return at === undefined ? context.views.view(devices) : devicesAt(context, userId, at);
  }

  /** For who has just changed it. */
  async shown(context: ServiceContext, deviceId: string): Promise<DeviceView> {
    const device = findDevice(context.views, deviceId, this.#options.clock());
    if (!device) throw unknownDevice(deviceId);
    return this.view(context, device);
  }

  async view({ store }: ServiceContext, device: KnownDevice, at?: number): Promise<DeviceView> {
    const { proofs } = this.#options;
    const name = await nameOf(store, device);
    if (at !== undefined) return deviceToWire(device, name, trustOf(device));
    return deviceToWire({ ...device, ...proofs.seen(device) }, name, proofs.trustOf(device));
  }
}

/** What happens to a device is written down in whose name it came, whoever of its users does it. */
export function as({ ownerId }: KnownDevice, { commandId, correlationId }: Caller) {
  return { userId: ownerId, correlationId, ...(commandId === undefined ? {} : { commandId }) };
}
