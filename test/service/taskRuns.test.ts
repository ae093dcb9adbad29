import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { as, SchedulerClient } from '../support/scheduler.ts';
import { InProcessService, TEST_NOW } from '../support/service.ts';

interface Runs {
  readonly runs: readonly { readonly dueAt: number; readonly asked: boolean; readonly state: string }[];
  readonly next: readonly number[];
}
interface Previewed {
  readonly schedule: object;
  readonly times: readonly number[];
  readonly when: string;
  readonly notes: readonly string[];
}

const MINUTE = 60_000;

describe('the runs of a task', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
  });
  afterAll(() => service.stop());
  const runsOf = async (user: string, id: string, query = '') =>
    (await service.get<Runs>(`/api/scheduler/tasks/${id}/runs${query}`, as(user))).body;

  test('are listed newest first, with the times that come next', async () => {
    const ann = new SchedulerClient(service, 'ann');
    const { id } = await ann.create({ scheduleType: 'interval', intervalMs: MINUTE });
    assert.deepEqual((await runsOf('ann', id)).runs, []);
    const reader = await ann.listen('topics=a.topic');
    for (let minute = 1; minute <= 9; minute++) {
      await service.advance(MINUTE);
      await reader.next();
    }
    const { runs, next } = await runsOf('ann', id, '?limit=3');
    assert.deepEqual(
      runs.map(({ dueAt, state }) => [dueAt, state]),
      [9, 8, 7].map((minute) => [TEST_NOW + minute * MINUTE, 'published']),
    );
    assert.deepEqual(next.slice(0, 2), [TEST_NOW + 10 * MINUTE, TEST_NOW + 11 * MINUTE]);
    assert.equal((await service.get(`/api/scheduler/tasks/${id}/runs`, as('ben'))).status, 404);
    reader.close();
  });

  test('and the task itself are shown as they were, and so is the list', async () => {
    const eve = new SchedulerClient(service, 'eve');
    const begun = (await eve.create({ scheduleType: 'interval', intervalMs: MINUTE })).createdAt;
    const { id } = (await eve.ask('GET')).body.tasks[0] ?? {};
    assert.ok(id);
    const reader = await eve.listen('topics=a.topic');
    for (let minute = 1; minute <= 3; minute++) {
      await service.advance(MINUTE);
      await reader.next();
    }
    reader.close();
    await eve.ask('DELETE', `/${id}`);
    await service.advance(1);
    await eve.create({ scheduleType: 'interval', intervalMs: 60 * MINUTE });
    const at = begun + 2 * MINUTE;
    const past = (await eve.ask('GET', `/${id}?at=${at}`)).body.task;
    assert.partialDeepStrictEqual(past, { status: 'active', runCount: 2, nextRunAt: begun + 3 * MINUTE });
    const { runs, next } = await runsOf('eve', id, `?limit=1&at=${at}`);
    assert.deepEqual(
      runs.map(({ dueAt }) => dueAt),
      [at],
    );
    assert.equal(next[0], begun + 3 * MINUTE);
    const { body } = await eve.ask('GET', `?status=active&at=${at}`);
    assert.deepEqual([body.count, body.tasks], [1, [past]]);
    const before = await eve.ask('GET', `?at=${begun - 1}`);
    assert.deepEqual([before.body.count, before.body.tasks], [0, []]);
    assert.equal((await eve.ask('GET', `/${id}?at=${begun - 1}`)).status, 404);
    const stranger = new SchedulerClient(service, 'ben');
    assert.equal((await stranger.ask('GET', `/${id}?at=${at}`)).status, 404);
    assert.deepEqual((await stranger.ask('GET', `?at=${at}`)).body.tasks, []);
  });

  test('begin when the user wants that, and change no plan', async () => {
    const cleo = new SchedulerClient(service, 'cleo');
    const task = await cleo.create({ scheduleType: 'interval', intervalMs: 60 * MINUTE });
    await cleo.ask('PUT', `/${task.id}`, { status: 'paused' });
    const reader = await cleo.listen('topics=a.topic');
    const { status, body } = await cleo.ask('POST', `/${task.id}/run`);
    assert.deepEqual([status, body.task.status, body.task.runCount], [200, 'paused', 1]);
    assert.equal((await reader.next())?.event, 'a.topic');
    reader.close();
    await cleo.ask('PUT', `/${task.id}`, { status: 'active' });
    await service.advance(1);
    const before = await cleo.show(task.id);
    await cleo.ask('POST', `/${task.id}/run`);
    const after = await cleo.show(task.id);
    assert.deepEqual([after.nextRunAt, after.status, after.runCount], [before.nextRunAt, 'active', 2]);
    const { runs } = await runsOf('cleo', task.id);
    assert.deepEqual(
      runs.map(({ asked }) => asked),
      [true, true],
    );
    await cleo.ask('DELETE', `/${task.id}`);
    assert.equal((await cleo.ask('POST', `/${task.id}/run`)).status, 409);
    const stranger = new SchedulerClient(service, 'dora');
    assert.equal((await stranger.ask('POST', `/${task.id}/run`)).status, 404);
  });
});

describe('a schedule that is tried out', () => {
  test('says when it would run, and what is wrong with it', async (t) => {
    const service = await InProcessService.start();
    t.onTestFinished(() => service.stop());
    const preview = (body: object) => service.ask<Previewed>('POST', '/api/scheduler/preview', { body });
    const { body } = await preview({ every: 'weekdays at 7:30', timezone: 'Europe/Berlin', count: 3 });
    assert.deepEqual(body.schedule, { type: 'cron', expression: '30 7 * * 1-5', timezone: 'Europe/Berlin' });
    assert.deepEqual(
      body.times.map((at) => new Date(at).toISOString()),
      ['2023-11-15T06:30:00.000Z', '2023-11-16T06:30:00.000Z', '2023-11-17T06:30:00.000Z'],
    );
    assert.equal((await preview({ scheduleType: 'once', atTimestamp: TEST_NOW + 5 })).body.times.length, 1);
    assert.equal((await preview({ every: 'full moon' })).status, 400);
    const { body: listed } = await service.get<{ count: number }>('/api/scheduler/tasks');
    assert.equal(listed.count, 0);
  });
});
