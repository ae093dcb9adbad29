import { hash } from 'node:crypto';
import type { ScopeOf } from '../application/deviceScope.ts';
import { DeviceJoining } from '../application/devices/joining.ts';
import { DeviceProofs } from '../application/devices/proofs.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { deviceEvents } from '../events/devices.ts';
import { isPublicKey, isSigned, type ServiceKey, serviceKeyFrom } from '../gateways/devices/keys.ts';
import { reachableAt } from '../gateways/network/ownAddress.ts';
import { type KnownDevices, LiveDevices } from '../interfaces/liveDevices.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { deviceOperations } from '../interfaces/operations/devices.ts';
import type { AnySaga } from '../sagas/saga.ts';
import type { Backbone } from './backbone.ts';
import { secretBoxOf } from './credentials.ts';
import type { Topics } from './topics.ts';

interface DevicesOptions {
  readonly config: Config;
  readonly kvstore: Backbone;
  readonly topics: Pick<Topics, 'on'>;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of everything about the devices that speak for users. */
export class Devices {
  /** What says of every request of a device who it is. */
  readonly proofs: DeviceProofs;
  /** What is under way for them. */
  readonly live: LiveDevices;
  readonly #options: DevicesOptions;
  readonly #box: ReturnType<typeof secretBoxOf>;

  constructor(options: DevicesOptions) {
    this.#options = options;
    this.#box = secretBoxOf(options.config);
    this.proofs = new DeviceProofs(options.onFailure);
    this.live = new LiveDevices(this.scopeOf);
    const { topics, kvstore } = options;
    for (const topic of deviceEvents) topics.on(topic, ({ deviceId }) => this.#review(deviceId));
    kvstore.onPresence((isThere) => isThere && this.live.reviewAll());
  }

  /** For whoever carries what they ask. */
  get known(): KnownDevices {
    const { kvstore, clock } = this.#options;
    return {
      prove: (id, secret, over) => this.proofs.prove(kvstore.reachable(), { id, secret, at: clock(), over }),
      scopeOf: this.scopeOf,
    };
  }

  async sagas(): Promise<readonly AnySaga[]> {
    const { forgetErasedNames } = await import('../sagas/devices/forgetErasedNames.ts');
    return [forgetErasedNames(() => this.#options.kvstore.connected())];
  }

  readonly scopeOf: ScopeOf = (deviceId) => {
    const { kvstore, clock } = this.#options;
    return kvstore.current && this.proofs.standing(kvstore.current, deviceId, clock());
  };

  /** `port` is where the service listens, once it does. */
  operations(port: () => number | null): readonly AnyOperation[] {
    const { config, kvstore, clock } = this.#options;
    const { proofs } = this;
    const keys = { isPublicKey, isSigned, ofService: () => this.#serviceKey() };
    return deviceOperations({
      ...{ kvstore, clock, proofs, keys },
      joining: new DeviceJoining({ clock, keys }),
      hasKey: config.SERVICE_API_KEY !== undefined,
      url: () => `http://${reachableAt(config.SERVICE_HOST)}:${port()}`,
      qr: async (text) => (await import('../gateways/devices/qr.ts')).qrAsSvg(text),
    });
  }

  /** By which devices know the service again; its key proves it. */
  async serviceId(): Promise<string> {
    const { publicKey } = await this.#serviceKey();
    return hash('sha256', Buffer.from(publicKey, 'base64url')).slice(0, 16);
  }

  async #serviceKey(): Promise<ServiceKey> {
    return serviceKeyFrom(await this.#box.derive('service key'));
  }

  /** When what is known of it has taken in what happened. */
  #review(deviceId: string): void {
    if (!this.live.has(deviceId)) return;
    void this.#options.kvstore.current?.views
      .catchUp()
      .then(() => this.live.review(deviceId))
      .catch(() => undefined);
  }

  async stop(): Promise<void> {
    const { current } = this.#options.kvstore;
    if (current) await this.proofs.flush(current);
  }
}
