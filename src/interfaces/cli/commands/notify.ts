import type { Command } from 'commander';
import { z } from 'zod';
import { CliFailure } from '../failure.ts';
import { jsonOption } from '../jsonOption.ts';
import { idOf } from '../memory/believing.ts';
import { globalOptions, readOptions } from '../options.ts';
import { print, printDocument, printRows, showTime } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { addUserOption, whoAsks } from '../user.ts';

const NOTIFICATIONS = 'api/notifications';
const CHANNELS = `${NOTIFICATIONS}/channels`;
/** A mail server may take as long. */
const TEST_MS = 60_000;

const channel = z.looseObject({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  waiting: z.number(),
  failures: z.number(),
  lastFailure: z.looseObject({ reason: z.string() }).nullable(),
});
const told = z.looseObject({
  id: z.string(),
  at: z.number(),
  title: z.string(),
  text: z.string(),
  read: z.boolean(),
  deliveries: z.array(z.looseObject({ state: z.string() })),
});
const tested = z.looseObject({ delivered: z.boolean(), reason: z.string().optional() });
const added = z.looseObject({ channel, secret: z.string().optional() });

/** Kept off the command line, which others on the machine can see. */
const SECRET_VARIABLE = 'HARK_CHANNEL_SECRET';

const addOptions = z.object({
  settings: z.string(),
  quiet: z
    .string()
    .regex(/^\d\d:\d\d-\d\d:\d\d$/, 'must be two times, such as 22:00-07:00')
    .optional(),
});
const sendOptions = z.object({ title: z.string().optional(), channel: z.string().optional() });
const listOptions = z.object({ unread: z.boolean().optional() });

export function addNotify(program: Command): void {
  const notify = program
    .command('notify')
    .description('what a user is told by itself, and by which channels');
  const add = notify
    .command('add')
    .description(`add a channel; its token or password is read from ${SECRET_VARIABLE}`)
    .argument('<type>', 'ntfy, email, telegram or webhook')
    .argument('<name...>', 'name of the task')
    .requiredOption(
      '--settings <json>',
      'where it leads, such as {"url": "https://ntfy.sh", "topic": "my-topic"}',
    )
    .option('--quiet <from-to>', 'when nothing is delivered, such as 22:00-07:00');
  addUserOption(add, whoAsks).action((type: string, name: string[], _options: unknown, invoked: Command) =>
    addChannel(type, name.join(' '), invoked),
  );
  addPlain(notify.command('channels').description('the channels, and how they are'), listChannels);
  addById(notify.command('remove').description('end a channel'), 'of a channel', removeChannel);
  addById(
    notify.command('test').description('send a message by a channel now; 1 when it does not arrive'),
    'of a channel',
    testChannel,
  );
  const send = notify
    .command('send')
    .description('tell the user something now')
    .argument('<text...>', 'what')
    .option('--title <title>', 'above it')
    .option('--channel <id>', 'by this channel alone');
  addUserOption(send, whoAsks).action((text: string[], _options: unknown, invoked: Command) =>
    sendText(text.join(' '), invoked),
  );
  const list = notify.command('list').description('what the user was told, newest first');
  addPlain(list.option('--unread', 'only what was not read'), listTold);
  addById(notify.command('read').description('mark as read'), 'of a notification', markRead);
}

function addPlain(command: Command, run: (invoked: Command) => Promise<void>): void {
  addUserOption(command, whoAsks).action((_options: unknown, invoked: Command) => run(invoked));
}

function addById(
  command: Command,
  about: string,
  run: (id: string, invoked: Command) => Promise<void>,
): void {
  addUserOption(command.argument('<id>', about), whoAsks).action(
    (id: string, _options: unknown, invoked: Command) => run(idOf(id), invoked),
  );
}

async function addChannel(type: string, name: string, command: Command): Promise<void> {
  const { settings, quiet } = readOptions(command, addOptions);
  const [from, to] = quiet?.split('-') ?? [];
  const secret = process.env[SECRET_VARIABLE];
  const body = {
    ...{ type, name, settings: jsonOption('--settings', settings) },
    ...(secret ? { secret } : {}),
    ...(quiet === undefined ? {} : { quietHours: { from, to } }),
  };
  const answer = await clientOf(command).ask(CHANNELS, added, { method: 'POST', body });
  if (globalOptions(command).json) return printDocument(answer);
  printRows([rowOf(answer.channel)]);
  if (answer.secret !== undefined) print(`its messages are signed with: ${answer.secret}`);
}

async function listChannels(command: Command): Promise<void> {
  const answer = await clientOf(command).get(CHANNELS, z.looseObject({ channels: z.array(channel) }));
  if (globalOptions(command).json) return printDocument(answer);
  if (answer.channels.length === 0) print('nothing');
  else printRows(answer.channels.map(rowOf));
}

function rowOf({
  id,
  type,
  name,
  enabled,
  waiting,
  failures,
  lastFailure,
}: z.output<typeof channel>): string[] {
  const went = failures > 0 ? `failed ${failures} × in a row: ${lastFailure?.reason}` : 'well';
  return [enabled ? 'on' : 'off', type, id, went, `${waiting} waiting`, name];
}

async function removeChannel(id: string, command: Command): Promise<void> {
  const answer = await clientOf(command).ask(`${CHANNELS}/${id}`, z.looseObject({}), { method: 'DELETE' });
  if (globalOptions(command).json) printDocument(answer);
  else print(`removed: ${id}`);
}

async function testChannel(id: string, command: Command): Promise<void> {
  const sent = { method: 'POST', body: {}, timeoutMs: TEST_MS } as const;
  const answer = await clientOf(command).ask(`${CHANNELS}/${id}/test`, tested, sent);
  if (globalOptions(command).json) printDocument(answer);
  else print(answer.delivered ? 'delivered' : `not delivered: ${answer.reason}`);
  if (!answer.delivered) throw new CliFailure(`${id}: nothing arrived`);
}

async function sendText(text: string, command: Command): Promise<void> {
  const { title, channel: channelId } = readOptions(command, sendOptions);
  const body = {
    text,
    ...(title === undefined ? {} : { title }),
    ...(channelId === undefined ? {} : { channelId: idOf(channelId) }),
  };
  const answer = await clientOf(command).ask(NOTIFICATIONS, z.looseObject({ notification: told }), {
    method: 'POST',
    body,
  });
  if (globalOptions(command).json) return printDocument(answer);
  const { id, deliveries } = answer.notification;
  print(`${id}: ${deliveries.length === 1 ? 'to 1 channel' : `to ${deliveries.length} channels`}`);
}

async function listTold(command: Command): Promise<void> {
  const { unread } = readOptions(command, listOptions);
  const shape = z.looseObject({ notifications: z.array(told) });
  const answer = await clientOf(command).get(NOTIFICATIONS, shape, unread ? { unread: 'true' } : {});
  if (globalOptions(command).json) return printDocument(answer);
  if (answer.notifications.length === 0) return print('nothing');
  printRows(
    answer.notifications.map(({ id, at, title, text, read }) => [
      read ? 'read' : 'new',
      showTime(at),
      id,
      title === text ? text : `${title}: ${text}`,
    ]),
  );
}

async function markRead(id: string, command: Command): Promise<void> {
  const sent = { method: 'PUT', body: { read: true } } as const;
  const answer = await clientOf(command).ask(`${NOTIFICATIONS}/${id}`, z.looseObject({}), sent);
  if (globalOptions(command).json) printDocument(answer);
  else print(`read: ${id}`);
}
