import { z } from 'zod';
import { changeDevice, deleteDevice, linkDevice, unknownDevice } from '../../commands/devices/device.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import { isExpired } from '../../folds/devices/device.ts';
import { lazily } from '../../lazily.ts';
import { deviceIn, isOf, type KnownDevice } from '../../projections/devices/devices.ts';
import { type AnyOperation, defineOperation, defineText, id, moment, written } from '../operation.ts';
import { joiningOperations } from './deviceJoining.ts';
import { provingOperations } from './deviceProofs.ts';
import {
  changedCapabilities,
  type DeviceView,
  deviceName,
  deviceStatus,
  deviceType,
  deviceView,
} from './deviceShapes.ts';
import { as, type DeviceOptions, ShownDevices } from './shownDevices.ts';

const area = 'devices';
const path = '/api/devices';
const invalidId = 'Invalid device ID format';
/** So many names are read without a pause. */
const MOST_TOGETHER = 16;
const errors = ['DEVICE_UNKNOWN', 'KVSTORE_UNAVAILABLE'] as const;
const output = lazily(() => z.object({ device: deviceView() }));
const example = { input: { id: 'unknown' } };

export function deviceOperations(options: DeviceOptions): readonly AnyOperation[] {
  const { kvstore, clock } = options;
  const access = new ShownDevices(options);
  return [
    ...joiningOperations(options, access),
    ...provingOperations(options, access),
    listDevices(options, access),
    defineOperation({
      name: 'devices.show',
      area,
      device: 'own',
      summary: 'One of them',
      rest: { method: 'GET', path: `${path}/:id`, invalidId },
      input: () => z.object({ id: id(), at: moment() }),
      output,
      errors,
      example,
      async run({ id: deviceId, at }, caller) {
        const context = kvstore.reachable();
        const device = deviceIn(await access.tableOf(context, caller, at), deviceId, at ?? clock());
        if (!device || !isOf(caller.userId, device)) throw unknownDevice(deviceId);
        return { device: await access.view(context, device, at) };
      },
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
      input: () =>
        z.object({
          id: id(),
          status: deviceStatus().optional(),
          name: deviceName().optional(),
          capabilities: changedCapabilities().optional(),
        }),
      output,
      errors,
      example: { input: { id: 'unknown', status: 'active' } },
      async run({ id: deviceId, capabilities, ...changes }, caller) {
        const context = kvstore.connected();
        const device = access.own(context, deviceId, caller);
        const input = { deviceId, ...changes, capabilities, approver: caller.userId };
        await context.runner.run(changeDevice, input, as(device, caller));
        return { device: await access.shown(context, deviceId) };
      },
    }),
    defineOperation({
      name: 'devices.link',
      area,
      device: 'never',
      summary: 'Says for whom a device speaks',
      rest: { method: 'POST', path: `${path}/:id/link`, invalidId, isPowerful: true },
      input: () => z.object({ id: id(), userId: id().optional().describe('Who asks, where it is left out') }),
      output,
      errors,
      example: { input: { id: 'unknown' } },
      async run({ id: deviceId, userId = '' }, caller) {
        const context = kvstore.connected();
        const device = access.own(context, deviceId, caller);
        const input = { deviceId, userId: userId || caller.userId };
        await context.runner.run(linkDevice, input, as(device, caller));
        return { device: await access.shown(context, deviceId) };
      },
    }),
    defineOperation({
      name: 'devices.delete',
      area,
      device: 'never',
      summary: 'Deletes a device; its id is never used again',
      rest: { method: 'DELETE', path: `${path}/:id`, invalidId, isPowerful: true },
      input: () => z.object({ id: id() }),
      output: () => z.object({ deleted: z.literal(true), deviceId: z.string() }),
      errors,
      example,
      async run({ id: deviceId }, caller) {
        const context = kvstore.connected();
        const device = access.own(context, deviceId, caller);
        await context.runner.run(deleteDevice, { deviceId }, as(device, caller));
        return { deleted: true as const, deviceId };
      },
    }),
  ];
}

function listDevices({ kvstore, clock }: DeviceOptions, access: ShownDevices): AnyOperation {
  return defineText({
    name: 'devices.list',
    area,
    device: 'never',
    summary: "The user's devices, newest first",
    description:
      '`count` is how many there are in all, of that status and type. With a `limit`, `next` is what to give as ' +
      '`after` for those that follow, where there are any.',
    rest: { method: 'GET', path, text: 'application/json; charset=utf-8' },
    input: () =>
      z.object({
        status: deviceStatus().optional(),
        type: deviceType().optional(),
        limit: written(z.coerce.number().int().min(1))
          .optional()
          .describe('At most so many; all, if it is left out'),
        after: id().optional().describe('Only those behind this device: `next` of the page before'),
        at: moment(),
      }),
    output: () =>
      z.object({ devices: z.array(deviceView()), count: z.int(), next: z.string().exactOptional() }),
    errors,
    example: { input: { status: 'active', limit: 10 } },
    async run({ status, type, limit = Number.POSITIVE_INFINITY, after, at }, caller) {
      const context = kvstore.reachable();
      const now = at ?? clock();
      const table = await access.tableOf(context, caller, at);
      const before = after === undefined ? undefined : deviceIn(table, after, now);
      if (after !== undefined && !(before && isOf(caller.userId, before))) throw unknownDevice(after);
      const page: KnownDevice[] = [];
      let count = 0;
      let left = 0;
      for (const device of table.ofUser(caller.userId)) {
        if (isExpired(device, now)) continue;
        if ((status ?? device.status) !== device.status || (type ?? device.type) !== device.type) continue;
        count++;
        if (before && device.position >= before.position) continue;
        if (page.length < limit) page.push(device);
        else left++;
      }
      const next = left > 0 ? page.at(-1)?.deviceId : undefined;
      return jsonOf(page, count, next, (device) => access.view(context, device, at));
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
    if (!hasTime()) await fairShare();
  }
  yield `${page.length === 0 ? text : ''}]${next === undefined ? '' : `,"next":${JSON.stringify(next)}`}}`;
}
