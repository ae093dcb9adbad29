import {
  asyncScheduler,
  defer,
  EMPTY,
  map,
  mergeMap,
  Observable,
  type ObservableInput,
  of,
  retry,
  takeWhile,
  throwError,
} from 'rxjs';
import { isStoreUnavailable } from '../../application/retryWhileUnavailable.ts';
import type { HabitsOf } from '../../application/timeHabits.ts';
import type { Clock } from '../../clock.ts';
import { deferChannel, recordAttempt } from '../../commands/notifications/notify.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { notificationsStream, readNotificationEvent } from '../../events/notifications.ts';
import {
  type Notification,
  type NotificationChannel,
  notificationsState,
} from '../../folds/notifications/notifications.ts';
import type { Sent } from '../../gateways/notifications/message.ts';
import type { PendingDeliveries } from '../../projections/notifications/pending.ts';
import type { Deliveries } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { repeatUntil } from '../aborted.ts';
import { pause } from '../answer.ts';
import type { TimedSaga } from '../saga.ts';
import { type Noted, whenDue } from '../whenDue.ts';
import { type Next, nextFor } from './next.ts';

/** Sends it once. */
export type Deliver = (
  to: NotificationChannel & { readonly userId: string },
  notification: Notification,
  signal: AbortSignal,
) => ObservableInput<Sent>;

interface DeliveringContext {
  readonly store: Pick<Deliveries, 'onAppended'>;
  readonly runner: CommandRunner;
  readonly pending: () => PendingDeliveries;
}

interface DeliveringOptions {
  /** Throws while the log is away. */
  readonly context: () => DeliveringContext;
  readonly deliver: Deliver;
  readonly clock: Clock;
  /** For the hours in which a user wants to be left alone. */
  readonly habitsOf: HabitsOf;
}

interface DueChannel {
  readonly userId: string;
  readonly channelId: string;
}

const STORE_AWAY_MS = 1_000;

/**
 * Delivers what waits for a channel, one after the other, whenever there may be something to deliver. What there is to
 * do says the log: nothing waits in this process but the moment at which to look.
 */
export function deliverNotifications({
  context,
  deliver,
  clock,
  habitsOf,
}: DeliveringOptions): TimedSaga<DueChannel> {
  const look = async ({ userId, channelId }: DueChannel): Promise<Next> => {
    const { runner } = context();
    const state = await runner.read(notificationsState, notificationsStream(userId), userId);
    const { timezone } = await habitsOf(userId);
    return nextFor(state, channelId, clock(), timezone);
  };

  /** Emits whether there may be more to do at once. */
  const doNext = (due: DueChannel, next: Next, signal: AbortSignal): Observable<boolean> => {
    const { userId, channelId } = due;
    switch (next.is) {
      case 'nothing':
      case 'wait':
        return of(false);
      case 'deferral': {
        const { because, until } = next;
        const whose = { userId, correlationId: channelId };
        return defer(() => context().runner.run(deferChannel, { channelId, because, until }, whose)).pipe(
          map(() => false),
        );
      }
      case 'expiry':
        return note(due, next.notification, { failed: 'EXPIRED', isFinal: true }, signal);
      case 'delivery': {
        const { channel, notification } = next;
        return defer(() => deliver({ ...channel, userId }, notification, signal)).pipe(
          // What became of one that was broken off, nobody knows.
          mergeMap((sent) => (signal.aborted ? EMPTY : note(due, notification, sent, signal))),
        );
      }
    }
  };

  const note = (due: DueChannel, { notificationId }: Notification, sent: Sent, signal: AbortSignal) => {
    const { userId, channelId } = due;
    const failure =
      sent === 'delivered'
        ? null
        : { reason: sent.failed, isFinal: sent.isFinal, notBefore: clock() + (sent.retryAfterMs ?? 0) };
    const input = { notificationId, channelId, failure };
    // For as long as it takes: it must not be sent again because nobody noted that it was.
    return defer(() =>
      context().runner.run(recordAttempt, input, { userId, correlationId: notificationId }),
    ).pipe(
      retry({
        delay: (error) =>
          isStoreUnavailable(error) ? pause(STORE_AWAY_MS, asyncScheduler, signal) : throwError(() => error),
      }),
      map(() => failure === null || failure.isFinal),
    );
  };

  return {
    name: 'deliver-notifications',
    on: (time) => defer(() => whenDue(looksNeeded(context()), time)),
    key: ({ userId, channelId }) => `${userId}.${channelId}`,
    retry: { tries: Number.POSITIVE_INFINITY, firstPauseMs: 2_000, longestPauseMs: 60_000 },
    react: (due, { signal }) =>
      defer(() => look(due)).pipe(
        mergeMap((next) => doNext(due, next, signal)),
        repeatUntil(signal),
        takeWhile((mayBeMore) => mayBeMore),
      ),
  };
}

function looksNeeded({ store, pending }: DeliveringContext): Observable<Noted<DueChannel>> {
  return new Observable((subscriber) => {
    const stopListening = store.onAppended((events) => {
      for (const event of events) for (const noted of looksAfter(event)) subscriber.next(noted);
    });
    for (const [userId, channels] of Object.entries(pending().byUser))
      for (const [channelId, { notBefore }] of Object.entries(channels))
        subscriber.next({ at: notBefore, item: { userId, channelId } });
    return stopListening;
  });
}

/** When to look at which channels, because of this event. */
function looksAfter(stored: StoredEvent): readonly Noted<DueChannel>[] {
  const event = readNotificationEvent(stored);
  const lookAt = (channelId: string, at = 0) => ({ at, item: { userId: stored.owner, channelId } });
  switch (event?.type) {
    case 'notification.created':
      return event.data.channels.map((channelId) => lookAt(channelId));
    case 'notification.channel.changed':
    case 'notification.channel.tested':
      return [lookAt(event.data.channelId)];
    case 'notification.delivery.failed': {
      const { channelId, retryAt } = event.data;
      return retryAt === null ? [] : [lookAt(channelId, retryAt)];
    }
    case 'notification.delivery.deferred':
      return [lookAt(event.data.channelId, event.data.until)];
    default:
      return [];
  }
}
