import { randomUUID } from 'node:crypto';
import { RecentAttempts, type WebhookAttempt } from '../application/webhooks/recentAttempts.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { eventCatalog } from '../events/catalog.ts';
import type { SecretBox } from '../gateways/credentials/secretBox.ts';
import { refusalOf } from '../gateways/network/targets.ts';
import { isSecret, newSecret, signatureHeaders } from '../gateways/webhooks/signing.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { type DeliveryParts, deliveryOperations } from '../interfaces/operations/webhookDeliveries.ts';
import { webhookOperations } from '../interfaces/operations/webhooks.ts';
import { webhooks } from '../projections/webhooks/webhooks.ts';
import type { AnySaga } from '../sagas/saga.ts';
import type { SendMessage, WebhookAnswer } from '../sagas/webhooks.ts';
import { secretBoxOf } from './credentials.ts';

interface WebhooksOptions {
  readonly config: Config;
  readonly kvstore: Kvstore;
  readonly version: string;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of everything about webhooks. */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #box: SecretBox;
  readonly #attempts = new RecentAttempts();

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#box = secretBoxOf(options.config);
  }

  async sagas(): Promise<readonly AnySaga[]> {
    const { deliverWebhooks } = await import('../sagas/webhooks.ts');
    const context = () => {
      const { store, runner, views } = this.#options.kvstore.connected();
      return { store, runner, known: views.view(webhooks).byStream };
    };
    const onAttempt = (stream: string, attempt: WebhookAttempt) => this.#attempts.note(stream, attempt);
    return [deliverWebhooks({ context, send: this.#send, onAttempt, events: eventCatalog })];
  }

  operations(): readonly AnyOperation[] {
    const allowPrivate = this.#options.config.SERVICE_WEBHOOK_ALLOW_PRIVATE;
    const secrets = {
      refusalOf: (url: string) => refusalOf(url, allowPrivate),
      isSecret,
      newSecret,
      seal: (secret: string, stream: string) => this.#box.seal(secret, stream),
    };
    const { kvstore } = this.#options;
    const own = webhookOperations(kvstore, secrets, async (to, webhookId, signal) => {
      const { failureIn } = await import('../sagas/webhooks.ts');
      const now = this.#options.clock();
      const timestamp = new Date(now).toISOString();
      const body = JSON.stringify({ type: 'webhook.test', timestamp, data: { webhookId } });
      const message = { id: `msg_${randomUUID()}`, body, traceparent: undefined };
      return failureIn(await this.#send(to, message, signal), now)?.reason ?? null;
    });
    const deliveries = deliveryOperations({
      kvstore,
      attempts: this.#attempts,
      eventTypes: eventCatalog.map(({ type }) => type),
      again: this.#again,
    });
    return [...own, ...deliveries];
  }

  readonly #again: DeliveryParts['again'] = async (to, event, signal) => {
    const { clock } = this.#options;
    const { attemptOf, messageOf } = await import('../sagas/webhooks.ts');
    const startedAt = clock();
    const answer = await this.#send(to, messageOf(event), signal);
    const attempt = attemptOf(answer, event, { startedAt, now: clock() });
    this.#attempts.note(to.stream, attempt);
    return attempt;
  };

  readonly #send = async (
    { stream, url, secret: sealed }: Parameters<SendMessage>[0],
    { id, body, traceparent }: Parameters<SendMessage>[1],
    signal: AbortSignal,
  ): Promise<WebhookAnswer> => {
    const { config, version, clock, onFailure } = this.#options;
    let secret: string;
    try {
      secret = await this.#box.open(sealed, stream);
    } catch (error) {
      onFailure('webhooks', error);
      return { failed: 'SECRET_UNAVAILABLE' };
    }
    const headers = {
      'content-type': 'application/json',
      'user-agent': `hark/${version}`,
      ...(traceparent === undefined ? {} : { traceparent }),
      ...signatureHeaders({ id, sentAt: clock(), body }, secret),
    };
    const { post } = await import('../gateways/network/post.ts');
    return post({ url, headers, body, allowPrivate: config.SERVICE_WEBHOOK_ALLOW_PRIVATE, signal });
  };
}
