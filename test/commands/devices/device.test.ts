import { describe, it } from 'vitest';
import {
  changeDevice,
  deleteDevice,
  linkDevice,
  registerDevice,
} from '../../../src/commands/devices/device.ts';
import { recordProofs } from '../../../src/commands/devices/proving.ts';
import type { DeviceEvent } from '../../../src/events/devices.ts';
import { given, NOW } from '../../support/given.ts';

const deviceId = 'd';
const nothing = {
  audio: false,
  microphone: false,
  speaker: false,
  display: false,
  buttons: false,
  sensors: false,
};
const asked = { ...nothing, microphone: true, speaker: true };
const newcomer = {
  deviceId,
  type: 'esp32',
  name: 'Kitchen',
  capabilities: asked,
  secret: 'digest',
  publicKey: null,
  sas: null,
  isVouched: false,
  expiresAt: NOW + 300_000,
} as const;
const registered: DeviceEvent = { type: 'device.registered', data: newcomer };
const deleted: DeviceEvent = { type: 'device.deleted', data: { deviceId } };
const linked = (linkedTo: string): DeviceEvent => ({ type: 'device.linked', data: { deviceId, linkedTo } });
const turned = (status: 'pending' | 'active' | 'suspended' | 'revoked'): DeviceEvent => ({
  type: 'device.status.changed',
  data: { deviceId, status },
});
const unseenFor5Minutes = { ...registered, at: NOW - 300_000, data: { ...newcomer, expiresAt: NOW } };

describe('a device that registers', () => {
  it('waits', () => given(registerDevice).when(newcomer).gives(registered));

  it('does not do so twice, nor under the id of one that was deleted', () => {
    given(registerDevice, registered).when(newcomer).givesNothing();
    given(registerDevice, registered, deleted).when(newcomer).givesNothing();
  });

  it('speaks for who approves it, and may what they leave it', () =>
    given(changeDevice, registered)
      .when({ deviceId, status: 'active', capabilities: { microphone: false }, approver: 'ann' })
      .gives(
        {
          type: 'device.capabilities.changed',
          data: { deviceId, capabilities: { ...nothing, speaker: true } },
        },
        linked('ann'),
        turned('active'),
      ));

  it('goes on to speak for whom it was linked to before it was approved', () =>
    given(changeDevice, registered, linked('bob'))
      .when({ deviceId, status: 'active', approver: 'ann' })
      .gives(turned('active')));

  it('is not there any more when nobody approved it for 5 minutes', () => {
    given(changeDevice, unseenFor5Minutes)
      .when({ deviceId, status: 'active', approver: 'ann' })
      .isRefused('DEVICE_UNKNOWN');
    given(linkDevice, unseenFor5Minutes).when({ deviceId, userId: 'ann' }).isRefused('DEVICE_UNKNOWN');
    given(deleteDevice, unseenFor5Minutes).when({ deviceId }).isRefused('DEVICE_UNKNOWN');
  });

  it('waits no more once somebody said that it is to wait on', () => {
    const kept = [{ ...unseenFor5Minutes, at: NOW - 300_000 }, turned('pending')];
    given(changeDevice, ...kept)
      .when({ deviceId, status: 'active', approver: 'ann' })
      .gives(linked('ann'), turned('active'));
  });
});

describe('a device', () => {
  const active = [registered, linked('ann'), turned('active')];

  it('takes any status from any other', () => {
    for (const from of ['pending', 'active', 'suspended', 'revoked'] as const)
      for (const to of ['pending', 'active', 'suspended', 'revoked'] as const) {
        const outcome = given(changeDevice, ...active, turned(from)).when({
          deviceId,
          status: to,
          approver: 'ann',
        });
        if (from === to) outcome.givesNothing();
        else outcome.gives(turned(to));
      }
  });

  it('keeps what is not given', () => {
    given(changeDevice, ...active)
      .when({ deviceId, name: 'Hall', approver: 'ann' })
      .gives({ type: 'device.renamed', data: { deviceId, name: 'Hall' } });
    given(changeDevice, ...active)
      .when({ deviceId, approver: 'ann' })
      .givesNothing();
  });

  it('is counted once for several proofs, and not once it is deleted', () => {
    given(recordProofs, ...active)
      .when({ deviceId, times: 3 })
      .gives({ type: 'device.authenticated', data: { deviceId, times: 3 } });
    given(recordProofs, ...active, deleted)
      .when({ deviceId, times: 3 })
      .givesNothing();
  });

  it('that is deleted is nothing any more', () => {
    const gone = [...active, deleted];
    given(deleteDevice, ...gone)
      .when({ deviceId })
      .isRefused('DEVICE_UNKNOWN', { deviceId });
    given(linkDevice, ...gone)
      .when({ deviceId, userId: 'bob' })
      .isRefused('DEVICE_UNKNOWN');
    given(changeDevice, ...gone)
      .when({ deviceId, status: 'active', approver: 'ann' })
      .isRefused('DEVICE_UNKNOWN');
  });
});
