import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import {
  changeDevice,
  deleteDevice,
  linkDevice,
  registerDevice,
} from '../../../src/commands/devices/device.ts';
import { inviteDevice, redeemCode } from '../../../src/commands/devices/pairing.ts';
import { acceptSignature, challengeDevice, recordProofs } from '../../../src/commands/devices/proving.ts';
import { isHarkError } from '../../../src/errors.ts';
import { deviceStream } from '../../../src/events/devices.ts';
import { type Device, deviceState } from '../../../src/folds/devices/device.ts';
import { foldedUntil } from '../../../src/folds/streamFold.ts';
import { DeviceTable, devices } from '../../../src/projections/devices/devices.ts';
import { deviceCapabilities, deviceStatuses, deviceTypes } from '../../../src/vocabulary.ts';
import { deviceLog, type NOTHING, who } from '../../support/deviceLog.ts';

const deviceId = fc.constantFrom('a', 'b');
const capabilities = fc.record(
  Object.fromEntries(deviceCapabilities.map((name) => [name, fc.boolean()])),
) as fc.Arbitrary<typeof NOTHING>;
const newcomer = fc.record({
  deviceId,
  type: fc.constantFrom(...deviceTypes),
  name: fc.constant('Lamp'),
  capabilities,
  secret: fc.constant(null),
  publicKey: fc.constantFrom('key', null),
  sas: fc.constant(null),
});
/** Of one device alone: they are random. */
const code = fc.constantFrom('c1', 'c2');
const challenge = fc.constantFrom('x', 'y');
const soon = fc.integer({ min: 0, max: 100 });

type Log = Awaited<ReturnType<typeof deviceLog>>;
type Act = (log: Log) => Promise<unknown>;

const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(newcomer, soon).map(
    ([one, later]): Act =>
      ({ runner, time }) =>
        runner.run(registerDevice, { ...one, isVouched: false, expiresAt: time.now + later }, who),
  ),
  fc.tuple(deviceId, code, fc.option(fc.constantFrom(...deviceTypes)), fc.option(capabilities), soon).map(
    ([id, digest, type, may, later]): Act =>
      ({ runner, time }) => {
        const names = {
          deviceId: id,
          code: id + digest,
          type,
          capabilities: may,
          linkTo: 'ann',
          isVouched: true,
        };
        return runner.run(inviteDevice, { ...names, expiresAt: time.now + later }, who);
      },
  ),
  fc.tuple(newcomer, code).map(
    ([one, digest]): Act =>
      async (log) => {
        const before = await read(log, one.deviceId);
        await log.runner.run(redeemCode, { ...one, code: one.deviceId + digest }, who);
        // It was refused, unless there was such a code; then it is what both sides say.
        assert.ok(
          before?.kind === 'invited' &&
            before.code === one.deviceId + digest &&
            before.expiresAt > log.time.now,
        );
        assert.ok(before.type === null || before.type === one.type);
        const after = await read(log, one.deviceId);
        assert.ok(after?.kind === 'device' && after.status === 'active' && after.linkedTo === 'ann');
        for (const capability of deviceCapabilities)
          if (after.capabilities[capability])
            assert.ok(one.capabilities[capability] && (before.capabilities?.[capability] ?? true));
      },
  ),
  fc.tuple(deviceId, fc.constantFrom(...deviceStatuses)).map(
    ([id, status]): Act =>
      ({ runner }) =>
        runner.run(changeDevice, { deviceId: id, status, approver: 'ben' }, who),
  ),
  deviceId.map(
    (id): Act =>
      ({ runner }) =>
        runner.run(linkDevice, { deviceId: id, userId: 'ben' }, who),
  ),
  fc.tuple(deviceId, challenge, soon).map(
    ([id, text, later]): Act =>
      ({ runner, time }) =>
        runner.run(challengeDevice, { deviceId: id, challenge: text, expiresAt: time.now + later }, who),
  ),
  fc.tuple(deviceId, challenge).map(
    ([id, text]): Act =>
      async (log) => {
        const before = await read(log, id);
        const token = { digest: 'd', expiresAt: log.time.now + 50 };
        await log.runner.run(acceptSignature, { deviceId: id, challenge: text, token }, who);
        assert.ok(before?.kind === 'device' && (before.status === 'active' || before.status === 'pending'));
        assert.ok(before.challenges.some((one) => one.challenge === text && one.expiresAt > log.time.now));
        const after = await read(log, id);
        assert.ok(after?.kind === 'device' && after.challenges.every((one) => one.challenge !== text));
      },
  ),
  deviceId.map(
    (id): Act =>
      ({ runner }) =>
        runner.run(recordProofs, { deviceId: id, times: 2 }, who),
  ),
  deviceId.map(
    (id): Act =>
      ({ runner }) =>
        runner.run(deleteDevice, { deviceId: id }, who),
  ),
  soon.map(
    (ms): Act =>
      async ({ time }) => {
        time.now += ms;
      },
  ),
);

function read({ store }: Log, id: string) {
  return foldedUntil(store, deviceState, deviceStream({ deviceId: id }));
}

/** What each of them says is known beside what the projection adds. */
function withoutPlace(table: DeviceTable, id: string): Device | undefined {
  const known = table.byId.get(id);
  if (!known) return undefined;
  const { deviceId: _, ownerId: __, position: ___, namedAt: ____, ...device } = known;
  return device;
}

describe('for any history of devices', () => {
  test.prop([fc.array(acts, { maxLength: 30 })], { numRuns: 300 })(
    'what was deleted stays so, what was kept out has nothing left, and the list is what the streams say',
    async (history) => {
      const log = await deviceLog();
      const deleted = new Set<string>();
      for (const act of history) {
        await act(log).catch((error) => assert.ok(isHarkError(error), String(error)));
        for (const id of ['a', 'b']) {
          const state = await read(log, id);
          if (deleted.has(id)) assert.equal(state?.kind, 'deleted');
          if (state?.kind === 'deleted') deleted.add(id);
          const table = log.views.view(devices);
          assert.deepEqual(withoutPlace(table, id), state?.kind === 'device' ? state : undefined);
          assert.equal(
            Array.from(table.invitations.values()).some((one) => one.deviceId === id),
            state?.kind === 'invited',
          );
          if (state?.kind !== 'device') continue;
          if (state.status === 'active') assert.notEqual(state.linkedTo, null);
          if (state.status === 'suspended' || state.status === 'revoked') assert.deepEqual(state.tokens, []);
        }
        const table = log.views.view(devices);
        const saved = DeviceTable.from(JSON.parse(JSON.stringify(table)));
        assert.deepEqual(JSON.stringify(saved), JSON.stringify(table));
      }
    },
  );
});
