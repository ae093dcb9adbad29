import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { type DeviceProofs, digestOf } from '../../application/devices/proofs.ts';
import { APPROVAL_MS, type WaitingDevices } from '../../application/devices/waiting.ts';
import type { Clock } from '../../clock.ts';
import {
  changeDevice,
  deleteDevice,
  linkDevice,
  registerDevice,
  unknownDevice,
} from '../../commands/devices/device.ts';
import { devicesOf, findDevice, isOf, type KnownDevice } from '../../projections/devices/devices.ts';
import { nameOf } from '../../projections/devices/names.ts';
import type { Kvstore, ServiceContext } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { type AnyOperation, type Caller, defineOperation, defineText, id, written } from '../operation.ts';
import {
  changedCapabilities,
  type DeviceView,
  deviceName,
  deviceStatus,
  deviceToWire,
  deviceType,
  deviceView,
  wantedCapabilities,
} from './deviceShapes.ts';

const area = 'devices';
const path = '/api/devices';
const invalidId = 'Invalid device ID format';
const SECRET_BYTES = 32;
/** So many names are read without a pause. */
const MOST_TOGETHER = 16;
const errors = ['DEVICE_UNKNOWN', 'KVSTORE_UNAVAILABLE'] as const;
const output = z.object({ device: deviceView });
const example = { input: { id: 'unknown' } };

interface DeviceOptions {
  readonly kvstore: Kvstore;
  readonly clock: Clock;
  readonly proofs: DeviceProofs;
  readonly waiting: WaitingDevices;
  /** A key was configured: who is known showed it. */
  readonly hasKey: boolean;
}

export function deviceOperations(options: DeviceOptions): readonly AnyOperation[] {
  const { kvstore, clock, proofs } = options;
  const own = (context: ServiceContext, deviceId: string, { userId }: Caller) => {
    const device = findDevice(context.views, deviceId, clock());
    if (!device || !isOf(userId, device)) throw unknownDevice(deviceId);
    return device;
  };
  const shown = async (context: ServiceContext, device: KnownDevice): Promise<DeviceView> => {
    const name = await nameOf(context.store, device);
    return deviceToWire(device, { name, trustLevel: proofs.trustOf(device), ...proofs.seen(device) });
  };
  const showNow = async (context: ServiceContext, deviceId: string, caller: Caller) => ({
    device: await shown(context, own(context, deviceId, caller)),
  });
  /** What happens to a device is written down in whose name it came, whoever of its users does it. */
  const asOwner = ({ ownerId }: KnownDevice, { commandId, correlationId }: Caller) => ({
    userId: ownerId,
    correlationId,
    ...(commandId === undefined ? {} : { commandId }),
  });
  return [
    defineOperation({
      name: 'devices.register',
      area,
      device: 'proof',
      summary: 'Registers a device',
      description:
        'It waits as `pending` until somebody approves it with `PUT /api/devices/{id}`, for 5 minutes, and no more ' +
        'than 3 of one address at a time. The `secret` is shown this once.',
      rest: { method: 'POST', path: `${path}/register`, status: 201 },
      input: z.object({
        type: deviceType,
        name: deviceName.optional(),
        capabilities: wantedCapabilities,
      }),
      output: output.extend({ secret: z.string().nullable() }),
      errors: ['TOO_MANY_REQUESTS', 'KVSTORE_UNAVAILABLE'],
      example: { input: { type: 'esp32', name: 'Kitchen button', capabilities: { buttons: true } } },
      async run({ type, name = type, capabilities }, caller) {
        const context = kvstore.connected();
        const { waiting, hasKey } = options;
        const now = clock();
        const deviceId = newIdFor(caller);
        const expiresAt = now + APPROVAL_MS;
        const waits = (other: string) => {
          const device = findDevice(context.views, other, now);
          return device === undefined || device.expiresAt !== null;
        };
        waiting.take(caller.address, { deviceId, until: expiresAt }, now, waits);
        const secret = randomBytes(SECRET_BYTES).toString('base64url');
        const newcomer = {
          deviceId,
          type,
          name,
          capabilities,
          secret: digestOf(secret),
          publicKey: null,
          sas: null,
          isVouched: hasKey && caller.isKnown === true,
          expiresAt,
        };
        const { repeated } = await context.runner.run(registerDevice, newcomer, caller);
        return { ...(await showNow(context, deviceId, caller)), secret: repeated ? null : secret };
      },
    }),
    listDevices(options, shown),
    defineOperation({
      name: 'devices.show',
      area,
      device: 'own',
      summary: 'One of them',
      rest: { method: 'GET', path: `${path}/:id`, invalidId },
      input: z.object({ id }),
      output,
      errors,
      example,
      run: ({ id: deviceId }, caller) => showNow(kvstore.reachable(), deviceId, caller),
    }),
    defineOperation({
      name: 'devices.change',
      area,
      device: 'never',
      summary: 'Approves, names, narrows, suspends or revokes a device; what is not given stays',
      description:
        'A device that is made `active` before it is linked to anybody speaks from then on for who approved it. One ' +
        'that is `suspended` or `revoked` is cut off within a second; `revoked` also ends what trust it had.',
      rest: { method: 'PUT', path: `${path}/:id`, invalidId, isPowerful: true },
      input: z.object({
        id,
        status: deviceStatus.optional(),
        name: deviceName.optional(),
        capabilities: changedCapabilities.optional(),
      }),
      output,
      errors,
      example: { input: { id: 'unknown', status: 'active' } },
      async run({ id: deviceId, capabilities, ...changes }, caller) {
        const context = kvstore.connected();
        const device = own(context, deviceId, caller);
        const input = { deviceId, ...changes, capabilities, approver: caller.userId };
        await context.runner.run(changeDevice, input, asOwner(device, caller));
        return showNow(context, deviceId, caller);
      },
    }),
    defineOperation({
      name: 'devices.link',
      area,
      device: 'never',
      summary: 'Says for whom a device speaks',
      rest: { method: 'POST', path: `${path}/:id/link`, invalidId, isPowerful: true },
      input: z.object({ id, userId: id.optional().describe('Who asks, where it is left out') }),
      output,
      errors,
      example: { input: { id: 'unknown' } },
      async run({ id: deviceId, userId = '' }, caller) {
        const context = kvstore.connected();
        const device = own(context, deviceId, caller);
        const input = { deviceId, userId: userId || caller.userId };
        await context.runner.run(linkDevice, input, asOwner(device, caller));
        const linked = findDevice(context.views, deviceId, clock());
        if (!linked) throw unknownDevice(deviceId);
        return { device: await shown(context, linked) };
      },
    }),
    defineOperation({
      name: 'devices.delete',
      area,
      device: 'never',
      summary: 'Deletes a device; its id is never used again',
      rest: { method: 'DELETE', path: `${path}/:id`, invalidId, isPowerful: true },
      input: z.object({ id }),
      output: z.object({ deleted: z.literal(true), deviceId: z.string() }),
      errors,
      example,
      async run({ id: deviceId }, caller) {
        const context = kvstore.connected();
        const device = own(context, deviceId, caller);
        await context.runner.run(deleteDevice, { deviceId }, asOwner(device, caller));
        return { deleted: true as const, deviceId };
      },
    }),
  ];
}

type Show = (context: ServiceContext, device: KnownDevice) => Promise<DeviceView>;

function listDevices({ kvstore, clock }: DeviceOptions, shown: Show): AnyOperation {
  return defineText({
    name: 'devices.list',
    area,
    device: 'never',
    summary: "The user's devices, newest first",
    description:
      '`count` is how many there are in all, of that status and type. With a `limit`, `next` is what to give as ' +
      '`after` for those that follow, where there are any.',
    rest: { method: 'GET', path, text: 'application/json; charset=utf-8' },
    input: z.object({
      status: deviceStatus.optional(),
      type: deviceType.optional(),
      limit: written(z.coerce.number().int().min(1))
        .optional()
        .describe('At most so many; all, if it is left out'),
      after: id.optional().describe('Only those behind this device: `next` of the page before'),
    }),
    output: z.object({ devices: z.array(deviceView), count: z.int(), next: z.string().exactOptional() }),
    errors,
    example: { input: { status: 'active', limit: 10 } },
    async run({ status, type, limit = Number.POSITIVE_INFINITY, after }, { userId }) {
      const context = kvstore.reachable();
      const all = devicesOf(context.views, userId, clock()).filter(
        (device) => (status ?? device.status) === device.status && (type ?? device.type) === device.type,
      );
      const before = after === undefined ? undefined : findDevice(context.views, after, clock());
      if (after !== undefined && !(before && isOf(userId, before))) throw unknownDevice(after);
      const following = before ? all.filter(({ position }) => position < before.position) : all;
      const page = following.slice(0, limit);
      const next = following.length > page.length ? page.at(-1)?.deviceId : undefined;
      return jsonOf(page, all.length, next, (device) => shown(context, device));
    },
  });
}

async function* jsonOf(
  page: readonly KnownDevice[],
  count: number,
  next: string | undefined,
  show: (device: KnownDevice) => Promise<DeviceView>,
): AsyncGenerator<string> {
  let text = `{"count":${count},"devices":[`;
  for (let from = 0; from < page.length; from += MOST_TOGETHER) {
    const some = await Promise.all(page.slice(from, from + MOST_TOGETHER).map(show));
    yield `${text}${some.map((device) => JSON.stringify(device)).join(',')}`;
    text = ',';
    await nextTurn();
  }
  yield `${page.length === 0 ? text : ''}]${next === undefined ? '' : `,"next":${JSON.stringify(next)}`}}`;
}
