import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { calls, says } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';
import { TEST_NOW } from '../support/service.ts';

const HOUR = 3_600_000;

interface Answer {
  readonly task: { readonly id: string; readonly schedule: object; readonly nextRunAt: number };
  readonly when: string;
  readonly notes?: readonly string[];
  readonly error?: string;
}

/* The clock stands at Tuesday, 14 November 2023, 22:13:20 UTC: in Berlin, that is 23:13:20. */
describe('what is scheduled in words', () => {
  const set = modelledService({ SERVICE_TIMEZONE: 'Europe/Berlin' });

  const create = async (when: object, user = 'default') => {
    const body = { name: 'n', eventTopic: 'tick', ...when };
    const headers = { 'x-user-id': user };
    return set.service.ask<Answer>('POST', '/api/scheduler/tasks', { body, headers });
  };

  test('is read in the zone of the user, and told in it', async () => {
    const { status, body } = await create({ at: 'tomorrow 9am' });
    assert.equal(status, 201, JSON.stringify(body));
    const due = Date.UTC(2023, 10, 15, 8);
    assert.deepEqual([body.task.schedule, body.task.nextRunAt], [{ type: 'once', atTimestamp: due }, due]);
    assert.equal(body.when, 'Wednesday, November 15, 2023 at 9:00 AM (Europe/Berlin)');
    assert.equal(body.notes, undefined);
    await set.service.put(
      '/api/users/kim/preferences',
      { timezone: 'Asia/Tokyo', locale: 'de-DE' },
      { 'x-user-id': 'kim' },
    );
    const { body: kims } = await create({ at: 'morgen um 9' }, 'kim');
    assert.equal(kims.when, 'Donnerstag, 16. November 2023 um 09:00 (Asia/Tokyo)');
    assert.match(kims.notes?.join() ?? '', /09:00 or 21:00/);
    const { body: abroad } = await create({ at: '2023-11-20T09:00', timezone: 'America/New_York' });
    assert.equal(abroad.task.nextRunAt, Date.UTC(2023, 10, 20, 14));
    assert.equal(abroad.when, 'Monday, November 20, 2023 at 9:00 AM (America/New_York)');
    const { body: offset } = await create({ at: '2023-11-20T09:00:00+02:00' });
    assert.equal(offset.task.nextRunAt, Date.UTC(2023, 10, 20, 7));
  });

  test('may come again, on the clock of the user', async () => {
    const weekdays = await create({ every: 'weekdays at 7' });
    const cron = { type: 'cron', expression: '0 7 * * 1-5', timezone: 'Europe/Berlin' };
    assert.deepEqual(weekdays.body.task.schedule, cron);
    assert.match(
      weekdays.body.when,
      /^every Monday, .*Friday at 07:00; next: Wednesday, November 15, 2023 at 7:00 AM/,
    );
    const { body: hours } = await create({ every: '2 h' });
    assert.deepEqual(hours.task.schedule, { type: 'interval', intervalMs: 2 * HOUR });
    assert.equal(hours.task.nextRunAt, TEST_NOW + 2 * HOUR);
    const { body: both } = await create({ every: 'day', at: '7am' });
    assert.deepEqual(both.task.schedule, { ...cron, expression: '0 7 * * *' });
    const { body: days } = await create({ every: '2 days at 9am' });
    assert.equal(days.task.nextRunAt, Date.UTC(2023, 10, 15, 8));
    const { body: figures } = await create({ scheduleType: 'cron', expression: '0 9 * * *' });
    assert.deepEqual(figures.task.schedule, { ...cron, expression: '0 9 * * *' });
    assert.match(figures.when, /9:00 AM \(Europe\/Berlin\)$/);
  });

  test('is refused with the reason', async () => {
    for (const [wrong, said] of [
      [{}, /"scheduleType", "at" or "every" is required/],
      [{ at: '31 February' }, /There is no 31 February/],
      [{ at: 'today at 8am' }, /in the past.*November 14.*8:00 AM/],
      [{ at: 'every day at 9' }, /"every"/],
      [{ at: 'x'.repeat(300) }, /./],
      [{ every: 'blue moon' }, /"weekdays at 7"/],
      [{ at: 'tomorrow', timezone: 'Mars/Olympus' }, /"timezone" is not an IANA time zone/],
      [{ at: 'tomorrow', atTimestamp: TEST_NOW }, /take the place/],
      [{ at: 'tomorrow', scheduleType: 'cron' }, /"at" is not for cron/],
      [{ every: 'day', scheduleType: 'once' }, /"every" is not for once/],
    ] as const) {
      const { status, body, text } = await create(wrong);
      assert.equal(status, 400, text);
      assert.match(body.error ?? '', said);
    }
  });

  test('is set by a model, which is told the time and shown the tool', async () => {
    const reminder = { name: 'Call mum', at: 'tomorrow at 9am', text: 'Call mum' };
    set.models.script([says(calls('schedule_create', reminder)), says('Done')]);
    const body = { text: 'Remind me tomorrow at 9 to call mum' };
    assert.equal((await set.service.ask('POST', '/api/chat', { body })).status, 200);
    const [asked, told] = set.models.chats;
    assert.ok(asked?.tools.includes('schedule_create'));
    assert.match(
      asked?.turns[0]?.text ?? '',
      /It is Tuesday, 14 November 2023, 23:13, Europe\/Berlin \(UTC\+01:00\)\.$/,
    );
    assert.match(told?.lastText ?? '', /"when":"Wednesday, November 15, 2023 at 9:00 AM \(Europe\/Berlin\)"/);
    set.models.script([says(calls('schedule_list')), says('One')]);
    await set.service.ask('POST', '/api/chat', { body: { text: 'What reminders do I have?' } });
    const [{ name, when }] = JSON.parse(set.models.requests.at(-1)?.lastText ?? '');
    assert.deepEqual([name, when], ['Call mum', 'Wednesday, November 15, 2023 at 9:00 AM (Europe/Berlin)']);
  });
});
