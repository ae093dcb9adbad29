import { notifyUser } from '../../commands/notifications/notify.ts';
import { errorMessages } from '../../errors.ts';
import { taskAlerted } from '../../events/scheduler.ts';
import { detailsOf } from '../../projections/scheduler/taskDetails.ts';
import type { EventReader } from '../../store/port.ts';
import { defineSaga, type Saga } from '../saga.ts';

/** Tells the user that a task of theirs fails again and again: once for each row of failures. */
export function tellFailing(store: () => EventReader): Saga {
  return defineSaga({
    name: 'tell-failing-tasks',
    on: [taskAlerted],
    key: ({ stream }) => stream,
    async react(event, { run }) {
      const { taskId, failures, code } = event.data;
      const details = await detailsOf(store(), taskId);
      if (!details?.name) return;
      await run(notifyUser, {
        notificationId: `${taskId}-alert-${event.version}`,
        title: details.name,
        text: `It has failed ${failures} times in a row: ${reasonFor(code)}`,
        by: 'schedule',
        taskId,
        channels: details.notify ?? undefined,
      });
    },
  });
}

function reasonFor(code: string): string {
  return Object.entries(errorMessages).find(([known]) => known === code)?.[1] ?? code;
}
