import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import { recordProofs } from '../../commands/devices/proving.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { isKeptOut, trustOf } from '../../folds/devices/device.ts';
import { devices, findDevice, type KnownDevice } from '../../projections/devices/devices.ts';
import type { Views } from '../../projections/runtime.ts';
import type { DeviceScope } from '../deviceScope.ts';
import { ProvenConnections } from './provenConnections.ts';

export interface DevicesContext {
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

type TrustLevel = ReturnType<typeof trustOf>;

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

/** Of no secret that anybody knows. */
const NO_DIGEST = '0'.repeat(64);

/**
 * Who a device is. A right secret is looked at with each request, so it is counted here, and written down now and then:
 * what is lost with this process is how often a device came in the last minutes.
 */
export class DeviceProofs {
  readonly #unrecorded = new Map<string, Unrecorded>();
  readonly #proven = new ProvenConnections();
  readonly #underWay = new Set<Promise<void>>();
  readonly #onFailure: (what: string, error: unknown) => void;

  constructor(onFailure: (what: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** What a right secret, or a token, proves that came over a connection. It takes as long for a device that is not there. */
  prove(context: DevicesContext, shown: Shown & { readonly over: object }): DeviceScope | Refusal {
    const device = this.#holderOf(context.views, shown);
    if (!device) return 'wrong';
    if (device.status !== 'active') return device.status;
    if (device.linkedTo === null) return 'unlinked';
    const trustLevel = this.#count(context, device, shown.at);
    const { deviceId, linkedTo, capabilities } = device;
    return { deviceId, userId: linkedTo, trustLevel, capabilities };
  }

  /**
   * The same of a device that says so once, and may still wait for approval: it is in the log when this resolves.
   * Undefined where the secret is wrong, or the device is kept out.
   */
  async confirm(context: DevicesContext, shown: Shown): Promise<KnownDevice | undefined> {
    const device = holderOf(context.views, shown)?.device;
    if (!device || isKeptOut(device)) return undefined;
    await this.#record(context, device, this.#counted(device.deviceId, shown.at), 1);
    return device;
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
    if (!unrecorded || isKeptOut(device)) return { authentications, firstSeenAt, lastSeenAt };
    const { times, recording, at } = unrecorded;
    return {
      authentications: authentications + times + recording,
      firstSeenAt: firstSeenAt ?? at,
      lastSeenAt: Math.max(lastSeenAt ?? 0, at),
    };
  }

  trustOf(device: KnownDevice): TrustLevel {
    const { authentications, firstSeenAt, lastSeenAt } = this.seen(device);
    return trustOf({ isVouched: device.isVouched, authentications, firstSeenAt, lastSeenAt });
  }

  /** Writes down all that was counted; what is on its way is there when this resolves. */
  async flush(context: DevicesContext): Promise<void> {
    const { byId } = context.views.view(devices);
    await Promise.all(this.#underWay);
    await Promise.all(
      Array.from(this.#unrecorded, ([deviceId, counted]) => {
        const device = byId.get(deviceId);
        return device && counted.times > 0 ? this.#recordLater(context, device, counted) : undefined;
      }),
    );
  }

  #holderOf(views: Views, shown: Shown & { readonly over: object }): KnownDevice | undefined {
    const { id, secret, at, over } = shown;
    const known = findDevice(views, id, at);
    if (known && this.#proven.isProven(over, known, secret, at)) return known;
    const holder = holderOf(views, shown);
    if (holder) this.#proven.note(over, holder.device, secret, holder.until);
    return holder?.device;
  }

  #counted(deviceId: string, at: number): Unrecorded {
    const counted = this.#unrecorded.get(deviceId) ?? { times: 0, recording: 0, at, triedAt: 0 };
    this.#unrecorded.set(deviceId, counted);
    counted.at = at;
    return counted;
  }

  /** Its trust with that. */
  #count(context: DevicesContext, device: KnownDevice, at: number): TrustLevel {
    const counted = this.#counted(device.deviceId, at);
    counted.times++;
    const trust = this.trustOf(device);
    const pause = trust === 3 ? ESTABLISHED_PAUSE_MS : GROWING_PAUSE_MS;
    const isDue = at - Math.max(device.lastSeenAt ?? 0, counted.triedAt) >= pause;
    if (isDue && counted.recording === 0) void this.#recordLater(context, device, counted);
    return trust;
  }

  async #recordLater(context: DevicesContext, device: KnownDevice, counted: Unrecorded): Promise<void> {
    const recording = this.#record(context, device, counted).catch((error) =>
      this.#onFailure('devices', error),
    );
    this.#underWay.add(recording);
    await recording;
    this.#underWay.delete(recording);
  }

  /** With so many more, which do not count where they cannot be written. */
  async #record(
    { runner }: DevicesContext,
    { deviceId, ownerId }: KnownDevice,
    counted: Unrecorded,
    more = 0,
  ): Promise<void> {
    const { times } = counted;
    counted.times = 0;
    counted.recording += times;
    counted.triedAt = counted.at;
    try {
      const context = { userId: ownerId, correlationId: randomUUID() };
      await runner.run(recordProofs, { deviceId, times: times + more }, context);
    } catch (error) {
      counted.times += times;
      throw error;
    } finally {
      counted.recording -= times;
      if (counted.times === 0 && counted.recording === 0) this.#unrecorded.delete(deviceId);
    }
  }
}

/** The device whose secret or token this is, and until when that counts; undefined where it is neither. */
function holderOf(views: Views, { id, secret, at }: Shown) {
  const device = findDevice(views, id, at);
  // As bytes at once it takes four times as long.
  const digest = Buffer.from(hash('sha256', secret), 'hex');
  const isSecret = timingSafeEqual(digest, Buffer.from(device?.secret ?? NO_DIGEST, 'hex'));
  let until = isSecret ? Number.POSITIVE_INFINITY : at;
  for (const token of device?.tokens ?? [])
    if (timingSafeEqual(digest, Buffer.from(token.digest, 'hex'))) until = Math.max(until, token.expiresAt);
  return device && until > at ? { device, until } : undefined;
}
