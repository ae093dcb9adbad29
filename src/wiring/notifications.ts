import type { HabitsOf } from '../application/timeHabits.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { SecretBox } from '../gateways/credentials/secretBox.ts';
import { refusalOf, refusalOfHost } from '../gateways/network/targets.ts';
import type { Outgoing, Sent } from '../gateways/notifications/message.ts';
import { sendTo } from '../gateways/notifications/sendTo.ts';
import { isSecret, newSecret } from '../gateways/webhooks/signing.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { channelOperations } from '../interfaces/operations/channels.ts';
import { notificationOperations } from '../interfaces/operations/notifications.ts';
import { pendingDeliveries } from '../projections/notifications/pending.ts';
import type { Deliver } from '../sagas/notifications/delivering.ts';
import { tellFailing } from '../sagas/notifications/tellFailing.ts';
import type { AnySaga } from '../sagas/saga.ts';
import { secretBoxOf } from './credentials.ts';

interface NotificationsOptions {
  readonly config: Config;
  readonly kvstore: Kvstore;
  readonly version: string;
  readonly clock: Clock;
  readonly habitsOf: HabitsOf;
  readonly onFailure: (what: string, error: unknown) => void;
}

type Reached = Parameters<Deliver>[0];

/** The wiring of everything about what users are told. */
export class Notifications {
  readonly #options: NotificationsOptions;
  readonly #box: SecretBox;

  constructor(options: NotificationsOptions) {
    this.#options = options;
    this.#box = secretBoxOf(options.config);
  }

  async sagas(): Promise<readonly AnySaga[]> {
    const { deliverNotifications } = await import('../sagas/notifications/delivering.ts');
    const { kvstore, clock, habitsOf } = this.#options;
    const context = () => {
      const { store, runner, views } = kvstore.connected();
      return { store, runner, pending: () => views.view(pendingDeliveries) };
    };
    const deliver: Deliver = (channel, { notificationId, title, text, at }, signal) => {
      const id = `${notificationId}-${channel.channelId}`;
      return this.#send(channel, { id, title: title ?? '', text: text ?? '', at }, signal);
    };
    return [
      deliverNotifications({ context, deliver, clock, habitsOf }),
      tellFailing(() => kvstore.connected().store),
    ];
  }

  operations(): readonly AnyOperation[] {
    const { kvstore, config, clock } = this.#options;
    const allowPrivate = config.SERVICE_WEBHOOK_ALLOW_PRIVATE;
    const channels = channelOperations(kvstore, {
      refusalOf: (url) => refusalOf(url, allowPrivate),
      refusalOfHost: (host) => refusalOfHost(host, allowPrivate),
      isSigningSecret: isSecret,
      newSigningSecret: newSecret,
      seal: (secret, channelId, userId) => this.#box.seal(secret, nameOf(channelId, userId)),
      test: async (channel, signal) => {
        const at = clock();
        const text = `This is a test of the channel "${channel.name ?? ''}". It works.`;
        const sent = await this.#send(channel, { id: `test-${at}`, title: 'hark', text, at }, signal);
        return sent === 'delivered' ? null : sent.failed;
      },
    });
    return [...notificationOperations(kvstore), ...channels];
  }

  async #send(channel: Reached, message: Outgoing, signal: AbortSignal): Promise<Sent> {
    const { config, version, clock, onFailure } = this.#options;
    const { channelId, userId, target, secret: sealed } = channel;
    let secret: string | null;
    try {
      secret = sealed && (await this.#box.open(sealed, nameOf(channelId, userId)));
    } catch (error) {
      onFailure('notifications', error);
      return { failed: 'SECRET_UNAVAILABLE', isFinal: false };
    }
    if (target === null) return { failed: 'CHANNEL_ERASED', isFinal: true };
    const allowPrivate = config.SERVICE_WEBHOOK_ALLOW_PRIVATE;
    return sendTo(target, { message, secret, allowPrivate, version, signal, sentAt: clock() });
  }
}

/** A sealed secret opens under the name alone under which it was sealed. */
function nameOf(channelId: string, userId: string): string {
  return `channel-${userId}.${channelId}`;
}
