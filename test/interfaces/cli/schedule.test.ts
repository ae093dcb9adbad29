import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { as, published, SchedulerClient } from '../../support/scheduler.ts';
import { InProcessService, TEST_NOW } from '../../support/service.ts';
import { hark, TemporaryFolder } from './hark.ts';

const HOUR = 3_600_000;

describe('hark schedule', () => {
  let service: InProcessService;
  const folder = new TemporaryFolder();
  beforeAll(async () => {
    service = await InProcessService.start({
      API_RATE_LIMIT: '100000',
      SERVICE_KVSTORE_URL: 'embedded',
      SERVICE_DATA_DIR: folder.path,
    });
  });
  afterAll(async () => {
    await service.stop();
    folder[Symbol.dispose]();
  });

  const schedule = (user: string, ...args: readonly string[]) =>
    hark(['schedule', ...args, '--user', user], { HARK_URL: service.url });
  const json = async (user: string, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await schedule(user, ...args, '--json');
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };

  test('makes tasks, and lists them', async () => {
    const morning = ['Good', 'morning', '--cron', '30 7 * * 1-5', '--timezone', 'Europe/Berlin'];
    const { task } = await json('ann', 'create', ...morning, '--prompt', 'What is up?', '--session', 'day');
    assert.deepEqual(
      [task.name, task.schedule, task.action],
      [
        'Good morning',
        { type: 'cron', expression: '30 7 * * 1-5', timezone: 'Europe/Berlin' },
        { eventTopic: 'agent.prompt.requested', payload: { text: 'What is up?' }, sessionId: 'day' },
      ],
    );
    const made = await schedule(
      'ann',
      'create',
      'Tea',
      '--every',
      '90 min',
      '--topic',
      'tea',
      '--payload',
      '{"a":1}',
    );
    assert.match(
      made.stdout,
      /^active {2}\S+ {2}\S+ {2}every 5400 s {2}tea {2}not run yet {2}Tea\nevery 90 minutes; next: .+\n$/,
    );
    const soon = await json('eve', 'add', 'Soon', '--at', 'in 1h30m', '--topic', 'soon');
    assert.equal(soon.task.nextRunAt, TEST_NOW + 1.5 * HOUR);
    const later = new Date(TEST_NOW + HOUR).toISOString();
    await json('ann', 'create', 'Later', '--at', later, '--topic', 'later');
    const { stdout } = await schedule('ann', 'list', '--limit', '2');
    assert.match(stdout, /^active .*once 2023-.* Later\nactive .*tea.*Tea\nmore: --after \S+\n$/);
    assert.equal((await json('ann', 'list')).count, 3);
    assert.equal((await schedule('ben', 'list')).stdout, 'nothing\n');
  });

  test('says where a reminder is heard', async () => {
    const { task } = await json(
      'dora',
      'add',
      'Mum',
      '--every',
      '2 h',
      '--remind',
      'Call mum',
      '--notify',
      'none',
    );
    assert.deepEqual(task.action.notify, []);
    const unknown = await schedule(
      'dora',
      'add',
      'Mum',
      '--every',
      '2 h',
      '--remind',
      'x',
      '--notify',
      'phone',
    );
    assert.deepEqual([unknown.code, unknown.stderr.includes('not a notification channel')], [1, true]);
  });

  test('pauses, resumes and cancels them', async () => {
    const { task } = await json('cleo', 'create', 'Tea', '--every', '1h', '--topic', 'tea');
    assert.match((await schedule('cleo', 'pause', task.id)).stdout, /^paused {2}– /);
    assert.match((await schedule('cleo', 'resume', task.id)).stdout, /^active /);
    assert.equal((await schedule('cleo', 'cancel', task.id)).stdout, `cancelled: ${task.id}\n`);
    assert.match((await schedule('cleo', 'show', task.id)).stdout, /^cancelled /);
    const gone = await schedule('ben', 'cancel', task.id);
    assert.deepEqual([gone.code, gone.stderr], [1, 'hark: 404 Failed to cancel task: Task not found\n']);
  });

  test('says what is missing or wrong', async () => {
    for (const [args, said] of [
      [['create', 'x', '--topic', 't'], /say when/],
      [['create', 'x', '--every', '1h'], /say what/],
      [['create', 'x', '--every', '1h', '--cron', '* * * * *', '--topic', 't'], /cannot be used/],
      [['create', 'x', '--every', '1h', '--topic', 't', '--payload', '{'], /--payload/],
      [['create', 'x', '--every', '1h', '--topic', 't', '--session', 's'], /cannot be used/],
      [['pause', 'a b'], /id/],
      [['list', '--status', 'gone'], /--status/],
    ] as const) {
      const { code, stderr } = await schedule('ann', ...args);
      assert.equal(code, 64, stderr);
      assert.match(stderr, said);
    }
    for (const [args, said] of [
      [['--every', 'often'], /"every" is not understood/],
      [['--at', '17'], /"at" is not understood/],
    ] as const) {
      const { code, stderr } = await schedule('ann', 'create', 'x', ...args, '--topic', 't');
      assert.deepEqual([code, said.test(stderr)], [1, true], stderr);
    }
    const refused = await schedule('ann', 'create', 'x', '--cron', '61 * * * *', '--topic', 't');
    assert.deepEqual([refused.code, /"expression" is not a cron/.test(refused.stderr)], [1, true]);
  });

  test('looks back at tasks as they were', async () => {
    const dan = new SchedulerClient(service, 'dan');
    const reader = await dan.listen('topics=tick');
    const { id } = await dan.create({
      name: 'Tick',
      scheduleType: 'interval',
      intervalMs: HOUR,
      eventTopic: 'tick',
    });
    const { body } = await service.get<{ next: number }>('/api/events?limit=1000', as('dan'));
    await service.advance(HOUR);
    await published(reader);
    reader.close();
    const at = async (...until: readonly string[]) => {
      const args = [
        'replay',
        '--show',
        'tasks',
        '--user',
        'dan',
        '--data-dir',
        folder.path,
        '--json',
        ...until,
      ];
      const { stdout, stderr, code } = await hark(args);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout).entries;
    };
    const task = { key: id, name: 'Tick', status: 'active', topic: 'tick', failures: 0 };
    const now = TEST_NOW + HOUR;
    assert.deepEqual(await at('--until', String(body.next)), [
      { ...task, nextRunAt: now, lastRunAt: null, runCount: 0 },
    ]);
    assert.deepEqual(await at(), [{ ...task, nextRunAt: now + HOUR, lastRunAt: now, runCount: 1 }]);
  });
});
