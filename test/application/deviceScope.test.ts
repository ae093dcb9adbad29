import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type DeviceAccess, type DeviceScope, mayDevice } from '../../src/application/deviceScope.ts';

const device = (trustLevel: number, ...can: readonly string[]): DeviceScope => ({
  deviceId: 'lamp',
  userId: 'ann',
  trustLevel,
  capabilities: { display: true, microphone: false, ...Object.fromEntries(can.map((one) => [one, true])) },
});

/** Of levels 0 to 3. */
const byTrust: Readonly<Record<Exclude<DeviceAccess, 'own' | 'voice'>, readonly boolean[]>> = {
  proof: [true, true, true, true],
  always: [true, true, true, true],
  capture: [true, true, true, true],
  trust2: [false, false, true, true],
  trust3: [false, false, false, true],
  inChat: [false, false, false, true],
  never: [false, false, false, false],
};

describe('what a device may', () => {
  for (const access of Object.keys(byTrust) as (keyof typeof byTrust)[])
    it(`of what is for it ${access}`, () => {
      const may = [0, 1, 2, 3].map((trust) => mayDevice(device(trust, 'audio'), access));
      assert.deepEqual(may, byTrust[access]);
    });

  it('of its own record is not of another', () => {
    assert.ok(mayDevice(device(1), 'own', { recordId: 'lamp' }));
    assert.ok(!mayDevice(device(3), 'own', { recordId: 'lamp2' }));
    assert.ok(!mayDevice(device(3), 'own'));
  });

  it('of voice needs something to hear or to speak with', () => {
    for (const one of ['audio', 'microphone', 'speaker']) assert.ok(mayDevice(device(1, one), 'voice'));
    assert.ok(!mayDevice(device(3, 'buttons', 'sensors'), 'voice'));
  });

  it('of memory is more in a conversation', () => {
    assert.ok(mayDevice(device(1), 'inChat', { inChat: true }));
    assert.ok(!mayDevice(device(2), 'trust3', { inChat: true }));
    assert.ok(!mayDevice(device(3), 'never', { inChat: true }));
  });
});
