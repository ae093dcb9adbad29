import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { createTask } from '../../../src/commands/scheduler/createTask.ts';
import { errorMessages } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { readNotificationEvent } from '../../../src/events/notifications.ts';
import { taskStream } from '../../../src/events/scheduler.ts';
import { tellFailing } from '../../../src/sagas/notifications/tellFailing.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { NOW } from '../../support/given.ts';
import { begun, cursorAt, runtimeOn } from '../../support/sagas.ts';

const who = { userId: 'ann', correlationId: 'test' };

/** What the user is told of a task that has failed three times in a row. */
async function told(
  code: string,
  { notify, taskId = 'tea' }: { notify?: readonly string[]; taskId?: string } = {},
) {
  const log = await Log.open(new MemoryAdapter(), eventCatalog);
  const runner = new StoreCommandRunner({ store: log, clock: () => NOW, newId: String });
  for (const channelId of ['phone', 'mail']) await addChannel(log, channelId);
  await begun(log, 'tell-failing-tasks');
  const notifications: object[] = [];
  log.onAppended((events) => {
    for (const stored of events) {
      const event = readNotificationEvent(stored);
      if (event?.type === 'notification.created') notifications.push(event.data);
    }
  });
  const schedule = { type: 'interval', intervalMs: 60_000 } as const;
  const task = { taskId: 'tea', name: 'Tea', topic: 'tea.ready', payload: null, schedule };
  await runner.run(createTask, { ...task, ...(notify ? { notify } : {}) }, who);
  const alerted = { type: 'schedule.task.alerted', data: { taskId, failures: 3, code } };
  const place = { stream: taskStream(taskId), expected: 'any', at: NOW, causationId: null } as const;
  const { position } = await log.append({ ...who, ...place, events: [alerted] });
  const onFailure = (_saga: string, error: unknown) => assert.fail(String(error));
  const runtime = runtimeOn(
    log,
    tellFailing(() => log),
    { runner, onFailure },
  );
  runtime.start();
  await cursorAt(log, 'tell-failing-tasks', notifications.length === 0 ? position : position + 1);
  await runtime.stop();
  return notifications;
}

async function addChannel(log: Log, channelId: string): Promise<void> {
  const target = { type: 'webhook', url: 'https://example.com' };
  const data = { channelId, type: 'webhook', name: channelId, target, quietHours: null, mostAnHour: 9 };
  const place = { stream: 'notifications-ann', expected: 'any', at: NOW, causationId: null } as const;
  await log.append({ ...who, ...place, events: [{ type: 'notification.channel.added', data }] });
}

describe('the user of a task that fails again and again', () => {
  it('is told so on every channel, with the reason in words', async () => {
    const [one] = await told('MODEL_UNAVAILABLE');
    assert.partialDeepStrictEqual(one, {
      title: 'Tea',
      text: `It has failed 3 times in a row: ${errorMessages.MODEL_UNAVAILABLE}`,
      taskId: 'tea',
      channels: ['phone', 'mail'],
    });
  });

  it('is told on the channels that the task tells on, with a reason that is no word of ours as it is', async () => {
    const [one] = await told('OUT_OF_TEA', { notify: ['mail'] });
    assert.partialDeepStrictEqual(one, {
      text: 'It has failed 3 times in a row: OUT_OF_TEA',
      channels: ['mail'],
    });
  });

  it('is told nothing of one that is gone', async () => {
    assert.deepEqual(await told('MODEL_UNAVAILABLE', { taskId: 'gone' }), []);
  });
});
