import { describe, test } from 'vitest';
import { cancelTask, changeStatus } from '../../../src/commands/scheduler/changeStatus.ts';
import { createTask } from '../../../src/commands/scheduler/createTask.ts';
import { endRun } from '../../../src/commands/scheduler/endRun.ts';
import { fireTask, runTask } from '../../../src/commands/scheduler/fireTask.ts';
import { replanTask } from '../../../src/commands/scheduler/replanTask.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import type { Schedule } from '../../../src/recurrence.ts';
import { decide, given, NOW } from '../../support/given.ts';
import { created, described, fired, MINUTE, run, runFailed, taskId } from './facts.ts';

const HOUR = 60 * MINUTE;
const event = (type: 'paused' | 'cancelled', because: string): NewEvent => ({
  type: `schedule.task.${type}`,
  data: { taskId, because },
});

describe('creating a task', () => {
  const every = { type: 'interval', intervalMs: MINUTE } as const;
  const input = { taskId, name: 'Tea', schedule: every, topic: 'tea.time', payload: { sugar: 2 } };

  test('says when it is due, and keeps what is personal apart', () =>
    given(createTask)
      .when(input)
      .gives(created({ nextRunAt: NOW + MINUTE }), described()));
  test('takes a moment that has just passed for now', () => {
    const schedule = { type: 'once', atTimestamp: NOW - 1_000 } as const;
    const nextRunAt = NOW - 1_000;
    given(createTask)
      .when({ ...input, schedule })
      .gives(created({ schedule, nextRunAt }), described());
    given(createTask)
      .when({ ...input, schedule: { type: 'once', atTimestamp: NOW - 1_001 } })
      .isRefused('SCHEDULE_INVALID');
  });
  test('refuses what is never due', () =>
    given(createTask)
      .when({ ...input, schedule: { type: 'cron', expression: '0 0 31 4 *' } })
      .isRefused('SCHEDULE_INVALID'));
  test('refuses an id that is taken', () => given(createTask, created()).when(input).isRefused('CONFLICT'));
  test('keeps by which device it was asked for, and tells when it is due', () => {
    const task = created({ deviceId: 'lamp' });
    given(createTask)
      .when({ ...input, deviceId: 'lamp' })
      .gives(created({ nextRunAt: NOW + MINUTE, deviceId: 'lamp' }), described());
    given(fireTask, task, described())
      .when({ taskId, presentSince: NOW - HOUR, hasActor: () => true })
      .gives(fired(NOW, { acts: true, deviceId: 'lamp' }));
  });
  test('ends a circle of tasks that make each other', () => {
    const nextRunAt = NOW + MINUTE;
    given(createTask)
      .when({ ...input, parentGeneration: 9 })
      .gives(created({ nextRunAt, generation: 10 }), described());
    given(createTask)
      .when({ ...input, parentGeneration: 10 })
      .isRefused('SCHEDULE_CIRCLE');
  });
  test('lets others than the user have a hundred active ones', () => {
    const notByUser = { maker: 'model', active: 99 } as const;
    given(createTask)
      .when({ ...input, notByUser })
      .gives(created({ nextRunAt: NOW + MINUTE, madeBy: 'model' }), described());
    given(createTask)
      .when({ ...input, notByUser: { ...notByUser, active: 100 } })
      .isRefused('SCHEDULE_CIRCLE');
  });
  test('lets no other than the user have one run more than once a minute', () => {
    const notByUser = { maker: 'model', active: 0 } as const;
    const often: readonly Schedule[] = [
      { type: 'interval', intervalMs: MINUTE - 1 },
      { type: 'cron', expression: '*/30 * * * * *' },
      { type: 'cron', expression: '0,1 0 * * * *' },
      { type: 'cron', expression: '5-6 0 * * * * 2027' },
    ];
    for (const schedule of often) {
      given(createTask)
        .when({ ...input, schedule, notByUser })
        .isRefused('SCHEDULE_INVALID');
      decide(createTask, null, { ...input, schedule });
    }
    const seldom: readonly Schedule[] = [
      { type: 'once', atTimestamp: NOW },
      { type: 'cron', expression: '* * * * *' },
      { type: 'cron', expression: '59 * * * * *' },
      { type: 'cron', expression: '@daily' },
    ];
    for (const schedule of seldom) decide(createTask, null, { ...input, schedule, notByUser });
  });
  test('lets tasks follow each other for ever when they leave an hour in between', () => {
    const schedule = { type: 'interval', intervalMs: HOUR } as const;
    given(createTask)
      .when({ ...input, schedule, parentGeneration: 10 })
      .gives(created({ schedule, nextRunAt: NOW + HOUR, generation: 0 }), described());
  });
});

describe('running a task because the user wants it now', () => {
  const input = { taskId, hasActor: () => true };
  const task = [created({ nextRunAt: NOW + HOUR }), described()];
  const nowAsked = (fields: object) => fired(NOW, { asked: true, acts: true, ...fields });

  test('leaves what is planned as it was', () => {
    given(runTask, ...task)
      .when(input)
      .gives(nowAsked({ nextRunAt: NOW + HOUR }));
    given(fireTask, ...task, nowAsked({ nextRunAt: NOW + HOUR }))
      .when({ ...input, presentSince: NOW - HOUR })
      .givesNothing();
  });
  test('runs what is paused, which stays paused', () => {
    const paused = [...task, event('paused', 'asked')];
    given(runTask, ...paused)
      .when(input)
      .gives(nowAsked({ nextRunAt: null }));
    given(changeStatus, ...paused, nowAsked({ nextRunAt: null }))
      .when({ taskId, status: 'paused' })
      .givesNothing();
  });
  test('does not wait after a failure', () =>
    given(runTask, ...task, nowAsked({ nextRunAt: NOW + HOUR }), runFailed(NOW, { retryAt: NOW + MINUTE }))
      .when(input)
      .gives(nowAsked({ nextRunAt: NOW + HOUR })));
  test('refuses what is under way, over or not there', () => {
    given(runTask, ...task, nowAsked({ nextRunAt: NOW + HOUR }))
      .when(input)
      .isRefused('CONFLICT');
    given(runTask, ...task, event('cancelled', 'asked'))
      .when(input)
      .isRefused('SCHEDULED_TASK_OVER');
    given(runTask).when(input).isRefused('SCHEDULED_TASK_UNKNOWN');
  });
  test('refuses what was erased, but not what never held any text', () => {
    const erased = described({ name: null, payload: null });
    given(runTask, created({ nextRunAt: NOW + HOUR }), erased)
      .when(input)
      .isRefused('SCHEDULED_TASK_OVER');
    given(runTask, created({ nextRunAt: NOW + HOUR, textless: true }), erased)
      .when(input)
      .gives(nowAsked({ nextRunAt: NOW + HOUR, payload: null }));
  });
});

describe('firing a task', () => {
  const input = { taskId, presentSince: NOW - HOUR, hasActor: () => false };
  const acting = { ...input, hasActor: () => true };
  const task = [created(), described()];

  test('that is due publishes its topic, and says when it is due next', () =>
    given(fireTask, ...task)
      .when(input)
      .gives(fired(NOW)));
  test('that is not due does nothing', () => {
    given(fireTask, created({ nextRunAt: NOW + 1 }), described())
      .when(input)
      .givesNothing();
    given(fireTask).when(input).givesNothing();
    given(fireTask, ...task, fired(NOW))
      .when(input)
      .givesNothing();
    given(fireTask, ...task, event('paused', 'asked'))
      .when(input)
      .givesNothing();
    given(fireTask, ...task, event('cancelled', 'asked'))
      .when(input)
      .givesNothing();
  });
  test('that was missed stands for all that were, and is late', () => {
    const dueAt = NOW - 10 * MINUTE - 5;
    given(fireTask, created({ nextRunAt: dueAt }), described())
      .when(input)
      .gives(fired(dueAt, { late: true, nextRunAt: NOW + MINUTE - 5 }));
  });
  test('is late when nobody was there, however short', () =>
    given(fireTask, created({ nextRunAt: NOW - 5 }), described())
      .when({ ...input, presentSince: NOW - 4 })
      .gives(fired(NOW - 5, { late: true })));
  test('is not late when somebody came in that moment', () =>
    given(fireTask, created({ nextRunAt: NOW - 5 }), described())
      .when({ ...input, presentSince: NOW - 5 })
      .gives(fired(NOW - 5)));
  test('is not late within a second', () =>
    given(fireTask, created({ nextRunAt: NOW - 1_000 }), described())
      .when(input)
      .gives(fired(NOW - 1_000)));
  test('is late after more than a second, whoever was there', () =>
    given(fireTask, created({ nextRunAt: NOW - 1_001 }), described())
      .when(input)
      .gives(fired(NOW - 1_001, { late: true })));
  test('says where it is to be said and by which channels it is to be told', () => {
    const where = { sessionId: 'kitchen', notify: ['phone'] };
    given(fireTask, created(where), described()).when(input).gives(fired(NOW, where));
  });
  test('once is the last time', () => {
    const schedule = { type: 'once', atTimestamp: NOW } as const;
    given(fireTask, created({ schedule }), described())
      .when(input)
      .gives(fired(NOW, { nextRunAt: null }));
  });
  test('whose topic is acted on begins a run', () =>
    given(fireTask, ...task)
      .when(acting)
      .gives(fired(NOW, { acts: true })));
  test('begins no run while one is under way', () => {
    const before = fired(NOW - MINUTE, { acts: true });
    given(fireTask, ...task, before)
      .when(acting)
      .gives(fired(NOW, { held: 'overlap' }));
    given(fireTask, ...task, before, { type: 'schedule.run.succeeded', data: run(NOW - MINUTE) })
      .when(acting)
      .gives(fired(NOW, { acts: true }));
  });
  test('holds up nothing for a run under way where nobody acts on its topic any longer', () =>
    given(fireTask, ...task, fired(NOW - MINUTE, { acts: true }))
      .when(input)
      .gives(fired(NOW)));
  test('takes a run that has not ended within a day for lost', () => {
    const begun = (ago: number) => [
      created({ nextRunAt: NOW }),
      described(),
      { ...fired(NOW - ago, { acts: true, nextRunAt: NOW }), at: NOW - ago },
    ];
    given(fireTask, ...begun(24 * HOUR - 1))
      .when(acting)
      .gives(fired(NOW, { held: 'overlap' }));
    given(fireTask, ...begun(24 * HOUR))
      .when(acting)
      .gives(fired(NOW, { acts: true }));
  });
  test('begins no run before the pause after a failure is over', () => {
    const before = fired(NOW - MINUTE, { acts: true });
    given(fireTask, ...task, before, runFailed(NOW - MINUTE, { retryAt: NOW + 1 }))
      .when(acting)
      .gives(fired(NOW, { held: 'back-off' }));
    given(fireTask, ...task, before, runFailed(NOW - MINUTE, { retryAt: NOW }))
      .when(acting)
      .gives(fired(NOW, { acts: true }));
  });
  test('tries again what failed when its time has come', () => {
    const before = fired(NOW - MINUTE, { acts: true, nextRunAt: NOW + HOUR });
    const failed = runFailed(NOW - MINUTE, { retryAt: NOW });
    const retried = { type: 'schedule.run.retried', data: run(NOW - MINUTE, 2) } as const;
    given(fireTask, ...task, before, failed)
      .when(acting)
      .gives(retried);
    given(fireTask, ...task, before, failed, retried)
      .when(acting)
      .givesNothing();
    given(fireTask, ...task, before, runFailed(NOW - MINUTE, { retryAt: NOW + 1 }))
      .when(acting)
      .givesNothing();
    given(fireTask, ...task, before, failed, event('paused', 'asked'))
      .when(acting)
      .givesNothing();
  });
  test('that holds no text goes on without its name when everything is erased', () => {
    const nameless = [created({ textless: true }), described({ name: null, payload: null })] as const;
    given(fireTask, ...nameless)
      .when(input)
      .gives(fired(NOW, { payload: null }));
    given(cancelTask, ...nameless)
      .when({ taskId, because: 'erased' })
      .givesNothing();
    given(cancelTask, ...nameless)
      .when({ taskId })
      .gives(event('cancelled', 'asked'));
  });
  test('that was erased is cancelled instead', () =>
    given(fireTask, created(), described({ name: null, payload: null }))
      .when(input)
      .gives(event('cancelled', 'erased')));
});

describe('the end of a run', () => {
  const began = [created({ nextRunAt: NOW - 1 }), described(), fired(NOW - 1, { acts: true })];
  const ended = { ...run(NOW - 1), failure: null };
  const failure = { code: 'MODEL_UNAVAILABLE' };

  test('is recorded once', () => {
    const succeeded = { type: 'schedule.run.succeeded', data: run(NOW - 1) } as const;
    given(endRun, ...began)
      .when(ended)
      .gives(succeeded);
    given(endRun, ...began, succeeded)
      .when(ended)
      .givesNothing();
    given(endRun, ...began)
      .when({ ...ended, attempt: 2 })
      .givesNothing();
    given(endRun).when(ended).givesNothing();
  });
  test('as a failure has it tried again after a pause that grows', () => {
    let failures = 0;
    const past: NewEvent[] = [];
    for (const seconds of [30, 60, 300, 900, 3_600, 3_600, 3_600]) {
      const retryAt = NOW + seconds * 1_000;
      const attempt = ++failures;
      const failed = runFailed(NOW - 1, { attempt, failures, retryAt });
      const alert = { taskId, failures, code: failure.code };
      given(endRun, ...began, ...past)
        .when({ ...run(NOW - 1, attempt), failure })
        .gives(failed, ...(failures === 3 ? [{ type: 'schedule.task.alerted', data: alert }] : []));
      past.push(failed, { type: 'schedule.run.retried', data: run(NOW - 1, attempt + 1) });
    }
    const last = runFailed(NOW - 1, { attempt: 8, failures: 8 });
    given(endRun, ...began, ...past)
      .when({ ...run(NOW - 1, 8), failure })
      .gives(last, event('paused', 'failing'));
    const schedule = { type: 'once', atTimestamp: NOW - 1 } as const;
    const [, ...rest] = began;
    const once = [
      created({ schedule }),
      ...rest.slice(0, -1),
      fired(NOW - 1, { acts: true, nextRunAt: null }),
    ];
    given(endRun, ...once, ...past)
      .when({ ...run(NOW - 1, 8), failure })
      .gives(last, { type: 'schedule.task.failed', data: { taskId } });
  });
  test('as letting the task go on ends the row of failures', () => {
    const resumed = { type: 'schedule.task.resumed', data: { taskId, nextRunAt: NOW - 1 } } as const;
    const failedBefore = runFailed(NOW - MINUTE, { failures: 8 });
    const again = [fired(NOW - MINUTE, { acts: true }), failedBefore, event('paused', 'failing'), resumed];
    given(endRun, created(), described(), ...again, fired(NOW - 1, { acts: true }))
      .when({ ...run(NOW - 1), failure })
      .gives(runFailed(NOW - 1, { failures: 1, retryAt: NOW + 30_000 }));
  });
  test('as a success ends the row of failures', () => {
    const past = [
      runFailed(NOW - 1, { failures: 4, retryAt: NOW }),
      { type: 'schedule.run.retried', data: run(NOW - 1, 2) },
      { type: 'schedule.run.succeeded', data: run(NOW - 1, 2) },
      fired(NOW, { acts: true }),
    ];
    given(endRun, ...began, ...past)
      .when({ ...run(NOW), failure })
      .gives(runFailed(NOW, { failures: 1, retryAt: NOW + 30_000 }));
  });
  test('as a failure is not tried again when the task was paused or cancelled meanwhile', () => {
    for (const stop of [event('paused', 'asked'), event('cancelled', 'asked')])
      given(endRun, ...began, stop)
        .when({ ...ended, failure })
        .gives(runFailed(NOW - 1));
  });
});

describe('changing a task', () => {
  const task = [created({ nextRunAt: NOW + 1 }), described()];
  const paused = event('paused', 'asked');

  test('pauses it, and lets it go on from now', () => {
    given(changeStatus, ...task)
      .when({ taskId, status: 'paused' })
      .gives(paused);
    given(changeStatus, ...task, paused)
      .when({ taskId, status: 'active' })
      .gives({ type: 'schedule.task.resumed', data: { taskId, nextRunAt: NOW + MINUTE } });
  });
  test('has nothing fired again when the clock went back during the pause', () =>
    given(changeStatus, ...task, fired(NOW + MINUTE), paused)
      .when({ taskId, status: 'active' })
      .gives({ type: 'schedule.task.resumed', data: { taskId, nextRunAt: NOW + 2 * MINUTE } }));
  test('to what it is changes nothing', () => {
    given(changeStatus, ...task)
      .when({ taskId, status: 'active' })
      .givesNothing();
    given(changeStatus, ...task, paused)
      .when({ taskId, status: 'paused' })
      .givesNothing();
  });
  test('has what is due once still done when its time has passed', () => {
    const schedule = { type: 'once', atTimestamp: NOW - HOUR } as const;
    given(changeStatus, created({ schedule, nextRunAt: NOW - HOUR }), described(), paused)
      .when({ taskId, status: 'active' })
      .gives({ type: 'schedule.task.resumed', data: { taskId, nextRunAt: NOW - HOUR } });
  });
  test('is refused when it is over, or never was', () => {
    for (const status of ['active', 'paused'] as const) {
      given(changeStatus).when({ taskId, status }).isRefused('SCHEDULED_TASK_UNKNOWN');
      given(changeStatus, ...task, event('cancelled', 'asked'))
        .when({ taskId, status })
        .isRefused('SCHEDULED_TASK_OVER');
      given(changeStatus, ...task, fired(NOW, { nextRunAt: null }))
        .when({ taskId, status })
        .isRefused('SCHEDULED_TASK_OVER');
    }
  });
});

test('cancelling a task ends it, whatever it was', () => {
  const cancelled = event('cancelled', 'asked');
  given(cancelTask, created(), described()).when({ taskId }).gives(cancelled);
  given(cancelTask, created(), described(), event('paused', 'failing')).when({ taskId }).gives(cancelled);
  given(cancelTask, created(), described(), fired(NOW, { nextRunAt: null }))
    .when({ taskId })
    .gives(cancelled);
  given(cancelTask, created(), described(), cancelled).when({ taskId }).givesNothing();
  given(cancelTask).when({ taskId }).isRefused('SCHEDULED_TASK_UNKNOWN');
});

describe('a clock that went back', () => {
  test('has the next occurrence planned that was not fired yet', () => {
    const ahead = NOW + 24 * HOUR;
    given(replanTask, created(), described(), fired(NOW - 5 * MINUTE, { nextRunAt: ahead }))
      .when({ taskId })
      .gives({ type: 'schedule.task.replanned', data: { taskId, nextRunAt: NOW + MINUTE } });
  });
  test('has nothing fired again', () => {
    const dueAt = NOW + 5 * MINUTE;
    given(replanTask, created(), described(), fired(dueAt)).when({ taskId }).givesNothing();
  });
  test('changes nothing about what is due once, or not at all', () => {
    const schedule = { type: 'once', atTimestamp: NOW + HOUR } as const;
    given(replanTask, created({ schedule, nextRunAt: NOW + HOUR }), described())
      .when({ taskId })
      .givesNothing();
    given(replanTask, created(), described(), event('paused', 'asked')).when({ taskId }).givesNothing();
    given(replanTask).when({ taskId }).givesNothing();
  });
});
