import { deviceEvents, readDeviceEvent } from '../../events/devices.ts';
import { type Device, deviceState, type Invitation, isExpired } from '../../folds/devices/device.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { defineProjection } from '../projection.ts';
import type { Views } from '../runtime.ts';

/** A device, and where in the log it is found. */
export interface KnownDevice extends Device {
  readonly deviceId: string;
  /** In whose name it came. */
  readonly ownerId: string;
  /** Where it was registered: devices are in this order. */
  readonly position: number;
  /** The version of its stream that says its name. */
  readonly namedAt: number;
}

interface KnownInvitation extends Invitation {
  readonly deviceId: string;
  readonly ownerId: string;
}

/** What expired is dropped so long after: the clocks of those who write may differ. */
const SLACK_MS = 3_600_000;

interface SavedDevices {
  readonly devices: readonly KnownDevice[];
  readonly invitations: readonly KnownInvitation[];
}

/** All devices, and the pairing codes that nobody has redeemed. */
export class DeviceTable {
  readonly byId = new Map<string, KnownDevice>();
  /** By the digest of their code. */
  readonly invitations = new Map<string, KnownInvitation>();
  readonly #codes = new Map<string, string>();
  readonly #waiting = new Set<string>();
  /** Of the user who was asked for last: pages are asked for one after the other. */
  #listed: { readonly userId: string; readonly own: readonly KnownDevice[] } | undefined;

  /** Of what `toJSON` gave. */
  static from(saved: unknown): DeviceTable {
    if (!isSaved(saved)) throw new TypeError('Not a table of devices');
    const table = new DeviceTable();
    for (const device of saved.devices) table.#put(device);
    for (const invitation of saved.invitations) table.#invite(invitation);
    return table;
  }

  toJSON(): SavedDevices {
    return { devices: [...this.byId.values()], invitations: [...this.invitations.values()] };
  }

  apply(stored: StoredEvent): void {
    const { type, at, userId: ownerId } = stored;
    // Names stay closed: they are their users'.
    const event = readDeviceEvent({ type, at, data: stored.sealed.data });
    if (!event || ownerId === null) return;
    const { deviceId } = event.data;
    const before = this.byId.get(deviceId);
    const state = deviceState.evolve(before ?? null, event);
    if (event.type === 'device.registered' || event.type === 'device.invited') this.#forgetExpired(at);
    this.#uninvite(deviceId);
    if (state?.kind === 'invited') this.#invite({ ...state, deviceId, ownerId });
    else if (state?.kind === 'device') this.#put({ ...state, deviceId, ownerId, ...placeOf(stored, before) });
    else this.#remove(deviceId);
  }

  /** A user's, newest first, those that expired too. There may be ten thousand. */
  ofUser(userId: string): readonly KnownDevice[] {
    if (this.#listed?.userId !== userId) {
      const own = [...this.byId.values()].filter((device) => isOf(userId, device)).reverse();
      this.#listed = { userId, own };
    }
    return this.#listed.own;
  }

  #put(device: KnownDevice): void {
    this.#listed = undefined;
    this.byId.set(device.deviceId, device);
    if (device.expiresAt === null) this.#waiting.delete(device.deviceId);
    else this.#waiting.add(device.deviceId);
  }

  #remove(deviceId: string): void {
    this.#listed = undefined;
    this.byId.delete(deviceId);
    this.#waiting.delete(deviceId);
  }

  #invite(invitation: KnownInvitation): void {
    this.invitations.set(invitation.code, invitation);
    this.#codes.set(invitation.deviceId, invitation.code);
  }

  #uninvite(deviceId: string): void {
    const code = this.#codes.get(deviceId);
    if (code === undefined) return;
    this.invitations.delete(code);
    this.#codes.delete(deviceId);
  }

  #forgetExpired(now: number): void {
    for (const deviceId of this.#waiting) {
      const device = this.byId.get(deviceId);
      if (!device || isExpired(device, now - SLACK_MS)) this.#remove(deviceId);
    }
    for (const { deviceId, expiresAt } of this.invitations.values())
      if (expiresAt <= now - SLACK_MS) this.#uninvite(deviceId);
  }
}

function placeOf({ type, position, version }: StoredEvent, before: KnownDevice | undefined) {
  if (!before) return { position, namedAt: version };
  return { position: before.position, namedAt: type === 'device.renamed' ? version : before.namedAt };
}

function isSaved(saved: unknown): saved is SavedDevices {
  return typeof saved === 'object' && saved !== null && 'devices' in saved && 'invitations' in saved;
}

export const devices = defineProjection({
  name: 'devices.devices',
  version: 1,
  handles: deviceEvents,
  initial: (): DeviceTable => new DeviceTable(),
  revive: DeviceTable.from,
  apply: (table, event) => table.apply(event),
});

/** Undefined also for one that nobody approved in time. */
export function findDevice(views: Views, deviceId: string, now: number): KnownDevice | undefined {
  return deviceIn(views.view(devices), deviceId, now);
}

export function deviceIn({ byId }: DeviceTable, deviceId: string, now: number): KnownDevice | undefined {
  const device = byId.get(deviceId);
  return device && !isExpired(device, now) ? device : undefined;
}

/** Whether a user sees a device: it came in their name, or speaks for them. Nobody is told of others'. */
export function isOf(userId: string, { ownerId, linkedTo }: KnownDevice): boolean {
  return ownerId === userId || linkedTo === userId;
}
