import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import { recordProofs } from '../../commands/devices/device.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { trustOf } from '../../folds/devices/device.ts';
import { devices, findDevice, type KnownDevice } from '../../projections/devices/devices.ts';
import type { Views } from '../../projections/runtime.ts';
import type { DeviceScope } from '../deviceScope.ts';

interface DevicesContext {
  readonly runner: CommandRunner;
  readonly views: Views;
}

/** Nobody is told which of these it was, but who showed a right secret. */
type Refusal = 'wrong' | 'pending' | 'suspended' | 'revoked' | 'unlinked';

interface Shown {
  readonly id: string;
  readonly secret: string;
  readonly at: number;
}

/** Proofs since the last one that is in the log. */
interface Unrecorded {
  times: number;
  /** On their way into the log. */
  recording: number;
  at: number;
  /** When they last were: while the log is away, not every request tries. */
  triedAt: number;
}

/** So long a device is not recorded again: at first its history grows, and later it is only seen. */
const GROWING_PAUSE_MS = 5 * 60_000;
const ESTABLISHED_PAUSE_MS = 3_600_000;

const NO_DIGEST = Buffer.alloc(32);

/**
 * Who a device is. A right secret is looked at with each request, so it is counted here, and written down now and then:
 * what is lost with this process is how often a device came in the last minutes.
 */
export class DeviceProofs {
  readonly #unrecorded = new Map<string, Unrecorded>();
  readonly #onFailure: (what: string, error: unknown) => void;

  constructor(onFailure: (what: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** What a right secret, or a token, proves. It takes as long for a device that is not there. */
  prove(context: DevicesContext, shown: Shown): DeviceScope | Refusal {
    const device = holderOf(context.views, shown);
    if (!device) return 'wrong';
    if (device.status !== 'active') return device.status;
    if (device.linkedTo === null) return 'unlinked';
    this.#count(context, device, shown.at);
    const { deviceId, linkedTo, capabilities } = device;
    return { deviceId, userId: linkedTo, trustLevel: this.trustOf(device), capabilities };
  }

  /** What it may now, of one that has proved itself before; undefined where it speaks for nobody any more. */
  standing({ views }: Pick<DevicesContext, 'views'>, deviceId: string, at: number): DeviceScope | undefined {
    const device = findDevice(views, deviceId, at);
    if (device?.status !== 'active' || device.linkedTo === null) return undefined;
    const { linkedTo, capabilities } = device;
    return { deviceId, userId: linkedTo, trustLevel: this.trustOf(device), capabilities };
  }

  /** How often and when it was last seen, with what is not in the log yet. */
  seen(device: KnownDevice): Pick<KnownDevice, 'authentications' | 'firstSeenAt' | 'lastSeenAt'> {
    const { deviceId, authentications, firstSeenAt, lastSeenAt } = device;
    const unrecorded = this.#unrecorded.get(deviceId);
    if (!unrecorded) return { authentications, firstSeenAt, lastSeenAt };
    const { times, recording, at } = unrecorded;
    return {
      authentications: authentications + times + recording,
      firstSeenAt: firstSeenAt ?? at,
      lastSeenAt: Math.max(lastSeenAt ?? 0, at),
    };
  }

  trustOf(device: KnownDevice): 0 | 1 | 2 | 3 {
    return trustOf({ isVouched: device.isVouched, ...this.seen(device) });
  }

  /** Writes down all that was counted. */
  async flush(context: DevicesContext): Promise<void> {
    const waiting = this.#unrecorded.entries().filter(([, { times }]) => times > 0);
    await Promise.all(Array.from(waiting, ([deviceId, counted]) => this.#record(context, deviceId, counted)));
  }

  #count(context: DevicesContext, device: KnownDevice, at: number): void {
    const { deviceId, lastSeenAt } = device;
    const counted = this.#unrecorded.get(deviceId) ?? { times: 0, recording: 0, at, triedAt: 0 };
    this.#unrecorded.set(deviceId, counted);
    counted.times++;
    counted.at = at;
    const pause = this.trustOf(device) === 3 ? ESTABLISHED_PAUSE_MS : GROWING_PAUSE_MS;
    const isDue = at - Math.max(lastSeenAt ?? 0, counted.triedAt) >= pause;
    if (isDue && counted.recording === 0) void this.#record(context, deviceId, counted);
  }

  async #record({ runner, views }: DevicesContext, deviceId: string, counted: Unrecorded): Promise<void> {
    const ownerId = views.view(devices).byId.get(deviceId)?.ownerId;
    const { times } = counted;
    counted.times = 0;
    if (ownerId === undefined) {
      this.#unrecorded.delete(deviceId);
      return;
    }
    counted.recording += times;
    counted.triedAt = counted.at;
    try {
      const context = { userId: ownerId, correlationId: randomUUID() };
      await runner.run(recordProofs, { deviceId, times }, context);
    } catch (error) {
      counted.times += times;
      this.#onFailure('devices', error);
    } finally {
      counted.recording -= times;
      if (counted.times === 0 && counted.recording === 0) this.#unrecorded.delete(deviceId);
    }
  }
}

/** The device whose secret or token this is; undefined where it is neither. */
function holderOf(views: Views, { id, secret, at }: Shown): KnownDevice | undefined {
  const device = findDevice(views, id, at);
  const digest = hash('sha256', secret, 'buffer');
  let isRight = timingSafeEqual(digest, device?.secret ? Buffer.from(device.secret, 'hex') : NO_DIGEST);
  for (const token of device?.tokens ?? [])
    if (timingSafeEqual(digest, Buffer.from(token.digest, 'hex')) && token.expiresAt > at) isRight = true;
  return isRight ? device : undefined;
}

/** What is kept of a secret. */
export function digestOf(secret: string): string {
  return hash('sha256', secret);
}
