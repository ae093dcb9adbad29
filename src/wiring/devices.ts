import type { ScopeOf } from '../application/deviceScope.ts';
import { DeviceJoining } from '../application/devices/joining.ts';
import { DeviceProofs } from '../application/devices/proofs.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { isPublicKey, isSigned, serviceKeyFrom } from '../gateways/devices/keys.ts';
import { reachableAt } from '../gateways/network/ownAddress.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { deviceOperations } from '../interfaces/operations/devices.ts';
import { secretBoxOf } from './credentials.ts';

interface DevicesOptions {
  readonly config: Config;
  readonly kvstore: Kvstore;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of everything about the devices that speak for users. */
export class Devices {
  /** What says of every request of a device who it is. */
  readonly proofs: DeviceProofs;
  readonly #options: DevicesOptions;

  constructor(options: DevicesOptions) {
    this.#options = options;
    this.proofs = new DeviceProofs(options.onFailure);
  }

  readonly scopeOf: ScopeOf = (deviceId) => {
    const { kvstore, clock } = this.#options;
    return kvstore.current && this.proofs.standing(kvstore.current, deviceId, clock());
  };

  /** `port` is where the service listens, once it does. */
  operations(port: () => number | null): readonly AnyOperation[] {
    const { config, kvstore, clock } = this.#options;
    const { proofs } = this;
    const box = secretBoxOf(config);
    const ofService = async () => serviceKeyFrom(await box.derive('service key'));
    const keys = { isPublicKey, isSigned, ofService };
    return deviceOperations({
      ...{ kvstore, clock, proofs, keys },
      joining: new DeviceJoining({ clock, keys }),
      hasKey: config.SERVICE_API_KEY !== undefined,
      url: () => `http://${reachableAt(config.SERVICE_HOST)}:${port()}`,
      qr: async (text) => (await import('../gateways/devices/qr.ts')).qrAsSvg(text),
    });
  }

  async stop(): Promise<void> {
    const { current } = this.#options.kvstore;
    if (current) await this.proofs.flush(current);
  }
}
