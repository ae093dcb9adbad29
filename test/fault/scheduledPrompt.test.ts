import assert from 'node:assert/strict';
import { test } from 'vitest';
import { says, silent } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { TemporaryFolder } from '../interfaces/cli/hark.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { published, SchedulerClient } from '../support/scheduler.ts';
import { InProcessService, TEST_NOW } from '../support/service.ts';

test('a prompt whose process is stopped in the middle of it is fired once, and said again', async (t) => {
  using folder = new TemporaryFolder();
  const models = await ScriptedModels.start();
  t.onTestFinished(() => models.stop());
  const start = (now: number) =>
    InProcessService.start({
      ...providersAt(models),
      SERVICE_KVSTORE_URL: 'embedded',
      SERVICE_DATA_DIR: folder.path,
      SERVICE_TEST_NOW: String(now),
    });
  const first = await start(TEST_NOW);
  await unsetBackgroundSlots(first);
  models.script(silent());
  const before = new SchedulerClient(first, 'ann');
  const asked = await before.listen('topics=chat.message.received');
  const due = { scheduleType: 'once', atTimestamp: TEST_NOW + 1_000 };
  const { id } = await before.create({
    ...due,
    eventTopic: 'agent.prompt.requested',
    payload: { text: 'Hello?', sessionId: 's' },
  });
  await first.advance(1_000);
  await published(asked);
  asked.close();
  await first.stop();

  models.reset();
  models.script(says('Here I am'));
  const second = await start(TEST_NOW + 2_000);
  const after = new SchedulerClient(second, 'ann');
  const told = await after.listen('topics=schedule.*,chat.*&after=0');
  const events: string[] = [];
  for (let event = ''; event !== 'schedule.run.succeeded'; ) {
    event = (await published(told)).event;
    events.push(event);
    if (event === 'schedule.run.failed') await second.advance(30_000);
  }
  told.close();
  assert.deepEqual(
    events.filter((event) => !event.startsWith('chat.step')),
    [
      'schedule.task.created',
      'schedule.task.described',
      'agent.prompt.requested',
      'chat.message.received',
      'chat.turn.interrupted',
      'schedule.run.failed',
      'schedule.run.retried',
      'chat.message.received',
      'chat.reply.sent',
      'schedule.run.succeeded',
    ],
  );
  const { status, runCount, failures } = await after.show(id);
  assert.deepEqual([status, runCount, failures], ['completed', 1, 0]);
  await second.stop();
});
