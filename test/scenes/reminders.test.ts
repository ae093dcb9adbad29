import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { calls, says } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';
import { as, published, SchedulerClient } from '../support/scheduler.ts';
import { TEST_NOW } from '../support/service.ts';
import { Friend } from './friend.ts';

/* A friend who wants to be reminded, in their own zone, with a model that only calls the tool and with none. */

const ZONE = 'America/New_York';
/** Nine in the morning there, on the day after that of the test's clock. */
const TOMORROW_AT_NINE = nineOf(TEST_NOW + 86_400_000);

describe('a friend who wants to be reminded', () => {
  const set = modelledService();
  let now = TEST_NOW;
  const until = async (moment: number) => {
    await set.service.advance(moment - now);
    now = moment;
  };
  const saidIn = async (user: string, session: string) => {
    const { body } = await set.service.get<{ messages: { role: string; content: string }[] }>(
      `/api/chat/history/${session}`,
      as(user),
    );
    return body.messages.map(({ role, content }) => `${role}: ${content}`);
  };
  const toldTo = async (user: string) =>
    (
      await set.service.get<{ notifications: object[]; count: number }>(
        '/api/notifications?unread=true',
        as(user),
      )
    ).body;

  it('is shown to a model with the right tool, and hears of it in the conversation at their own nine', async () => {
    const ann = new Friend(set.service, 'ann');
    const tasks = new SchedulerClient(set.service, 'ann');
    await ann.prefers({ timezone: ZONE });
    const fired = await tasks.listen('topics=schedule.run.succeeded');
    set.models.script([
      says(calls('schedule_create', { name: 'Mum', at: 'tomorrow at 9 am', text: 'Call mum' })),
      says('I will.'),
    ]);
    await ann.says('Remind me tomorrow at 9 to call mum', 'evening');
    const [asked, answered] = set.models.requests.slice(-2).map(({ body }) => JSON.stringify(body));
    assert.match(asked ?? '', /"schedule_create"/);
    assert.match(answered ?? '', /9:00 AM/);
    await until(TOMORROW_AT_NINE - 1);
    assert.equal((await toldTo('ann')).count, 0);
    await until(TOMORROW_AT_NINE);
    await published(fired);
    fired.close();
    // The session of last evening has ended by then: the reminder begins it anew.
    assert.deepEqual(await saidIn('ann', 'evening'), ['assistant: Call mum']);
    assert.equal((await toldTo('ann')).count, 1);
    const [task] = (await tasks.ask('GET')).body.tasks;
    assert.match(
      JSON.stringify((await tasks.ask('GET', `/${task?.id}`)).body),
      /"lastResult":\{.*"text":"Call mum"/,
    );
  });

  it('sets it without any model, and finds it waiting, and nobody else does', async () => {
    const tasks = new SchedulerClient(set.service, 'ben');
    const fired = await tasks.listen('topics=schedule.run.succeeded');
    const { status, body } = await tasks.ask('POST', '', {
      name: 'Tea',
      at: 'in 20 minutes',
      text: 'Tea is ready',
    });
    assert.equal(status, 201, JSON.stringify(body));
    await until(now + 20 * 60_000);
    await published(fired);
    fired.close();
    const { notifications } = await toldTo('ben');
    assert.match(JSON.stringify(notifications), /Tea is ready/);
    assert.doesNotMatch(JSON.stringify(await toldTo('eve')), /Tea/);
  });

  it('asks for what cannot be, and is told why', async () => {
    const tasks = new SchedulerClient(set.service, 'cleo');
    for (const at of ['31 February', 'yesterday at 9', 'when the cows come home']) {
      const { status, text } = await set.service.ask('POST', '/api/scheduler/tasks', {
        headers: as('cleo'),
        body: { name: 'Odd', at, text: 'Odd' },
      });
      assert.equal(status, 400, at);
      assert.ok(text.length > 20, at);
    }
    assert.deepEqual((await tasks.ask('GET')).body.tasks, []);
  });
});

/** Nine in the morning of that moment's day in New York. */
function nineOf(moment: number): number {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(moment);
  const asUtc = Date.parse(`${parts}T09:00:00Z`);
  const there = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, hour: 'numeric', hourCycle: 'h23' });
  return asUtc + (9 - Number(there.format(asUtc))) * 3_600_000;
}
