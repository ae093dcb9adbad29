import { notificationsState, type UserNotifications } from '../../folds/notifications/notifications.ts';
import type { EventReader } from '../../store/port.ts';
import type { UserProjection } from '../projection.ts';
import { type UserViews, userViewAt } from '../runtime.ts';

/** What a user has been told, and the channels by which they are told. */
export const notifications: UserProjection<UserNotifications> = notificationsState;

/** As they are, or as they were at a moment. */
export function notificationsOf(
  { store, views }: { readonly store: EventReader; readonly views: UserViews },
  userId: string,
  time: number | undefined,
): Promise<UserNotifications> {
  return time === undefined
    ? views.of(notifications, userId)
    : userViewAt(store, notifications, userId, { time });
}
