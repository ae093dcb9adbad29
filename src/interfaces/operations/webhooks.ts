import { z } from 'zod';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  webhookState,
} from '../../commands/webhooks/webhook.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { userViewAt, viewAtTime } from '../../projections/runtime.ts';
import { type WebhookView, webhook } from '../../projections/webhooks/webhook.ts';
import { webhooks } from '../../projections/webhooks/webhooks.ts';
import type { Kvstore, ServiceContext } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { type AnyOperation, type Caller, defineOperation, id, moment } from '../operation.ts';
import { topicList } from '../topicStream.ts';

const area = 'webhooks';
const path = '/api/webhooks';
const invalidId = 'Invalid webhook ID format';
const MOST_OF_A_USER = 50;

const retryAt = lazily(() => z.int().nullable());
const shape = lazily(() =>
  z.object({
    id: z.string(),
    url: z.string(),
    topics: z.array(z.string()),
    status: z.enum(['active', 'paused']),
    /** Why it is paused. */
    because: z.enum(['asked', 'dead']).nullable(),
    createdAt: z.int(),
    /** In a row. */
    failures: z.int(),
    lastFailure: z.object({ at: z.int(), reason: z.string() }).nullable(),
    retryAt: retryAt(),
    deliveredTo: z
      .int()
      .exactOptional()
      .describe(
        'A position of the log: what it was to be told up to there has arrived; left out of the past',
      ),
  }),
);

const url = lazily(() =>
  z.string().min(1).max(2_000).describe('https; other targets only where the service allows them'),
);
const secret = lazily(() => z.string().max(200).describe('`whsec_` and 24 to 64 bytes in base64'));

interface SealedSecret {
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

interface Secrets {
  /** What is wrong with an address. */
  refusalOf(url: string): string | undefined;
  isSecret(secret: string): boolean;
  newSecret(): string;
  seal(secret: string, stream: string): Promise<SealedSecret>;
}

/** Sends a message to try it out; why it did not arrive, where it did not. */
type TryOut = (
  to: { readonly stream: string; readonly url: string; readonly secret: SealedSecret },
  webhookId: string,
  signal: AbortSignal,
) => Promise<string | null>;

export function webhookOperations(
  kvstore: Kvstore,
  secrets: Secrets,
  tryOut: TryOut,
): readonly AnyOperation[] {
  const errors = ['WEBHOOK_UNKNOWN', 'KVSTORE_UNAVAILABLE'] as const;
  return [
    defineOperation({
      name: 'webhooks.list',
      area,
      device: 'never',
      summary: "The user's webhooks",
      rest: { method: 'GET', path },
      input: () => z.object({ at: moment() }),
      output: () => z.object({ webhooks: z.array(shape()), count: z.int() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      async run({ at }, { userId }) {
        const context = kvstore.connected();
        if (at !== undefined) return webhooksAt(context, userId, at);
        const own = ofUser(context, userId);
        const all = await Promise.all(own.map(({ webhookId }) => find(context, userId, webhookId)));
        const shown = await Promise.all(all.map((state) => show(context, userId, state)));
        const there = shown.filter((one) => one !== undefined);
        return { webhooks: there, count: there.length };
      },
    }),
    defineOperation({
      name: 'webhooks.create',
      area,
      device: 'never',
      summary: 'Creates a webhook: events are posted to an address, signed as in Standard Webhooks',
      description:
        'From now on, the events of the user and the system on these topics are posted in order, each as ' +
        '`{type, timestamp, data}` with `data` as in `GET /api/events`. Without a `secret` one is made, and shown ' +
        'this once. A delivery that fails is tried again for about a day; then the webhook is paused, and goes on ' +
        'where it stood when it is made active again.',
      rest: { method: 'POST', path, status: 201, isPowerful: true },
      input: () => z.object({ url: url(), topics: topicList(), secret: secret().optional() }),
      output: () => z.object({ webhook: shape(), secret: z.string().optional() }),
      errors: ['WEBHOOKS_TOO_MANY', 'CREDENTIALS_UNAVAILABLE', 'KVSTORE_UNAVAILABLE'],
      example: { input: { url: 'https://example.com/hooks', topics: ['memory.*'] } },
      async run({ url: target, topics, secret: given }, caller) {
        const context = kvstore.connected();
        refuseUnfit(secrets, target, given);
        const { userId } = caller;
        if (ofUser(context, userId).length >= MOST_OF_A_USER)
          throw new HarkError('WEBHOOKS_TOO_MANY', { message: `A user has at most ${MOST_OF_A_USER}` });
        const webhookId = newIdFor(caller);
        const chosen = given ?? secrets.newSecret();
        const sealed = await secrets.seal(chosen, webhook.stream(userId, webhookId));
        const input = { webhookId, url: target, topics, secret: sealed };
        const { repeated } = await context.runner.run(createWebhook, input, caller);
        const told = given === undefined && !repeated ? { secret: chosen } : {};
        return { webhook: await showKnown(context, caller, webhookId), ...told };
      },
    }),
    defineOperation({
      name: 'webhooks.show',
      area,
      device: 'never',
      summary: 'One of them',
      rest: { method: 'GET', path: `${path}/:id`, invalidId },
      input: () => z.object({ id: id() }),
      output: () => z.object({ webhook: shape() }),
      errors,
      example: { input: { id: 'unknown' } },
      async run({ id: webhookId }, caller) {
        return { webhook: await showKnown(kvstore.connected(), caller, webhookId) };
      },
    }),
    defineOperation({
      name: 'webhooks.change',
      area,
      device: 'never',
      summary: 'Changes, pauses or resumes a webhook; what is not given stays',
      description: 'When resumed, it delivers what has happened since it was paused.',
      rest: { method: 'PUT', path: `${path}/:id`, invalidId, isPowerful: true },
      input: () =>
        z.object({
          id: id(),
          url: url().optional(),
          topics: topicList().optional(),
          secret: secret().optional(),
          status: z.enum(['active', 'paused']).optional(),
        }),
      output: () => z.object({ webhook: shape() }),
      errors: [...errors, 'CREDENTIALS_UNAVAILABLE'],
      example: { input: { id: 'unknown', status: 'active' } },
      async run({ id: webhookId, url: target, topics, secret: given, status }, caller) {
        const context = kvstore.connected();
        refuseUnfit(secrets, target, given);
        const stream = webhook.stream(caller.userId, webhookId);
        const changes = {
          ...(target === undefined ? {} : { url: target }),
          ...(topics === undefined ? {} : { topics }),
          ...(given === undefined ? {} : { secret: await secrets.seal(given, stream) }),
        };
        await context.runner.run(changeWebhook, { webhookId, changes, status }, caller);
        return { webhook: await showKnown(context, caller, webhookId) };
      },
    }),
    defineOperation({
      name: 'webhooks.test',
      area,
      device: 'never',
      summary: 'Sends a message to a webhook now, also to one that is paused, and says whether it arrived',
      description:
        'It is signed like others and has the type `webhook.test`. It is sent once, and is no event.',
      rest: { method: 'POST', path: `${path}/:id/test`, invalidId },
      input: () => z.object({ id: id() }),
      output: () =>
        z.object({
          delivered: z.boolean(),
          reason: z.string().exactOptional().describe('Why it did not arrive'),
        }),
      errors,
      example: { input: { id: 'unknown' } },
      async run({ id: webhookId }, { userId, signal }) {
        const stream = webhook.stream(userId, webhookId);
        const state = await kvstore.connected().runner.read(webhookState, stream, userId);
        const { url: target = null, secret = null } = state ?? {};
        if (target === null || secret === null)
          throw new HarkError('WEBHOOK_UNKNOWN', { body: { webhookId } });
        const reason = await tryOut({ stream, url: target, secret }, webhookId, signal);
        return reason === null ? { delivered: true } : { delivered: false, reason };
      },
    }),
    defineOperation({
      name: 'webhooks.remove',
      area,
      device: 'never',
      summary: 'Deletes a webhook',
      rest: { method: 'DELETE', path: `${path}/:id`, invalidId },
      input: () => z.object({ id: id() }),
      output: () => z.object({ success: z.literal(true), webhookId: z.string() }),
      errors,
      example: { input: { id: 'unknown' } },
      async run({ id: webhookId }, caller) {
        await kvstore.connected().runner.run(removeWebhook, { webhookId }, caller);
        return { success: true as const, webhookId };
      },
    }),
  ];
}

function refuseUnfit({ refusalOf, isSecret }: Secrets, target?: string, given?: string): void {
  const refusal = target === undefined ? undefined : refusalOf(target);
  const issues = [
    ...(refusal === undefined ? [] : [{ path: ['url'], message: refusal }]),
    ...(given === undefined || isSecret(given)
      ? []
      : [{ path: ['secret'], message: 'must be whsec_ and 24 to 64 bytes in base64' }]),
  ];
  if (issues.length > 0) throw new HarkError('VALIDATION_FAILED', { body: { issues } });
}

function ofUser({ views }: ServiceContext, userId: string) {
  return Object.values(views.view(webhooks).byStream).filter((webhook) => webhook.userId === userId);
}

function find({ views }: ServiceContext, userId: string, webhookId: string): Promise<WebhookView | null> {
  return views.of(webhook, userId, webhookId);
}

async function showKnown(context: ServiceContext, { userId }: Caller, webhookId: string) {
  const shown = await show(context, userId, await find(context, userId, webhookId));
  if (!shown) throw new HarkError('WEBHOOK_UNKNOWN', { body: { webhookId } });
  return shown;
}

/** As they were at a moment. How far each had come then is in no log. */
async function webhooksAt({ store }: ServiceContext, userId: string, time: number) {
  const { byStream } = await viewAtTime(store, webhooks, { userId }, time);
  const all = await Promise.all(
    Object.values(byStream)
      .filter((one) => one.userId === userId)
      .map(({ webhookId }) => userViewAt(store, webhook, userId, { time }, webhookId)),
  );
  const shown = all.flatMap((view) => wireOf(view) ?? []);
  return { webhooks: shown, count: shown.length };
}

function wireOf(view: WebhookView | null): z.output<ReturnType<typeof shape>> | undefined {
  if (!view || view.status === 'removed' || view.url === null) return undefined;
  const { webhookId, url: target, topics, status, ...went } = view;
  return { id: webhookId, url: target, topics: [...topics], status, ...went };
}

async function show(
  { store, views }: ServiceContext,
  userId: string,
  view: WebhookView | null,
): Promise<z.output<ReturnType<typeof shape>> | undefined> {
  const shown = wireOf(view);
  if (!shown) return undefined;
  const stream = webhook.stream(userId, shown.id);
  // What arrives leaves no event: how far it has come is the cursor of its saga.
  const { position } = await store.readCursor(stream);
  const deliveredTo = Math.max(position, views.view(webhooks).byStream[stream]?.since ?? 0);
  return { ...shown, deliveredTo };
}
