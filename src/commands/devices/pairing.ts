import { HarkError } from '../../errors.ts';
import type { Capabilities } from '../../events/devices.ts';
import type { Invitation } from '../../folds/devices/device.ts';
import { deviceCapabilities } from '../../vocabulary.ts';
import { defineDeviceCommand, type Newcomer, type OfDevice } from './device.ts';

interface Invite extends OfDevice, Omit<Invitation, 'kind'> {}

/** Makes a pairing code, and the id of the device that will redeem it. */
export const inviteDevice = defineDeviceCommand<Invite>('invite', (state, invitation) =>
  state ? [] : [{ type: 'device.invited', data: invitation }],
);

/** With one: in the same moment it is approved, and linked. The code counts once, and for what it names alone. */
export const redeemCode = defineDeviceCommand<Newcomer & { readonly code: string }>(
  'redeemCode',
  (state, { code, ...newcomer }, now) => {
    const { deviceId, type } = newcomer;
    if (state?.kind !== 'invited' || state.code !== code || state.expiresAt <= now) throw invalidCode();
    if (state.type !== null && state.type !== type) throw invalidCode();
    const capabilities = bothOf(newcomer.capabilities, state.capabilities);
    const { isVouched, linkTo } = state;
    return [
      { type: 'device.registered', data: { ...newcomer, capabilities, isVouched, expiresAt: null } },
      { type: 'device.linked', data: { deviceId, linkedTo: linkTo } },
      { type: 'device.status.changed', data: { deviceId, status: 'active' } },
    ];
  },
);

/** Of what a device asks for, what it is given. */
function bothOf(asked: Capabilities, given: Capabilities | null): Capabilities {
  if (!given) return asked;
  const both = { ...asked };
  for (const capability of deviceCapabilities) both[capability] &&= given[capability];
  return both;
}

export function invalidCode(): HarkError {
  return new HarkError('PAIRING_CODE_INVALID');
}
