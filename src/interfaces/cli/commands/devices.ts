import type { Command } from 'commander';
import { z } from 'zod';
import { deviceCapabilities, deviceStatuses, deviceTypes } from '../../../vocabulary.ts';
import { idOf } from '../memory/believing.ts';
import { globalOptions, readOptions } from '../options.ts';
import { print, printDocument, printRows, showTime } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { addUserOption, whoAsks } from '../user.ts';

const DEVICES = 'api/devices';

const device = z.looseObject({
  id: z.string(),
  name: z.string().nullable(),
  type: z.string(),
  status: z.string(),
  userId: z.string().nullable(),
  trustLevel: z.number(),
  capabilities: z.record(z.string(), z.boolean()),
  lastSeenAt: z.number().nullable(),
  sas: z.string().optional(),
});
type Device = z.output<typeof device>;
const answered = z.looseObject({ device });
const listed = z.looseObject({ devices: z.array(device) });
const code = z.looseObject({ code: z.string(), url: z.string(), expiresAt: z.number() });

const type = z.enum(deviceTypes).optional();
const listOptions = z.object({ status: z.enum(deviceStatuses).optional(), type });
const only = z
  .string()
  .transform((names) => names.split(','))
  .pipe(z.array(z.enum(deviceCapabilities)))
  .optional();
const pairOptions = z.object({ type, only });
const approveOptions = z.object({ only });

const WHAT_IT_MAY_USE = `of ${deviceCapabilities.join(', ')}, with commas between`;

export function addDevices(program: Command): void {
  const devices = program.command('devices').description('devices that speak for a user');
  const list = devices
    .command('list')
    .description('the devices, newest first; of those that wait, the letters that the device shows too')
    .option('--status <status>', deviceStatuses.join(', '))
    .option('--type <type>', deviceTypes.join(', '));
  addUserOption(list, whoAsks).action((_options: unknown, invoked: Command) => listDevices(invoked));
  const pair = devices
    .command('pair')
    .description('a code that lets one device in, within 10 minutes, as a QR code and as text')
    .option('--type <type>', `of a device of this type alone: ${deviceTypes.join(', ')}`)
    .option('--only <capabilities>', `what it may use, ${WHAT_IT_MAY_USE}`);
  addUserOption(pair, 'for whom it will speak').action((_options: unknown, invoked: Command) =>
    pairDevice(invoked),
  );
  const approve = devices
    .command('approve')
    .description('let in a device that waits, or one that was kept out')
    .argument('<id>', 'of a device')
    .option('--only <capabilities>', `what it may use, ${WHAT_IT_MAY_USE}`);
  addUserOption(approve, whoAsks).action((id: string, _options: unknown, invoked: Command) =>
    approveDevice(idOf(id), invoked),
  );
  const revoke = devices
    .command('revoke')
    .description('keep a device out from now on; what it is connected by ends')
    .argument('<id>', 'of a device');
  addUserOption(revoke, whoAsks).action((id: string, _options: unknown, invoked: Command) =>
    change(idOf(id), { status: 'revoked' }, invoked),
  );
}

async function listDevices(command: Command): Promise<void> {
  const { status, type: kind } = readOptions(command, listOptions);
  const query = new URLSearchParams({
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { type: kind }),
  });
  const answer = await clientOf(command).get(`${DEVICES}?${query}`, listed);
  if (globalOptions(command).json) return printDocument(answer);
  if (answer.devices.length === 0) print('nothing');
  else printRows(answer.devices.map(rowOf));
}

function rowOf({ id, name, type: kind, status, trustLevel, lastSeenAt, sas, userId }: Device): string[] {
  const letters = status === 'pending' && sas !== undefined ? ` letters ${sas}` : '';
  const seen = lastSeenAt === null ? 'never seen' : `seen ${showTime(lastSeenAt)}`;
  return [
    status,
    kind,
    id,
    `trust ${trustLevel}`,
    seen,
    `${name ?? '(erased)'} of ${userId ?? 'nobody'}${letters}`,
  ];
}

async function pairDevice(command: Command): Promise<void> {
  const { type: kind, only: capabilities } = readOptions(command, pairOptions);
  const body = {
    ...(kind === undefined ? {} : { type: kind }),
    ...(capabilities === undefined ? {} : { capabilities: allowing(capabilities) }),
  };
  const answer = await clientOf(command).ask(`${DEVICES}/pairing-codes`, code, { method: 'POST', body });
  if (globalOptions(command).json) return printDocument(answer);
  const { qrAsBlocks } = await import('../../../gateways/devices/qr.ts');
  for (const line of qrAsBlocks(answer.url).trimEnd().split('\n')) print(line);
  print(answer.url);
  print(`code ${answer.code}, for one device, until ${showTime(answer.expiresAt)}`);
}

async function approveDevice(id: string, command: Command): Promise<void> {
  const { only: capabilities } = readOptions(command, approveOptions);
  const narrowed = capabilities === undefined ? {} : { capabilities: allowing(capabilities) };
  await change(id, { status: 'active', ...narrowed }, command);
}

/** These, and none besides. */
function allowing(chosen: readonly string[]): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    deviceCapabilities.map((capability) => [capability, chosen.includes(capability)]),
  );
}

async function change(id: string, body: object, command: Command): Promise<void> {
  const answer = await clientOf(command).ask(`${DEVICES}/${id}`, answered, { method: 'PUT', body });
  if (globalOptions(command).json) printDocument(answer);
  else printRows([rowOf(answer.device)]);
}
