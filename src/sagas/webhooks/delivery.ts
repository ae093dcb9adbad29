import { createHash } from 'node:crypto';
import { retryWhileUnavailable } from '../../application/retryWhileUnavailable.ts';
import type { Semaphore } from '../../application/semaphore.ts';
import type { Clock, Wake } from '../../clock.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { recordDelivery } from '../../commands/webhooks/recordDelivery.ts';
import { removeWebhook } from '../../commands/webhooks/removeWebhook.ts';
import { type WebhookState, webhookState, webhookStream } from '../../commands/webhooks/state.ts';
import type { SealedSecret } from '../../events/webhooks.ts';
import { isAmong, topicOf, typesOf } from '../../projections/scheduler/topic.ts';
import type { KnownWebhook } from '../../projections/webhooks/webhooks.ts';
import type { Position, Store } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { SagaCursor } from '../sagaCursor.ts';

/** Sends one message; resolves with what the receiver said, or why it was not asked. */
export type SendMessage = (
  target: { readonly stream: string; readonly url: string; readonly secret: SealedSecret },
  message: { readonly id: string; readonly body: string },
  signal: AbortSignal,
) => Promise<
  { readonly status: number; readonly retryAfter: string | undefined } | { readonly failed: string }
>;

export interface DeliveryOptions {
  readonly store: Store;
  readonly runner: CommandRunner;
  readonly send: SendMessage;
  readonly eventTypes: readonly string[];
  readonly clock: Clock;
  readonly wake: Wake;
  /** Messages of all webhooks under way at the same time. */
  readonly turns: Semaphore;
}

const LONGEST_RETRY_AFTER_MS = 24 * 60 * 60_000;

/**
 * Tells one webhook of its topics, in the order of the log: the next message is sent when the one before has arrived.
 * What is sent again, as after a crash, has the same id.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #webhook: KnownWebhook;
  readonly #stream: string;

  constructor(options: DeliveryOptions, webhook: KnownWebhook) {
    this.#options = options;
    this.#webhook = webhook;
    this.#stream = webhookStream(webhook.userId, webhook);
  }

  /** Until it is paused or gone, or the signal. */
  async run(stopping: AbortSignal): Promise<void> {
    const { store, eventTypes } = this.#options;
    const { userId, topics, since } = this.#webhook;
    const cursor = await SagaCursor.open(store, this.#stream, since);
    const signal = AbortSignal.any([stopping, cursor.lost]);
    let done: Position = cursor.position;
    const arrive = (position: Position) => {
      done = position;
      cursor.move(() => done);
    };
    try {
      const range = { after: done, userId, types: typesOf(topics, eventTypes) };
      for await (const { events, position } of store.follow(range, signal)) {
        for (const event of events) {
          // What becomes of its own messages is nothing that it is told.
          if (event.stream === this.#stream || !isAmong(topics, event)) continue;
          if (!(await this.#deliver(event, signal))) return;
          arrive(event.position);
        }
        arrive(position);
      }
    } finally {
      await cursor.settled();
    }
  }

  /** False when it cannot be delivered any more, or not now. */
  async #deliver(event: StoredEvent, signal: AbortSignal): Promise<boolean> {
    const { clock, turns } = this.#options;
    while (!signal.aborted) {
      const state = await this.#state();
      if (state?.status !== 'active') return false;
      const { url, secret, retryAt } = state;
      if (url === null || secret === null) return this.#remove();
      if (retryAt !== null && retryAt > clock()) {
        await this.#moment(retryAt, signal);
        continue;
      }
      const target = { stream: this.#stream, url, secret };
      const sent = await turns.take(() => this.#options.send(target, messageOf(event), signal));
      if (signal.aborted) return false;
      const hasArrived = 'status' in sent && sent.status >= 200 && sent.status < 300;
      if (!hasArrived || state.failures > 0)
        await this.#record(event, hasArrived ? null : failureOf(sent, clock()), signal);
      if (hasArrived) return true;
    }
    return false;
  }

  #state(): Promise<WebhookState | null> {
    return this.#options.runner.read(webhookState, this.#stream, this.#webhook.userId);
  }

  async #record(
    { position, correlationId }: StoredEvent,
    failure: ReturnType<typeof failureOf> | null,
    signal: AbortSignal,
  ): Promise<void> {
    const { userId, webhookId } = this.#webhook;
    const input = { webhookId, position, failure };
    await retryWhileUnavailable(
      () => this.#options.runner.run(recordDelivery, input, { userId, correlationId }),
      signal,
    );
  }

  /** Where it was to go has been erased together with all that its user had. */
  async #remove(): Promise<false> {
    const { userId, webhookId } = this.#webhook;
    await this.#options.runner.run(removeWebhook, { webhookId }, { userId, correlationId: this.#stream });
    return false;
  }

  async #moment(at: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const callOff = this.#options.wake(at, resolve);
    const stop = () => resolve();
    signal.addEventListener('abort', stop, { once: true });
    if (!signal.aborted) await promise;
    signal.removeEventListener('abort', stop);
    callOff();
  }
}

function messageOf(event: StoredEvent): { id: string; body: string } {
  const id = createHash('sha256').update(`${event.id} ${event.at}`).digest('hex').slice(0, 32);
  const timestamp = new Date(event.at).toISOString();
  return { id: `msg_${id}`, body: JSON.stringify({ type: topicOf(event), timestamp, data: event }) };
}

function failureOf(sent: Awaited<ReturnType<SendMessage>>, now: number) {
  if ('failed' in sent) return { reason: sent.failed, isGone: false, notBefore: now };
  const { status, retryAfter = '' } = sent;
  const at = /^\d+$/.test(retryAfter) ? now + Number(retryAfter) * 1_000 : Date.parse(retryAfter);
  const notBefore = Number.isNaN(at) ? now : Math.min(at, now + LONGEST_RETRY_AFTER_MS);
  return { reason: `HTTP_${status}`, isGone: status === 410, notBefore };
}
