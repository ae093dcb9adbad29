import { createHash } from 'node:crypto';
import {
  asyncScheduler,
  concat,
  defer,
  EMPTY,
  from,
  ignoreElements,
  map,
  mergeMap,
  Observable,
  type ObservableInput,
  of,
  retry,
  type SchedulerLike,
  takeUntil,
  takeWhile,
  throwError,
  timer,
} from 'rxjs';
import { isStoreUnavailable } from '../application/retryWhileUnavailable.ts';
import type { WebhookAttempt } from '../application/webhooks/recentAttempts.ts';
import type { Command } from '../commands/command.ts';
import type { CommandContext } from '../commands/runner.ts';
import {
  recordDelivery,
  removeWebhook,
  type WebhookState,
  webhookState,
} from '../commands/webhooks/webhook.ts';
import type { EventDefinition } from '../events/definition.ts';
import type { SealedSecret } from '../events/webhooks.ts';
import { webhookStream } from '../events/webhooks.ts';
import { isAmong, topicOf, typesOf } from '../projections/scheduler/topic.ts';
import { type KnownWebhook, webhooks } from '../projections/webhooks/webhooks.ts';
import type { Deliveries } from '../store/port.ts';
import type { StoredEvent } from '../store/storedEvent.ts';
import { named } from '../tracing/context.ts';
import { handedOn } from '../tracing/live.ts';
import { aborted, repeatUntil } from './aborted.ts';
import { pause } from './answer.ts';
import { places } from './places.ts';
import { type Saga, type SagaGroup, TryAgainLater } from './saga.ts';

/** Sends one message; resolves with what the receiver said, or why it was not asked. */
export type SendMessage = (
  target: { readonly stream: string; readonly url: string; readonly secret: SealedSecret },
  message: { readonly id: string; readonly body: string; readonly traceparent: string | undefined },
  signal: AbortSignal,
) => ObservableInput<WebhookAnswer>;

export type WebhookAnswer =
  | { readonly status: number; readonly retryAfter: string | undefined }
  | { readonly failed: string };

interface Commands {
  read(state: typeof webhookState, stream: string, userId: string): ObservableInput<WebhookState | null>;
  run<Input>(
    command: Command<Input, WebhookState | null>,
    input: Input,
    context: CommandContext,
  ): ObservableInput<unknown>;
}

interface DeliverWebhooksOptions {
  readonly context: () => {
    readonly store: Pick<Deliveries, 'onAppended'>;
    readonly runner: Commands;
    /** By stream. */
    readonly known: Readonly<Record<string, KnownWebhook>>;
  };
  readonly send: SendMessage;
  /** Hears of each attempt, by the stream of the webhook. */
  readonly onAttempt: (stream: string, attempt: WebhookAttempt) => void;
  /** All that the log may hold. */
  readonly events: readonly EventDefinition[];
}

/** Of all webhooks together. */
const MESSAGES_AT_ONCE = 32;
/** After a fault of ours, or where the log has to tell first what became of the webhook. */
const AGAIN_MS = 2_000;
const STORE_AWAY_MS = 1_000;
const LONGEST_RETRY_AFTER_MS = 24 * 60 * 60_000;
/** What is known of a webhook changes with these alone. */
const CHANGES: ReadonlySet<string> = new Set(webhooks.handles.map(({ type }) => type));

/** Tells every webhook of its topics. Each is a saga of its own, with its own cursor: a dead one holds up no other. */
export function deliverWebhooks({ context, ...options }: DeliverWebhooksOptions): SagaGroup {
  const inPlaces = places(MESSAGES_AT_ONCE);
  return {
    name: 'deliver-webhooks',
    changes: defer(() => {
      const { store, known } = context();
      const changed = new Observable<string>((subscriber) =>
        store.onAppended((events) => {
          for (const { type, stream } of events) if (CHANGES.has(type)) subscriber.next(stream);
        }),
      );
      return concat(from(Object.keys(known)), changed);
    }),
    saga(stream, time) {
      const { runner, known } = context();
      const webhook = known[stream];
      return webhook?.isActive
        ? deliveryTo({ ...webhook }, { ...options, runner, inPlaces, time })
        : undefined;
    },
  };
}

interface DeliveryOptions extends Omit<DeliverWebhooksOptions, 'context'> {
  readonly runner: Commands;
  readonly inPlaces: ReturnType<typeof places>;
  readonly time: SchedulerLike;
}

/**
 * Tells one webhook of its topics, in the order of the log: the next message is sent when the one before has arrived.
 * What is sent again, as after a crash, has the same id.
 */
function deliveryTo(webhook: KnownWebhook, options: DeliveryOptions): Saga {
  const { runner, send, onAttempt, events, inPlaces, time } = options;
  const { userId, webhookId, topics, since } = webhook;
  const stream = webhookStream(userId, webhook);
  const types = typesOf(
    topics,
    events.map(({ type }) => type),
  );

  /** Emits whether there is nothing left to do about the event, which may be to be tried again. */
  const attempt = (event: StoredEvent, signal: AbortSignal): Observable<boolean> =>
    defer(() => runner.read(webhookState, stream, userId)).pipe(
      mergeMap((state) => {
        const next = nextFor(state, time.now());
        switch (next.is) {
          case 'nothing':
            throw new TryAgainLater(AGAIN_MS);
          case 'removal':
            return remove();
          case 'wait':
            return timer(new Date(next.until), time).pipe(ignoreElements(), takeUntil(aborted(signal)));
          case 'message': {
            let startedAt = 0;
            const sent = defer(() => {
              startedAt = time.now();
              return send({ stream, ...next.to }, messageOf(event), signal);
            });
            // What became of a message that was broken off, nobody knows.
            return inPlaces(sent).pipe(
              mergeMap((answer) => {
                if (signal.aborted) return EMPTY;
                onAttempt(stream, attemptOf(answer, event, { startedAt, now: time.now() }));
                return note(answer, next, event, signal);
              }),
            );
          }
        }
      }),
    );

  const note = (answer: WebhookAnswer, { failures }: Message, event: StoredEvent, signal: AbortSignal) => {
    const { position, correlationId } = event;
    const failure = failureIn(answer, time.now());
    if (!failure && failures === 0) return of(true);
    const input = { webhookId, position, failure };
    // For as long as it takes: it must not be sent again because nobody noted that it was.
    return defer(() => runner.run(recordDelivery, input, { userId, correlationId })).pipe(
      retry({
        delay: (error) =>
          isStoreUnavailable(error) ? pause(STORE_AWAY_MS, asyncScheduler, signal) : throwError(() => error),
      }),
      map(() => failure === null),
    );
  };

  /** Where it was to go has been erased together with all that its user had. */
  const remove = () =>
    defer(() => runner.run(removeWebhook, { webhookId }, { userId, correlationId: stream })).pipe(
      map(() => true),
    );

  return {
    name: stream,
    on: events.filter(({ type }) => types.has(type)),
    range: { userId, since },
    retry: { tries: Number.POSITIVE_INFINITY, firstPauseMs: AGAIN_MS, longestPauseMs: AGAIN_MS },
    key: () => stream,
    react(event, { signal }) {
      // What becomes of its own messages is nothing that it is told.
      if (event.stream === stream || !isAmong(topics, event)) return EMPTY;
      return attempt(event, signal).pipe(
        repeatUntil(signal),
        takeWhile((isOver) => !isOver),
      );
    },
  };
}

interface Message {
  readonly is: 'message';
  readonly to: { readonly url: string; readonly secret: SealedSecret };
  /** Before it, in a row. */
  readonly failures: number;
}

/** What there is to do for a webhook that is to be told something. */
type Next =
  | Message
  | { readonly is: 'wait'; readonly until: number }
  | { readonly is: 'removal' }
  | { readonly is: 'nothing' };

export function nextFor(state: WebhookState | null, now: number): Next {
  if (state?.status !== 'active') return { is: 'nothing' };
  const { url, secret, retryAt, failures } = state;
  if (url === null || secret === null) return { is: 'removal' };
  if (retryAt !== null && retryAt > now) return { is: 'wait', until: retryAt };
  return { is: 'message', to: { url, secret }, failures };
}

/** Null when the message has arrived. */
export function failureIn(sent: WebhookAnswer, now: number) {
  if ('failed' in sent) return { reason: sent.failed, isGone: false, notBefore: now };
  const { status, retryAfter = '' } = sent;
  if (status >= 200 && status < 300) return null;
  const at = /^\d+$/.test(retryAfter) ? now + Number(retryAfter) * 1_000 : Date.parse(retryAfter);
  const notBefore = Number.isNaN(at) ? now : Math.min(at, now + LONGEST_RETRY_AFTER_MS);
  return { reason: `HTTP_${status}`, isGone: status === 410, notBefore };
}

export function attemptOf(
  answer: WebhookAnswer,
  { position }: StoredEvent,
  { startedAt, now }: { readonly startedAt: number; readonly now: number },
): WebhookAttempt {
  const status = 'failed' in answer ? null : answer.status;
  return { position, at: now, ms: now - startedAt, status, reason: failureIn(answer, now)?.reason ?? null };
}

export function messageOf(event: StoredEvent): Parameters<SendMessage>[1] {
  const id = createHash('sha256').update(`${event.id} ${event.at}`).digest('hex').slice(0, 32);
  const timestamp = new Date(event.at).toISOString();
  const body = JSON.stringify({ type: topicOf(event), timestamp, data: event });
  return { id: `msg_${id}`, body, traceparent: handedOn(event.correlationId, named.event(event.id)) };
}
