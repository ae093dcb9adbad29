import { notificationsState, type UserNotifications } from '../../folds/notifications/notifications.ts';
import type { UserProjection } from '../projection.ts';

/** What a user has been told, and the channels by which they are told. */
export const notifications: UserProjection<UserNotifications> = notificationsState;
