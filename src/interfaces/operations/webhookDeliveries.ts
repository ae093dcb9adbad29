import { z } from 'zod';
import type { RecentAttempts, WebhookAttempt } from '../../application/webhooks/recentAttempts.ts';
import { webhookState } from '../../commands/webhooks/webhook.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { userViewAt } from '../../projections/runtime.ts';
import { isAmong, isOfTopics, topicOf, typesOf } from '../../projections/scheduler/topic.ts';
import {
  stateThen,
  topicsAt,
  type WebhookFailures,
  webhookFailures,
} from '../../projections/webhooks/failures.ts';
import { webhook } from '../../projections/webhooks/webhook.ts';
import { webhooks } from '../../projections/webhooks/webhooks.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { pageBefore } from '../eventPages.ts';
import type { Kvstore, ServiceContext } from '../kvstore.ts';
import { type AnyOperation, defineOperation, id, moment, written } from '../operation.ts';

const path = '/api/webhooks/:id/deliveries';
const errors = ['WEBHOOK_UNKNOWN', 'KVSTORE_UNAVAILABLE'] as const;

const attempt = lazily(() =>
  z.object({
    at: z.int(),
    status: z
      .int()
      .nullable()
      .describe('Of HTTP; null where nobody answered, or where that is not known any more'),
    reason: z.string().nullable().describe('Why it did not arrive'),
    ms: z.int().nullable(),
  }),
);
const delivery = lazily(() =>
  z.object({
    position: z.int().describe('Of the event'),
    eventId: z.string(),
    type: z.string().describe('The topic under which it was told'),
    at: z.int().describe('When it happened'),
    state: z.enum(['delivered', 'failed', 'waiting']).describe('`waiting`: those before it come first'),
    attempts: z.int(),
    lastAttempt: attempt()
      .nullable()
      .describe(
        'Of one that arrived at once, known for the last 100 since the service started; null for what was delivered ' +
          'before, whose time is in no log',
      ),
    retryAt: z.int().nullable(),
  }),
);
type Delivery = z.output<ReturnType<typeof delivery>>;

/** Sends an event once more. */
type SendAgain = (
  to: { readonly stream: string; readonly url: string; readonly secret: SealedSecret },
  event: StoredEvent,
  signal: AbortSignal,
) => Promise<WebhookAttempt>;

interface SealedSecret {
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

export interface DeliveryParts {
  readonly kvstore: Kvstore;
  readonly attempts: Pick<RecentAttempts, 'of'>;
  readonly again: SendAgain;
  /** All that the log may hold. */
  readonly eventTypes: readonly string[];
}

/** What a webhook was told, drawn from the log: which events, how far it has come, and what failed. */
export function deliveryOperations(parts: DeliveryParts): readonly AnyOperation[] {
  const { kvstore, eventTypes, again } = parts;
  return [
    defineOperation({
      name: 'webhooks.deliveries',
      area: 'webhooks',
      device: 'never',
      summary: 'What a webhook was told lately and is to be told, oldest first',
      description:
        '`next`, given as `before`, leads to earlier ones; it is 0 where there are none, and a page may be empty. It ' +
        'shows which events they are, and nothing of what these say.',
      rest: { method: 'GET', path, invalidId: 'Invalid webhook ID format' },
      input: () =>
        z.object({
          id: id(),
          limit: written(z.coerce.number().int().min(1).max(100)).default(50),
          before: written(z.coerce.number().int().min(1)).optional().describe('A position of the log'),
          at: moment(),
        }),
      output: () => z.object({ deliveries: z.array(delivery()), next: z.int() }),
      errors,
      example: { input: { id: 'unknown', limit: 10 } },
      async run({ id: webhookId, limit, before = Number.MAX_SAFE_INTEGER, at }, { userId }) {
        const context = kvstore.connected();
        const { since, topics } = await placeOf(context, userId, webhookId, at);
        const wanted = { userId, limit, topics, at };
        const { events, next } = await pageBefore(context.store, eventTypes, before, wanted);
        const stream = webhook.stream(userId, webhookId);
        const told = events.filter((event) => event.position > since && event.stream !== stream);
        const rowOf = await rowsOf(parts, context, { userId, webhookId, at });
        return { deliveries: told.flatMap((event) => rowOf(event) ?? []), next: next <= since ? 0 : next };
      },
    }),
    defineOperation({
      name: 'webhooks.deliverAgain',
      area: 'webhooks',
      device: 'never',
      summary: 'Sends an event to a webhook once more, now, and says whether it arrived',
      description:
        'It has the `webhook-id` that it had, also while the webhook is paused. What is yet to be delivered stays so.',
      rest: {
        method: 'POST',
        path: `${path}/:position/again`,
        invalidId: 'Invalid webhook ID or position format',
      },
      input: () => z.object({ id: id(), position: written(z.coerce.number().int().min(1)) }),
      output: () => z.object({ delivered: z.boolean(), attempt: attempt() }),
      errors: [...errors, 'DELIVERY_UNKNOWN'],
      example: { input: { id: 'unknown', position: 1 } },
      async run({ id: webhookId, position }, { userId, signal }) {
        const context = kvstore.connected();
        const stream = webhook.stream(userId, webhookId);
        const state = await context.runner.read(webhookState, stream, userId);
        const { url = null, secret = null } = state ?? {};
        if (url === null || secret === null) throw new HarkError('WEBHOOK_UNKNOWN', { body: { webhookId } });
        const { since, topics } = await placeOf(context, userId, webhookId);
        const event = await eventAt(context, { userId, position, types: typesOf(topics, eventTypes) });
        if (!event || position <= since || event.stream === stream || !isAmong(topics, event))
          throw new HarkError('DELIVERY_UNKNOWN', { body: { webhookId, position } });
        const { at, status, reason, ms } = await again({ stream, url, secret }, event, signal);
        return { delivered: reason === null, attempt: { at, status, reason, ms } };
      },
    }),
  ];
}

async function placeOf({ store, views }: ServiceContext, userId: string, webhookId: string, at?: number) {
  const { since } = views.view(webhooks).byStream[webhook.stream(userId, webhookId)] ?? {};
  const view = await (at === undefined
    ? views.of(webhook, userId, webhookId)
    : userViewAt(store, webhook, userId, { time: at }, webhookId));
  if (since === undefined || !view || view.status === 'removed')
    throw new HarkError('WEBHOOK_UNKNOWN', { body: { webhookId } });
  return { since, topics: view.topics };
}

interface Place {
  readonly userId: string;
  readonly position: number;
  readonly types: ReadonlySet<string>;
}

/** Undefined also where that is of another user, or of another type. */
async function eventAt(
  { store }: ServiceContext,
  { userId, position, types }: Place,
): Promise<StoredEvent | undefined> {
  const range = { after: position - 1, until: position, userId, types };
  for await (const { events } of store.readAll(range)) if (events[0]) return events[0];
  return undefined;
}

interface Wanted {
  readonly userId: string;
  readonly webhookId: string;
  readonly at?: number | undefined;
}

async function rowsOf(
  { attempts }: DeliveryParts,
  { store, views }: ServiceContext,
  { userId, webhookId, at }: Wanted,
): Promise<(event: StoredEvent) => Delivery | undefined> {
  const stream = webhook.stream(userId, webhookId);
  if (at !== undefined) {
    const failures = await userViewAt(store, webhookFailures, userId, { time: at }, webhookId);
    return (event) => {
      const state = stateThen(failures, event);
      const isTold = state !== 'delivered' || isOfTopics(topicsAt(failures, event.at), event);
      return isTold ? rowOf(event, failures, { state }) : undefined;
    };
  }
  const failures = await views.of(webhookFailures, userId, webhookId);
  const { position: deliveredTo } = await store.readCursor(stream);
  return (event) => {
    const tried = attempts.of(stream, event.position);
    const hasArrived = event.position <= deliveredTo || tried?.reason === null;
    const hasFailed = failures.failed.some(({ position }) => position === event.position);
    const state = hasArrived ? 'delivered' : hasFailed ? 'failed' : 'waiting';
    // It was passed by before the webhook was to be told of such: nothing says that it was told.
    if (hasArrived && !tried && !hasFailed && !isOfTopics(topicsAt(failures, event.at), event))
      return undefined;
    return rowOf(event, failures, { state, tried });
  };
}

interface Told {
  readonly state: Delivery['state'];
  readonly tried?: ReturnType<RecentAttempts['of']>;
}

function rowOf(event: StoredEvent, { failed }: WebhookFailures, { state, tried }: Told): Delivery {
  const { position, id: eventId, at } = event;
  const failure = failed.find((one) => one.position === position);
  const before = failure?.attempts ?? 0;
  const attempts = Math.max(tried?.attempts ?? 0, before + (state === 'delivered' ? 1 : 0));
  const retryAt = state === 'failed' ? (failure?.retryAt ?? null) : null;
  const lastAttempt = tried
    ? { at: tried.at, status: tried.status, reason: tried.reason, ms: tried.ms }
    : failure && toldBy(failure, state);
  return {
    position,
    eventId,
    type: topicOf(event),
    at,
    state,
    attempts,
    lastAttempt: lastAttempt ?? null,
    retryAt,
  };
}

function toldBy(
  { at, reason, arrivedAt }: WebhookFailures['failed'][number],
  state: Delivery['state'],
): Delivery['lastAttempt'] {
  if (state === 'delivered')
    return arrivedAt === null ? null : { at: arrivedAt, status: null, reason: null, ms: null };
  const status = Number(/^HTTP_(\d+)$/.exec(reason)?.[1] ?? Number.NaN);
  return { at, status: Number.isNaN(status) ? null : status, reason, ms: null };
}
