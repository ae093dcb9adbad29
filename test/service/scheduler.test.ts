import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { as, published, type SchedulerAnswer, SchedulerClient } from '../support/scheduler.ts';
import { InProcessService, TEST_NOW } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { McpByHand } from './mcpClient.ts';

interface Listed {
  readonly events: readonly { readonly type: string; readonly data: unknown }[];
}

const HOUR = 3_600_000;
const ROUTE = '/api/scheduler/tasks';
describe('scheduled tasks', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' });
  });
  afterAll(() => service.stop());
  const client = (user: string) => new SchedulerClient(service, user);
  let now = TEST_NOW;
  const advance = async (ms: number) => {
    await service.advance(ms);
    now += ms;
  };

  test('are made by a cron expression, once, or at an interval', async () => {
    const ann = client('ann');
    const cron = await ann.create({
      scheduleType: 'cron',
      expression: '0 3 * * *',
      timezone: 'Europe/Berlin',
    });
    // 2023-11-14 22:13:20 UTC: the next 03:00 in Berlin is 02:00 UTC.
    assert.deepEqual(cron, {
      id: cron.id,
      name: 'a task',
      status: 'active',
      schedule: { type: 'cron', expression: '0 3 * * *', timezone: 'Europe/Berlin' },
      action: { eventTopic: 'a.topic' },
      nextRunAt: Date.UTC(2023, 10, 15, 2),
      runCount: 0,
      createdAt: now,
      madeBy: 'user',
      failures: 0,
    });
    const once = await ann.create({ scheduleType: 'once', atTimestamp: now + HOUR, payload: { a: 1 } });
    assert.deepEqual(once.schedule, { type: 'once', atTimestamp: now + HOUR });
    assert.deepEqual([once.nextRunAt, once.action.payload], [now + HOUR, { a: 1 }]);
    const interval = await ann.create({ scheduleType: 'interval', intervalMs: 60_000 });
    assert.deepEqual(interval.schedule, { type: 'interval', intervalMs: 60_000 });
    assert.equal(interval.nextRunAt, now + 60_000);
    const { body } = await ann.ask('GET');
    assert.deepEqual(
      body.tasks.map(({ id }) => id),
      [interval.id, once.id, cron.id],
    );
    assert.equal(body.count, 3);
  });

  test('publish their topic when they are due', async () => {
    const ben = client('ben');
    const reader = await ben.listen('topics=tick.*');
    const payload = { word: 'cuckoo' };
    const { id } = await ben.create({
      scheduleType: 'interval',
      intervalMs: 60_000,
      eventTopic: 'tick.tock',
      payload,
    });
    for (const run of [1, 2]) {
      await advance(60_000);
      const { event, data } = await published(reader);
      assert.equal(event, 'tick.tock');
      assert.equal(data.type, 'schedule.task.fired');
      assert.equal(data.userId, 'ben');
      assert.deepEqual([data.data.taskId, data.data.payload, data.data.late], [id, payload, false]);
      assert.equal(data.data.dueAt, now);
      const listed = await service.get<Listed>('/api/events?type=tick.tock', as('ben'));
      assert.deepEqual(listed.body.events.at(-1)?.data, data.data);
      assert.equal(listed.body.events.length, run);
      const task = await ben.show(id);
      assert.deepEqual([task.runCount, task.lastRunAt, task.nextRunAt], [run, now, now + 60_000]);
    }
    reader.close();
    const inStream = `stream=task-${id}`;
    for (const [query, count] of [
      ['type=schedule.task.fired', 2],
      [`type=tick.tock&${inStream}`, 2],
      [`type=schedule.task.fired&${inStream}`, 2],
      ['type=tick', 0],
      ['type=tick.*', 0],
      [`type=tick.tock&limit=1`, 1],
    ] as const) {
      const { body } = await service.get<Listed>(`/api/events?${query}`, as('ben'));
      assert.equal(body.events.length, count, query);
    }
    assert.equal((await service.get<Listed>('/api/events?type=tick.tock', as('ann'))).body.events.length, 0);
    await ben.ask('DELETE', `/${id}`);
  });

  test('that are due once are completed when they fired', async () => {
    const eve = client('eve');
    const reader = await eve.listen('topics=schedule.*');
    const { id } = await eve.create({ scheduleType: 'once', atTimestamp: now + 1_000 });
    assert.equal((await published(reader)).event, 'schedule.task.created');
    assert.equal((await published(reader)).event, 'schedule.task.described');
    await advance(1_000);
    assert.equal((await published(reader)).event, 'a.topic');
    const { status, runCount, nextRunAt } = await eve.show(id);
    assert.deepEqual([status, runCount, nextRunAt], ['completed', 1, undefined]);
    assert.equal((await eve.ask('PUT', `/${id}`, { status: 'active' })).status, 409);
    reader.close();
  });

  test('can be paused, let go on and cancelled', async () => {
    const jon = client('jon');
    const { id } = await jon.create({ scheduleType: 'interval', intervalMs: 60_000 });
    const paused = await jon.ask('PUT', `/${id}`, { status: 'paused' });
    assert.deepEqual(
      [paused.status, paused.body.task.status, paused.body.task.nextRunAt],
      [200, 'paused', undefined],
    );
    await advance(5 * 60_000 + 1);
    const resumed = await jon.ask('PUT', `/${id}`, { status: 'active' });
    assert.deepEqual([resumed.body.task.runCount, resumed.body.task.nextRunAt], [0, now + 60_000]);
    const cancelled = await jon.ask('DELETE', `/${id}`);
    assert.deepEqual([cancelled.status, cancelled.body], [200, { success: true, taskId: id }]);
    assert.equal((await jon.show(id)).status, 'cancelled');
    assert.deepEqual((await jon.ask('DELETE', `/${id}`)).body, { success: true, taskId: id });
    assert.deepEqual((await jon.ask('GET', '?status=active')).body.tasks, []);
    assert.equal((await jon.ask('GET', '?status=cancelled')).body.count, 1);
    const unknown = await jon.ask('DELETE', '/nobody');
    assert.equal(unknown.status, 404);
    assert.deepEqual(unknown.body, { error: 'Failed to cancel task', message: 'Task not found' });
    const malformed = await jon.ask('DELETE', '/no%20body');
    assert.deepEqual([malformed.status, malformed.body.error], [400, 'Invalid task ID format']);
    for (const body of [{ status: 'completed' }, {}, { status: 'active', id }])
      assert.notEqual((await jon.ask('PUT', `/${'x'.repeat(5)}`, body)).status, 200);
  });

  test('are told of nobody else', async () => {
    const { id } = await client('kim').create({ scheduleType: 'interval', intervalMs: HOUR });
    const other = client('lea');
    assert.equal((await other.ask('GET', `/${id}`)).status, 404);
    assert.equal((await other.ask('PUT', `/${id}`, { status: 'paused' })).status, 404);
    assert.equal((await other.ask('DELETE', `/${id}`)).status, 404);
    assert.equal((await other.ask('GET', `?after=${id}`)).status, 404);
    assert.equal((await other.ask('GET')).body.count, 0);
    assert.equal((await client('kim').show(id)).status, 'active');
  });

  test('are listed in pages', async () => {
    const max = client('max');
    const made: string[] = [];
    for (let index = 0; index < 7; index++)
      made.unshift(
        (await max.create({ name: `task ${index}`, scheduleType: 'interval', intervalMs: HOUR })).id,
      );
    const listed: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await max.ask('GET', `?limit=3${after}`);
      assert.equal(body.count, 7);
      listed.push(...body.tasks.map(({ id }) => id));
      if (body.next === undefined) break;
      after = `&after=${body.next}`;
    }
    assert.deepEqual(listed, made);
    for (const query of ['?limit=0', '?limit=', '?status=lost', '?after=a%20b'])
      assert.equal((await max.ask('GET', query)).status, 400, query);
  });

  test('are all listed where nothing is said of how many, and tools list what is active first', async () => {
    const tea = client('tea');
    const make = () => tea.create({ name: 'tea', scheduleType: 'interval', intervalMs: HOUR });
    const { id: active } = await make();
    for (let index = 0; index < 120; index++) await tea.ask('DELETE', `/${(await make()).id}`);
    const { body } = await tea.ask('GET');
    assert.deepEqual([body.count, body.tasks.length, body.next], [121, 121, undefined]);
    assert.equal(body.tasks.at(-1)?.id, active);
    assert.equal((await tea.ask('GET', '?status=cancelled&limit=1')).body.count, 120);
    assert.deepEqual((await tea.ask('GET', '?status=paused')).body, { count: 0, tasks: [] });

    const called = await new McpByHand(service.mcpUrl, as('tea')).call('schedule.list');
    const [text = '', note] = called.text.split('\n');
    const told = JSON.parse(text);
    assert.deepEqual([told.length, told[0].id, told[0].status], [100, active, 'active']);
    assert.equal(told[1].status, 'cancelled');
    assert.equal(note, '[Cut here: 21 more. Ask for those of one status]');
    assert.deepEqual(called.structuredContent, { result: told });
  });

  test('that could not work are refused, and the answer says why', async () => {
    const ida = client('ida');
    const good = { name: 'n', eventTopic: 't', scheduleType: 'interval', intervalMs: 1_000 };
    const refusals: readonly (readonly [object, RegExp])[] = [
      [{ name: '' }, /name/],
      [{ name: 7 }, /name/],
      [{ eventTopic: '' }, /eventTopic/],
      [{ eventTopic: 'a b' }, /eventTopic/],
      [{ scheduleType: 'weekly' }, /scheduleType/],
      [{ scheduleType: 'cron' }, /"expression" is required for cron schedules/],
      [{ scheduleType: 'cron', expression: '61 * * * *' }, /"expression".*minute/],
      [{ scheduleType: 'cron', expression: '* * *' }, /"expression"/],
      [{ scheduleType: 'cron', expression: '0 0 30 2 *' }, /never due/],
      [{ scheduleType: 'cron', expression: '* * * * *', timezone: 'Mars/Olympus' }, /"timezone"/],
      [{ scheduleType: 'cron', expression: '* * * * *', timezone: '+02:00' }, /"timezone"/],
      [{ timezone: 'UTC' }, /"timezone"/],
      [{ scheduleType: 'once' }, /"atTimestamp" is required for once schedules/],
      [{ scheduleType: 'once', atTimestamp: 1_000 }, /past/],
      [{ scheduleType: 'once', atTimestamp: 'soon' }, /atTimestamp/],
      [{ scheduleType: 'once', atTimestamp: 9e15 }, /atTimestamp/],
      [{ intervalMs: undefined }, /"intervalMs" is required for interval schedules/],
      [{ intervalMs: 0 }, /"intervalMs"/],
      [{ intervalMs: -1_000 }, /"intervalMs"/],
      [{ intervalMs: 999 }, /"intervalMs"/],
      [{ intervalMs: 1_000.5 }, /intervalMs/],
      [{ payload: [] }, /payload/],
      [{ payload: { text: 'x'.repeat(900_000) } }, /64 KiB/],
      [{ eventTopic: 'agent.prompt.requested' }, /payload.*text/],
      [{ eventTopic: 'agent.prompt.requested', payload: { text: ' ' } }, /payload.*text/],
    ];
    for (const [wrong, said] of refusals) {
      const { status, body } = await ida.ask('POST', '', { ...good, ...wrong });
      assert.equal(status, 400, JSON.stringify(wrong).slice(0, 100));
      const issues = (body.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
      assert.match([body.error, ...issues].join('; '), said);
    }
    assert.equal((await ida.ask('GET')).body.count, 0);
  });

  test('are cancelled when all that their user said is erased, but for those without a text', async () => {
    const [ned, other] = [client('ned'), client('oda')];
    const hourly = { scheduleType: 'interval', intervalMs: HOUR } as const;
    const { id } = await ned.create({ name: 'Secret', ...hourly, payload: { of: 'Ned' } });
    const { id: textless } = await ned.create({ name: 'Hourly', ...hourly });
    const { id: kept } = await other.create({ name: 'Kept', scheduleType: 'interval', intervalMs: HOUR });
    const reader = await ned.listen('topics=schedule.task.cancelled');
    assert.equal((await service.ask('DELETE', '/api/memory', { headers: as('ned') })).status, 200);
    assert.equal((await published(reader)).data.data.taskId, id);
    reader.close();
    const { name, status } = await ned.show(id);
    assert.deepEqual([name, status], ['', 'cancelled']);
    assert.deepEqual([(await ned.show(textless)).name, (await ned.show(textless)).status], ['', 'active']);
    assert.deepEqual([(await other.show(kept)).name, (await other.show(kept)).status], ['Kept', 'active']);
  });

  test('made twice under one key are one', async () => {
    const fields = { name: 'n', eventTopic: 't', scheduleType: 'interval', intervalMs: HOUR };
    const headers = { ...as('pat'), 'idempotency-key': 'once' };
    const make = () => service.ask<SchedulerAnswer>('POST', ROUTE, { headers, body: fields });
    const [one, two] = [await make(), await make()];
    assert.deepEqual([one.status, two.status, two.body], [201, 201, one.body]);
    assert.equal((await client('pat').ask('GET')).body.count, 1);
  });
});

test('what was missed while the service was down fires once at the start, and says so', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-scheduler-'));
  const start = (now: number) =>
    InProcessService.start({
      SERVICE_KVSTORE_URL: 'embedded',
      SERVICE_DATA_DIR: directory,
      SERVICE_TEST_NOW: String(now),
    });
  const first = await start(TEST_NOW);
  const { id } = await new SchedulerClient(first, 'ann').create({
    scheduleType: 'interval',
    intervalMs: 60_000,
  });
  await first.stop();
  const now = TEST_NOW + 10 * 60_000 + 7;
  const second = await start(now);
  const ann = new SchedulerClient(second, 'ann');
  const reader = await ann.listen('topics=schedule.task.fired&after=0');
  const { data } = await published(reader);
  assert.deepEqual([data.data.late, data.data.dueAt], [true, TEST_NOW + 60_000]);
  reader.close();
  const task = await ann.show(id);
  assert.deepEqual([task.runCount, task.lastRunAt, task.nextRunAt], [1, now, TEST_NOW + 11 * 60_000]);
  await second.stop();
  rmSync(directory, { recursive: true });
});

test('without a key-value store there is no scheduler', async () => {
  const service = await InProcessService.start({ SERVICE_KVSTORE_URL: 'none' });
  const ann = new SchedulerClient(service, 'ann');
  const good = { name: 'n', eventTopic: 't', scheduleType: 'interval', intervalMs: 1_000 };
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['POST', '', good],
    ['GET', '/a', undefined],
    ['PUT', '/a', { status: 'paused' }],
    ['DELETE', '/a', undefined],
  ] as const) {
    const answer = await ann.ask(method, path, body);
    assert.deepEqual([answer.status, answer.body], [503, { error: 'Scheduler not available' }]);
  }
  await service.stop();
});

test('several processes on one Redis fire each occurrence once between them', {
  ...skippedFor(redisIsMissing),
}, async (t) => {
  const redis = await RedisServer.start();
  t.onTestFinished(() => redis.stop());
  const start = () => InProcessService.start({ SERVICE_KVSTORE_URL: redis.url, API_RATE_LIMIT: '100000' });
  const [one, two, three] = [await start(), await start(), await start()];
  const ann = new SchedulerClient(one, 'ann');
  const listen = (service: InProcessService) => new SchedulerClient(service, 'ann').listen('topics=a.topic');
  // Who is asked for the list has to have heard of it, too.
  const [reader, asked] = [await listen(two), await listen(one)];
  const made: string[] = [];
  for (let index = 0; index < 20; index++)
    made.push((await ann.create({ scheduleType: 'interval', intervalMs: 60_000 })).id);
  const fired: string[] = [];
  const advance = async (...services: readonly InProcessService[]) => {
    await Promise.all(services.map((service) => service.advance(60_000)));
    for (let count = 0; count < made.length; count++) {
      fired.push((await published(reader)).data.data.taskId);
      await published(asked);
    }
  };
  await advance(one, two, three);
  await three.stop();
  await advance(one, two);
  // The next thing that is heard is the next round: nothing came twice.
  await advance(one, two);
  assert.deepEqual(fired.toSorted(), [...made, ...made, ...made].toSorted());
  const { body } = await ann.ask('GET');
  assert.deepEqual(
    body.tasks.map(({ runCount }) => runCount),
    made.map(() => 3),
  );
  reader.close();
  asked.close();
  await Promise.all([one.stop(), two.stop()]);
});
