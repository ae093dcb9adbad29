import { HarkError } from '../../errors.ts';
import { type Capabilities, type DeviceEvent, deviceStream } from '../../events/devices.ts';
import { type Device, type DeviceState, deviceState, isExpired } from '../../folds/devices/device.ts';
import { type DeviceStatus, type DeviceType, deviceCapabilities } from '../../vocabulary.ts';
import { type Command, defineCommand } from '../command.ts';

export interface OfDevice {
  readonly deviceId: string;
}

type DeviceCommand<Input extends OfDevice> = Command<Input, DeviceState>;

export function defineDeviceCommand<Input extends OfDevice>(
  name: string,
  decide: (state: DeviceState, input: Input, now: number) => readonly DeviceEvent[],
): DeviceCommand<Input> {
  return defineCommand<Input, DeviceState>({
    name: `devices.${name}`,
    state: deviceState,
    scope: 'user',
    stream: deviceStream,
    decide: (state, input, { now }) => decide(state, input, now),
  });
}

export interface Newcomer extends OfDevice {
  readonly type: DeviceType;
  readonly name: string;
  readonly capabilities: Capabilities;
  readonly secret: string | null;
  readonly publicKey: string | null;
  readonly sas: string | null;
}

/** Without a code: it waits until somebody approves it. */
export const registerDevice = defineDeviceCommand<Newcomer & { isVouched: boolean; expiresAt: number }>(
  'register',
  (state, newcomer) => (state ? [] : [{ type: 'device.registered', data: newcomer }]),
);

interface ChangeDevice extends OfDevice {
  readonly name?: string | undefined;
  readonly capabilities?: Partial<Capabilities> | undefined;
  readonly status?: DeviceStatus | undefined;
  /** Who approves it: it speaks for them, unless it is linked to somebody already. */
  readonly approver: string;
}

/** Names, narrows, approves, suspends and revokes it. */
export const changeDevice = defineDeviceCommand<ChangeDevice>('change', (state, input, now) => {
  const device = existing(state, input, now);
  const { deviceId, name, status, approver } = input;
  const capabilities = changed(device.capabilities, input.capabilities);
  const events: DeviceEvent[] = [];
  if (name !== undefined) events.push({ type: 'device.renamed', data: { deviceId, name } });
  if (capabilities) events.push({ type: 'device.capabilities.changed', data: { deviceId, capabilities } });
  if (status === 'active' && device.linkedTo === null)
    events.push({ type: 'device.linked', data: { deviceId, linkedTo: approver } });
  if (status !== undefined && (status !== device.status || device.expiresAt !== null))
    events.push({ type: 'device.status.changed', data: { deviceId, status } });
  return events;
});

/** Undefined where they stay as they are. */
function changed(before: Capabilities, given: Partial<Capabilities> = {}): Capabilities | undefined {
  const after = { ...before, ...given };
  return deviceCapabilities.some((capability) => after[capability] !== before[capability])
    ? after
    : undefined;
}

export const linkDevice = defineDeviceCommand<OfDevice & { readonly userId: string }>(
  'link',
  (state, input, now) => {
    const { deviceId, userId } = input;
    const { linkedTo } = existing(state, input, now);
    return linkedTo === userId ? [] : [{ type: 'device.linked', data: { deviceId, linkedTo: userId } }];
  },
);

export const forgetDeviceName = defineDeviceCommand<OfDevice>('forgetName', (state, { deviceId }) =>
  state?.kind === 'device' ? [{ type: 'device.name.forgotten', data: { deviceId } }] : [],
);

export const deleteDevice = defineDeviceCommand<OfDevice>('delete', (state, input, now) => {
  existing(state, input, now);
  return [{ type: 'device.deleted', data: { deviceId: input.deviceId } }];
});

/** Something with an id that is nobody's, also of one that was deleted or that nobody approved in time. */
export function unknownDevice(deviceId: string): HarkError {
  return new HarkError('DEVICE_UNKNOWN', { body: { deviceId } });
}

export function existing(state: DeviceState, { deviceId }: OfDevice, now: number): Device {
  if (state?.kind !== 'device' || isExpired(state, now)) throw unknownDevice(deviceId);
  return state;
}
