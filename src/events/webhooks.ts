import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { defineEvent, type EventOf, personal, readerOf } from './definition.ts';

/*
 * A webhook is told of its topics from where in the log it was created. Deliveries that succeed leave no event; where
 * it stands is a cursor.
 *
 *   created ─► (delivery.failed… ─► recovered)… ─► paused ⇄ resumed ─► removed
 */

const webhook = lazily(() => ({ webhookId: z.string() }));
const subject = ({ webhookId }: { webhookId: string }) => `webhook-${webhookId}`;

/** Where it goes: what services name an address by may be as good as a password. */
const url = lazily(() => personal(z.string()));
const topics = lazily(() => z.array(z.string()).readonly());
/** Encrypted under the secret of the machine: what signs is not read in the log. */
const sealedSecret = lazily(() => personal(z.object({ iv: z.string(), tag: z.string(), data: z.string() })));
export type SealedSecret = NonNullable<z.output<ReturnType<typeof sealedSecret>>>;

export const webhookCreated = defineEvent('webhook.created', {
  data: () => z.object({ ...webhook(), url: url(), topics: topics(), secret: sealedSecret() }),
  subject,
});

export const webhookChanged = defineEvent('webhook.changed', {
  data: () =>
    z.object({
      ...webhook(),
      url: url().exactOptional(),
      topics: topics().exactOptional(),
      secret: sealedSecret().exactOptional(),
    }),
  subject,
});

const reason = lazily(() => z.string().regex(/^[A-Z0-9_]+$/));

export const deliveryFailed = defineEvent('webhook.delivery.failed', {
  data: () =>
    z.object({
      ...webhook(),
      /** Of the event that could not be delivered. */
      position: z.number(),
      /** In a row. */
      failures: z.number(),
      reason: reason(),
      /** Null when it is not tried again by itself. */
      retryAt: z.number().nullable(),
    }),
  subject,
});

/** A delivery succeeded after others had failed. */
const webhookRecovered = defineEvent('webhook.recovered', { data: () => z.object(webhook()), subject });

/** `dead`: nothing could be delivered for too long, or its owner says that it is gone. */
export const webhookPaused = defineEvent('webhook.paused', {
  data: () => z.object({ ...webhook(), because: z.enum(['asked', 'dead']) }),
  subject,
});

/** It goes on where it stood. */
export const webhookResumed = defineEvent('webhook.resumed', { data: () => z.object(webhook()), subject });

export const webhookRemoved = defineEvent('webhook.removed', {
  data: () => z.object(webhook()),
  subject,
  forgets: (data) => [subject(data)],
});

/** Its user's: the same id of another user is another webhook. No id has a dot. */
export function webhookStream(userId: string, { webhookId }: { readonly webhookId: string }): string {
  return `webhook-${userId}.${webhookId}`;
}

export const webhookEvents = [
  webhookCreated,
  webhookChanged,
  deliveryFailed,
  webhookRecovered,
  webhookPaused,
  webhookResumed,
  webhookRemoved,
] as const;

export type WebhookEvent = EventOf<(typeof webhookEvents)[number]>;

/** An event of this area as what it is; undefined for one of another. */
export const readWebhookEvent = readerOf(webhookEvents);
