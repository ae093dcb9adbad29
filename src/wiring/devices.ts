import type { ScopeOf } from '../application/deviceScope.ts';
import { DeviceProofs } from '../application/devices/proofs.ts';
import { WaitingDevices } from '../application/devices/waiting.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { deviceOperations } from '../interfaces/operations/devices.ts';

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

  operations(): readonly AnyOperation[] {
    const { config, kvstore, clock } = this.#options;
    const hasKey = config.SERVICE_API_KEY !== undefined;
    return deviceOperations({ kvstore, clock, hasKey, proofs: this.proofs, waiting: new WaitingDevices() });
  }

  async stop(): Promise<void> {
    const { current } = this.#options.kvstore;
    if (current) await this.proofs.flush(current);
  }
}
