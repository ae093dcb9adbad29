import { HarkError } from '../../errors.ts';
import { isKeptOut } from '../../folds/devices/device.ts';
import { defineDeviceCommand, existing, type OfDevice } from './device.ts';

/** A right secret or token was shown, once or several times. Of who was kept out since it is too late to be written. */
export const recordProofs = defineDeviceCommand<OfDevice & { readonly times: number }>(
  'recordProofs',
  (state, { deviceId, times }) =>
    state?.kind === 'device' && !isKeptOut(state)
      ? [{ type: 'device.authenticated', data: { deviceId, times } }]
      : [],
);

interface Challenge extends OfDevice {
  readonly challenge: string;
  readonly expiresAt: number;
}

/** For a device with a key: what it has to sign to show that it has that. */
export const challengeDevice = defineDeviceCommand<Challenge>('challenge', (state, input, now) => {
  if (existing(state, input, now).publicKey === null) throw new HarkError('DEVICE_NOT_KEYED');
  return [{ type: 'device.challenged', data: input }];
});

interface Signed extends OfDevice {
  readonly challenge: string;
  readonly token: { readonly digest: string; readonly expiresAt: number };
}

/** A challenge was signed: once, while it counts, and by who is not kept out. A token is given for it. */
export const acceptSignature = defineDeviceCommand<Signed>('acceptSignature', (state, input, now) => {
  const device = existing(state, input, now);
  const counts = device.challenges.some(
    ({ challenge, expiresAt }) => challenge === input.challenge && expiresAt > now,
  );
  if (!counts || isKeptOut(device)) throw unproven();
  return [{ type: 'device.authenticated', data: { ...input, times: 1 } }];
});

export const rotateSecret = defineDeviceCommand<OfDevice & { readonly secret: string }>(
  'rotateSecret',
  (state, input, now) => {
    if (existing(state, input, now).publicKey !== null) throw new HarkError('DEVICE_KEYED');
    return [{ type: 'device.secret.rotated', data: input }];
  },
);

/** Whatever was wrong: nobody is told which part of it was right. */
export function unproven(): HarkError {
  return new HarkError('UNAUTHORIZED', { message: 'Unknown device or wrong device secret' });
}
