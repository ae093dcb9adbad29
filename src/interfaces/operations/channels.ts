import { z } from 'zod';
import {
  addChannel,
  changeChannel,
  knownChannel,
  recordTest,
  removeChannel,
} from '../../commands/notifications/channels.ts';
import { HarkError } from '../../errors.ts';
import type { NotificationChannel } from '../../folds/notifications/notifications.ts';
import { lazily } from '../../lazily.ts';
import { notifications, notificationsOf } from '../../projections/notifications/notifications.ts';
import type { ChannelType } from '../../vocabulary.ts';
import type { Kvstore, ServiceContext } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { type AnyOperation, type Caller, defineOperation, id, moment } from '../operation.ts';
import { channelFields, channelSettings, channelToWire, channelType, channelView } from './channelShapes.ts';

const area = 'notifications';
const path = '/api/notifications/channels';
const invalidId = 'Invalid channel ID format';
const USUAL_AN_HOUR = 20;

type ChannelTarget = NonNullable<NotificationChannel['target']>;
type ChannelSecret = NonNullable<NotificationChannel['secret']>;

const oneChannel = lazily(() => z.object({ channel: channelView() }));
const { name, settings, secret, quietHours, mostAnHour } = channelFields();

export interface ChannelKeeper {
  /** What is wrong with an address. */
  refusalOf(url: string): string | undefined;
  refusalOfHost(host: string): string | undefined;
  isSigningSecret(secret: string): boolean;
  newSigningSecret(): string;
  seal(secret: string, channelId: string, userId: string): Promise<ChannelSecret>;
  /** Sends a message to try it out; why it did not arrive, where it did not. */
  test(
    channel: NotificationChannel & { readonly userId: string },
    signal: AbortSignal,
  ): Promise<string | null>;
}

/** By what a user is told although they do not listen at the moment. */
export function channelOperations(kvstore: Kvstore, keeper: ChannelKeeper): readonly AnyOperation[] {
  const errors = ['CHANNEL_UNKNOWN', 'KVSTORE_UNAVAILABLE'] as const;
  return [
    defineOperation({
      name: 'channels.list',
      area,
      device: 'never',
      summary: "The user's notification channels",
      rest: { method: 'GET', path },
      input: () => z.object({ at: moment() }),
      output: () => z.object({ channels: z.array(channelView()), count: z.int() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      async run({ at }, { userId }) {
        const state = await notificationsOf(kvstore.reachable(), userId, at);
        const channels = state.channels.map((channel) => channelToWire(state, channel));
        return { channels, count: channels.length };
      },
    }),
    defineOperation({
      name: 'channels.create',
      area,
      device: 'never',
      summary: 'Adds a channel: ntfy, e-mail, Telegram or a webhook',
      description:
        'From then on, what a reminder or a scheduled prompt says is also sent there. The secret is kept ' +
        'encrypted and never shown; that of a webhook is shown this once where it was made.',
      rest: { method: 'POST', path, status: 201, isPowerful: true },
      input: () =>
        z.object({
          type: channelType(),
          name,
          settings,
          secret: secret.optional(),
          quietHours: quietHours.default(null),
          mostAnHour: mostAnHour.default(USUAL_AN_HOUR),
        }),
      output: () => oneChannel().extend({ secret: z.string().optional() }),
      errors: ['CHANNELS_TOO_MANY', 'CREDENTIALS_UNAVAILABLE', 'KVSTORE_UNAVAILABLE'],
      example: {
        input: { type: 'ntfy', name: 'Phone', settings: { url: 'https://ntfy.sh', topic: 'hark-7f3a' } },
      },
      async run({ type, settings: given, secret: chosen, ...rest }, caller) {
        const context = kvstore.connected();
        const target = targetOf(keeper, type, given);
        const opens = chosen ?? (type === 'webhook' ? keeper.newSigningSecret() : undefined);
        refuseUnfitSecret(keeper, target, opens);
        const channelId = newIdFor(caller);
        const sealed = opens === undefined ? undefined : await keeper.seal(opens, channelId, caller.userId);
        const input = { channelId, target, secret: sealed, ...rest };
        const { repeated } = await context.runner.run(addChannel, input, caller);
        const made = type === 'webhook' && chosen === undefined && !repeated ? { secret: opens } : {};
        return { channel: await shown(context, caller, channelId), ...made };
      },
    }),
    defineOperation({
      name: 'channels.change',
      area,
      device: 'never',
      summary: 'Changes a channel, or turns it off or on; what is not given stays',
      description:
        'What waited because it could not be delivered is tried at once. Settings are given whole; where ' +
        'they lead to another server, the secret must be given again.',
      rest: { method: 'PUT', path: `${path}/:id`, invalidId, isPowerful: true },
      input: () =>
        z.object({
          id: id(),
          name: name.exactOptional(),
          settings: settings.exactOptional(),
          secret: secret.exactOptional(),
          quietHours: quietHours.exactOptional(),
          mostAnHour: mostAnHour.exactOptional(),
          enabled: z.boolean().exactOptional(),
        }),
      output: oneChannel,
      errors: [...errors, 'CREDENTIALS_UNAVAILABLE'],
      example: { input: { id: 'unknown', enabled: false } },
      async run({ id: channelId, settings: given, secret: chosen, ...rest }, caller) {
        const context = kvstore.connected();
        const { userId } = caller;
        const channel = knownChannel(await context.views.of(notifications, userId), channelId);
        const target = given === undefined ? undefined : targetOf(keeper, channel.type, given);
        const leadsElsewhere = target && channel.target && serverOf(target) !== serverOf(channel.target);
        if (leadsElsewhere && channel.secret && channel.type !== 'webhook' && chosen === undefined)
          throw invalid(['secret'], 'must be given again when the settings lead to another server');
        const next = target ?? channel.target;
        if (next && (chosen !== undefined || channel.secret === null))
          refuseUnfitSecret(keeper, next, chosen);
        const changes = {
          ...rest,
          ...(target === undefined ? {} : { target }),
          ...(chosen === undefined ? {} : { secret: await keeper.seal(chosen, channelId, userId) }),
        };
        await context.runner.run(changeChannel, { channelId, changes }, caller);
        return { channel: await shown(context, caller, channelId) };
      },
    }),
    defineOperation({
      name: 'channels.remove',
      area,
      device: 'never',
      summary: 'Deletes a channel with its settings and secret',
      rest: { method: 'DELETE', path: `${path}/:id`, invalidId },
      input: () => z.object({ id: id() }),
      output: () => z.object({ success: z.literal(true), channelId: z.string() }),
      errors,
      example: { input: { id: 'unknown' } },
      async run({ id: channelId }, caller) {
        await kvstore.connected().runner.run(removeChannel, { channelId }, caller);
        return { success: true as const, channelId };
      },
    }),
    defineOperation({
      name: 'channels.test',
      area,
      device: 'never',
      summary: 'Sends a message by a channel now, whatever the hour, and says whether it arrived',
      rest: { method: 'POST', path: `${path}/:id/test`, invalidId },
      input: () => z.object({ id: id() }),
      output: () =>
        z.object({
          delivered: z.boolean(),
          reason: z.string().exactOptional().describe('Why it did not arrive'),
        }),
      errors,
      example: { input: { id: 'unknown' } },
      async run({ id: channelId }, caller) {
        const context = kvstore.connected();
        const { userId, signal } = caller;
        const channel = knownChannel(await context.views.of(notifications, userId), channelId);
        const reason = await keeper.test({ ...channel, userId }, signal);
        await context.runner.run(recordTest, { channelId, reason }, caller);
        return reason === null ? { delivered: true } : { delivered: false, reason };
      },
    }),
  ];
}

async function shown({ views }: ServiceContext, { userId }: Caller, channelId: string) {
  const state = await views.of(notifications, userId);
  return channelToWire(state, knownChannel(state, channelId));
}

function targetOf(keeper: ChannelKeeper, type: ChannelType, given: unknown): ChannelTarget {
  const target = parsed(type, given);
  const refusals =
    target.type === 'email'
      ? [['host', keeper.refusalOfHost(target.host)] as const]
      : target.type === 'telegram'
        ? [['apiUrl', target.apiUrl === undefined ? undefined : keeper.refusalOf(target.apiUrl)] as const]
        : [['url', keeper.refusalOf(target.url)] as const];
  for (const [field, refusal] of refusals)
    if (refusal !== undefined) throw invalid(['settings', field], refusal);
  return target;
}

function parsed(type: ChannelType, given: unknown): ChannelTarget {
  const read = <Shape extends z.ZodType>(shape: Shape): z.output<Shape> => {
    const { success, data, error } = shape.safeParse(given);
    if (success) return data;
    const issues = error.issues.map(({ path: at, message }) => ({ path: ['settings', ...at], message }));
    throw new HarkError('VALIDATION_FAILED', { body: { issues } });
  };
  switch (type) {
    case 'ntfy':
      return { type, ...read(channelSettings().ntfy) };
    case 'email':
      return { type, ...read(channelSettings().email) };
    case 'telegram':
      return { type, ...read(channelSettings().telegram) };
    case 'webhook':
      return { type, ...read(channelSettings().webhook) };
  }
}

function refuseUnfitSecret(keeper: ChannelKeeper, target: ChannelTarget, given: string | undefined): void {
  const problem = problemOf(keeper, target, given);
  if (problem !== undefined) throw invalid(['secret'], problem);
}

function problemOf(
  { isSigningSecret }: ChannelKeeper,
  target: ChannelTarget,
  given: string | undefined,
): string | undefined {
  switch (target.type) {
    case 'webhook':
      return given === undefined || isSigningSecret(given)
        ? undefined
        : 'must be whsec_ and 24 to 64 bytes in base64';
    case 'telegram':
      return given !== undefined && /^\d+:[a-zA-Z0-9_-]+$/.test(given)
        ? undefined
        : 'must be the token of a bot';
    case 'email':
      return target.user !== undefined && given === undefined
        ? 'is required where there is a "user"'
        : undefined;
    case 'ntfy':
      return given === undefined || /^[\x21-\x7e]+$/.test(given) ? undefined : 'must be an access token';
  }
}

/** To whom the secret is shown. */
function serverOf(target: ChannelTarget): string {
  switch (target.type) {
    case 'email':
      return `${target.host}:${target.port} ${target.secure}`;
    case 'telegram':
      return target.apiUrl ?? '';
    default:
      return target.url;
  }
}

function invalid(at: readonly string[], message: string): HarkError {
  return new HarkError('VALIDATION_FAILED', { body: { issues: [{ path: at, message }] } });
}
