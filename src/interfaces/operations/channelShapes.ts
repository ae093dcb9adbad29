import { z } from 'zod';
import {
  type NotificationChannel,
  type UserNotifications,
  waitingFor,
} from '../../folds/notifications/notifications.ts';
import { lazily } from '../../lazily.ts';
import { channelTypes } from '../../vocabulary.ts';
import { storable } from './chatShapes.ts';

const url = lazily(() =>
  z.string().min(1).max(2_000).describe('https; other targets only where the service allows them'),
);
/** Nothing that would end a line, and with it a header. */
const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^\P{Cc}*$/u, 'must be one line');
const host = lazily(() => line(255).regex(/^[a-zA-Z0-9.:_-]+$/, 'must be a host name or an address'));
const mailbox = lazily(() =>
  line(254).regex(/^[^\s@<>(),;:"[\]\\]+@[a-zA-Z0-9.-]+$/, 'must be one address of e-mail'),
);

/** What each type of channel is set up with; its secret comes apart. */
export const channelSettings = lazily(
  () =>
    ({
      ntfy: z.strictObject({
        url: url().describe('Of the server, such as https://ntfy.sh'),
        topic: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
      }),
      email: z.strictObject({
        host: host(),
        port: z.int().min(1).max(65_535),
        secure: z.boolean().describe('TLS from the first byte, as on port 465; else STARTTLS'),
        from: mailbox(),
        to: mailbox(),
        user: line(254).exactOptional(),
      }),
      telegram: z.strictObject({
        chatId: z.string().regex(/^(-?\d{1,20}|@[a-zA-Z0-9_]{1,64})$/, 'must be the id of a chat, or @name'),
        apiUrl: url().exactOptional().describe('Of a server of the bot API of your own'),
      }),
      webhook: z.strictObject({ url: url() }),
    }) as const,
);

const channelSecret = lazily(() =>
  line(1_000).describe(
    'Of `ntfy` an access token, of `email` the password, of `telegram` the token of the bot (required), of ' +
      '`webhook` what signs (`whsec_…`; made where it is not given)',
  ),
);

const time = lazily(() =>
  z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 22:30'),
);

export const channelFields = lazily(() => ({
  name: z.string().trim().min(1).max(100).transform(storable),
  settings: z
    .record(z.string(), z.unknown())
    .describe(
      '`ntfy` {url, topic}, `email` {host, port, secure, from, to, user?}, `telegram` {chatId, apiUrl?}, ' +
        '`webhook` {url}',
    ),
  secret: channelSecret(),
  quietHours: z
    .strictObject({ from: time(), to: time() })
    .nullable()
    .describe("In the user's time zone: what comes then is delivered at their end"),
  mostAnHour: z.int().min(1).max(1_000).describe('What comes beyond it is delivered later'),
}));

export const channelType = lazily(() => z.enum(channelTypes));

export const channelView = lazily(() =>
  z.object({
    id: z.string(),
    type: channelType(),
    name: z.string(),
    settings: z.record(z.string(), z.unknown()),
    hasSecret: z.boolean(),
    quietHours: z.object({ from: z.string(), to: z.string() }).nullable(),
    mostAnHour: z.int(),
    enabled: z.boolean(),
    createdAt: z.int(),
    waiting: z.int().describe('Notifications that it has yet to deliver'),
    failures: z.int().describe('In a row'),
    lastFailure: z.object({ at: z.int(), reason: z.string() }).nullable(),
    retryAt: z.int().nullable().describe('Nothing is delivered before'),
  }),
);

export function channelToWire(
  state: UserNotifications,
  known: NotificationChannel,
): z.output<ReturnType<typeof channelView>> {
  const { channelId: id, target, secret, name, notBefore, sentAt: _, ...shown } = known;
  const { type: _type, ...settings } = target ?? {};
  const waiting = waitingFor(state, id).length;
  return {
    id,
    ...shown,
    name: name ?? '',
    settings,
    hasSecret: secret !== null,
    waiting,
    retryAt: notBefore,
  };
}
