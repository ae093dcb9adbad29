import { type DeviceAccess, type DeviceScope, mayDevice, type ScopeOf } from '../application/deviceScope.ts';

/** Why a proof does not count: it is wrong, or right and of a device that may not ask. */
export type ProofRefusal = 'wrong' | 'pending' | 'suspended' | 'revoked' | 'unlinked';

/** Of devices, as far as whoever carries what they ask has to know. */
export interface KnownDevices {
  /**
   * Who shows this secret, or token, over this connection: what counted before is known again by that. Throws while it
   * cannot be known.
   */
  prove(deviceId: string, secret: string, over: object): DeviceScope | ProofRefusal;
  readonly scopeOf: ScopeOf;
}

/** Something that goes on for a device. Whoever began it may put the next in its place, of the same device. */
export interface UnderWay {
  readonly device: DeviceScope;
  readonly access: DeviceAccess;
  /** Called where the device may it no more. */
  readonly end: () => void;
}

/** What is under way for devices: requests, streams, connections. It ends as soon as its device may it no more. */
export class LiveDevices {
  readonly #scopeOf: ScopeOf;
  readonly #byDevice = new Map<string, Set<UnderWay>>();

  constructor(scopeOf: ScopeOf) {
    this.#scopeOf = scopeOf;
  }

  /** Returns what is to be called when it is over by itself. */
  add(going: UnderWay): () => void {
    const { deviceId } = going.device;
    const all = this.#byDevice.get(deviceId) ?? new Set();
    this.#byDevice.set(deviceId, all.add(going));
    return () => {
      if (all.delete(going) && all.size === 0 && this.#byDevice.get(deviceId) === all)
        this.#byDevice.delete(deviceId);
    };
  }

  has(deviceId: string): boolean {
    return this.#byDevice.has(deviceId);
  }

  /** To be called when anything about the device has changed. */
  review(deviceId: string): void {
    const all = this.#byDevice.get(deviceId);
    if (!all) return;
    const scope = this.#scopeOf(deviceId);
    for (const { device, access, end } of all)
      if (scope?.userId !== device.userId || !mayDevice(scope, access, { recordId: deviceId })) end();
  }

  /** To be called where changes may have been missed. */
  reviewAll(): void {
    for (const deviceId of this.#byDevice.keys()) this.review(deviceId);
  }
}
