import { type Capabilities, type DeviceEvent, readDeviceEvent } from '../../events/devices.ts';
import type { DeviceStatus, DeviceType } from '../../vocabulary.ts';
import type { StreamFold } from '../streamFold.ts';

/** A pairing code that nobody has redeemed. */
export interface Invitation {
  readonly kind: 'invited';
  readonly code: string;
  readonly type: DeviceType | null;
  readonly capabilities: Capabilities | null;
  readonly linkTo: string;
  readonly isVouched: boolean;
  readonly expiresAt: number;
}

interface Challenge {
  readonly challenge: string;
  readonly expiresAt: number;
}

interface Token {
  readonly digest: string;
  readonly expiresAt: number;
}

/** A device as all know it: with nothing personal, so without its name. */
export interface Device {
  readonly kind: 'device';
  readonly type: DeviceType;
  readonly status: DeviceStatus;
  readonly capabilities: Capabilities;
  /** For whom it speaks. */
  readonly linkedTo: string | null;
  readonly secret: string | null;
  readonly publicKey: string | null;
  readonly sas: string | null;
  readonly isVouched: boolean;
  readonly createdAt: number;
  /** It is gone then, unless somebody approves it before. */
  readonly expiresAt: number | null;
  readonly authentications: number;
  readonly firstSeenAt: number | null;
  readonly lastSeenAt: number | null;
  readonly challenges: readonly Challenge[];
  readonly tokens: readonly Token[];
}

export type DeviceState = Invitation | Device | { readonly kind: 'deleted' } | null;

/** Of more than these the oldest count no more. Anybody may ask for challenges, and must not push out who is quick. */
const MOST_CHALLENGES = 16;
const MOST_TOKENS = 8;

/** One device; null where there never was one. */
export const deviceState: StreamFold<DeviceState> = {
  name: 'device',
  version: 1,
  initial: null,
  evolve(state, past) {
    const event = readDeviceEvent(past);
    if (!event) return state;
    if (event.type === 'device.invited') {
      const { deviceId: _, ...invitation } = event.data;
      return { kind: 'invited', ...invitation };
    }
    if (event.type === 'device.registered') return registered(event.data, past.at);
    if (event.type === 'device.deleted') return { kind: 'deleted' };
    return state?.kind === 'device' ? evolved(state, event, past.at) : state;
  },
};

type Registered = Extract<DeviceEvent, { type: 'device.registered' }>['data'];

function registered(data: Registered, createdAt: number): Device {
  const { deviceId: _, name: __, ...device } = data;
  return {
    ...device,
    kind: 'device',
    status: 'pending',
    linkedTo: null,
    createdAt,
    ...unseen,
    challenges: [],
    tokens: [],
  };
}

const unseen = { authentications: 0, firstSeenAt: null, lastSeenAt: null };

type Later = Exclude<DeviceEvent, { type: 'device.invited' | 'device.registered' | 'device.deleted' }>;

function evolved(device: Device, event: Later, at: number): Device {
  switch (event.type) {
    case 'device.linked':
      return { ...device, linkedTo: event.data.linkedTo };
    case 'device.status.changed':
      return withStatus(device, event.data.status);
    case 'device.renamed':
    case 'device.name.forgotten':
      return device;
    case 'device.capabilities.changed':
      return { ...device, capabilities: event.data.capabilities };
    case 'device.challenged': {
      const { challenge, expiresAt } = event.data;
      const challenges = [...unexpired(device.challenges, at), { challenge, expiresAt }];
      return { ...device, challenges: challenges.slice(-MOST_CHALLENGES) };
    }
    case 'device.authenticated': {
      const { times, challenge, token } = event.data;
      const tokens = unexpired(device.tokens, at);
      return {
        ...device,
        authentications: device.authentications + times,
        firstSeenAt: device.firstSeenAt ?? at,
        lastSeenAt: at,
        challenges: device.challenges.filter((other) => other.challenge !== challenge),
        tokens: token ? [...tokens, token].slice(-MOST_TOKENS) : tokens,
      };
    }
    case 'device.secret.rotated':
      return { ...device, secret: event.data.secret };
  }
}

/** Who is let in again has to be known anew: neither what was given out before counts, nor how long ago that was. */
function withStatus(device: Device, status: DeviceStatus): Device {
  const changed = { ...device, status, expiresAt: null };
  if (status === 'suspended') return { ...changed, challenges: [], tokens: [] };
  return status === 'revoked' ? { ...changed, challenges: [], tokens: [], ...unseen } : changed;
}

function unexpired<Kept extends { readonly expiresAt: number }>(all: readonly Kept[], now: number): Kept[] {
  return all.filter(({ expiresAt }) => expiresAt > now);
}

/** It waited for approval, and nobody came. */
export function isExpired({ expiresAt }: Pick<Device, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** It was let in, and is not any more. */
export function isKeptOut({ status }: Pick<Device, 'status'>): boolean {
  return status === 'suspended' || status === 'revoked';
}

const ESTABLISHED_TIMES = 10;
const ESTABLISHED_MS = 7 * 86_400_000;

type History = Pick<Device, 'isVouched' | 'authentications' | 'firstSeenAt' | 'lastSeenAt'>;

/** 0 where nobody showed anything, 1 with the API key, 2 after a right proof, 3 after so many over so long. */
export function trustOf({ isVouched, authentications, firstSeenAt, lastSeenAt }: History): 0 | 1 | 2 | 3 {
  if (authentications === 0 || firstSeenAt === null || lastSeenAt === null) return isVouched ? 1 : 0;
  const isEstablished = authentications >= ESTABLISHED_TIMES && lastSeenAt - firstSeenAt >= ESTABLISHED_MS;
  return isEstablished ? 3 : 2;
}
