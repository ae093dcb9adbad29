import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { calls, says } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { as, published, SchedulerClient } from '../support/scheduler.ts';
import { TEST_NOW } from '../support/service.ts';

describe('a prompt at a set time', () => {
  const set = modelledService();
  let now = TEST_NOW;
  const advance = async (ms: number) => {
    await set.service.advance(ms);
    now += ms;
  };
  const prompt = (text: string, sessionId?: string) => ({
    eventTopic: 'agent.prompt.requested',
    payload: { text, ...(sessionId === undefined ? {} : { sessionId }) },
  });
  const historyOf = async (user: string, session: string) => {
    const { body } = await set.service.get<{ messages: { content: string }[] }>(
      `/api/chat/history/${session}`,
      as(user),
    );
    return body.messages.map(({ content }) => content);
  };

  test('is said to the agent when it is due, in its session', async () => {
    set.models.script([says('Sunny'), says('Rainy')]);
    const ann = new SchedulerClient(set.service, 'ann');
    const reader = await ann.listen('topics=schedule.run.*');
    const weather = prompt('What is the weather?', 'morning');
    const { id } = await ann.create({ scheduleType: 'interval', intervalMs: 60_000, ...weather });
    for (const expected of [
      ['What is the weather?', 'Sunny'],
      ['What is the weather?', 'Sunny', 'What is the weather?', 'Rainy'],
    ]) {
      await advance(60_000);
      assert.equal((await published(reader)).event, 'schedule.run.succeeded');
      assert.deepEqual(await historyOf('ann', 'morning'), expected);
    }
    reader.close();
    await ann.ask('DELETE', `/${id}`);
  });

  test('is not what a consolidation ends, and nothing is: what was said is consolidated', async () => {
    const dan = new SchedulerClient(set.service, 'dan');
    set.models.script(says('I will remember'));
    const body = { text: 'My cat is called Mia', sessionId: 'cat' };
    assert.equal((await set.service.ask('POST', '/api/chat', { headers: as('dan'), body })).status, 200);
    const reader = await dan.listen('topics=sessionEnded,memory.episode.created,memory.conclusion.drawn');
    const due = { scheduleType: 'once', atTimestamp: now + 1_000 };
    await dan.create({ ...due, eventTopic: 'memory.consolidation.requested' });
    await advance(1_000);
    assert.equal((await published(reader)).event, 'memory.episode.created');
    assert.equal((await published(reader)).event, 'memory.conclusion.drawn');
    set.models.script(says('So you have a cat'));
    const more = { text: 'Mia likes to sleep on my desk', sessionId: 'cat' };
    await set.service.ask('POST', '/api/chat', { headers: as('dan'), body: more });
    assert.equal((await historyOf('dan', 'cat')).length, 4);
    await set.service.ask('DELETE', '/api/chat/sessions/cat', { headers: as('dan') });
    assert.equal((await published(reader)).event, 'sessionEnded');
    reader.close();
  });

  test('that fails is tried again after a pause, until it works', async () => {
    const ben = new SchedulerClient(set.service, 'ben');
    const reader = await ben.listen('topics=schedule.run.*');
    const { id } = await ben.create({
      scheduleType: 'once',
      atTimestamp: now + 1_000,
      ...prompt('Wake up', 'b'),
    });
    await set.service.put('/api/slots', { slots: { chat: { provider: 'cloud-b', model: 'no-such-model' } } });
    await advance(1_000);
    const { event, data } = await published(reader);
    assert.deepEqual([event, data.data.retryAt], ['schedule.run.failed', now + 30_000]);
    const waiting = await ben.show(id);
    assert.deepEqual([waiting.status, waiting.failures, waiting.runCount], ['completed', 1, 1]);
    await set.service.ask('POST', '/api/slots/reset');
    await unsetBackgroundSlots(set.service);
    set.models.script(says('Good morning'));
    await advance(30_000);
    const followed = [await published(reader), await published(reader)];
    assert.deepEqual(
      followed.map(({ event }) => event),
      ['schedule.run.retried', 'schedule.run.succeeded'],
    );
    assert.deepEqual((await historyOf('ben', 'b')).slice(-2), ['Wake up', 'Good morning']);
    const { status, failures, runCount } = await ben.show(id);
    assert.deepEqual([status, failures, runCount], ['completed', 0, 1]);
    reader.close();
  });

  test('may set the next one, but not in a quick circle without end', async () => {
    const eve = new SchedulerClient(set.service, 'eve');
    const reader = await eve.listen('topics=schedule.run.*');
    const again = () => ({
      name: 'Again',
      scheduleType: 'once',
      atTimestamp: now + 1_000,
      ...prompt('Create a scheduled task that schedules the same again'),
    });
    await eve.create(again());
    let told = '';
    for (let times = 1; !told.includes('quick succession'); times++) {
      assert.ok(times < 15 && !told.includes('no tool'), told);
      now += 1_000;
      set.models.script([says(calls('schedule_create', again())), says('Done')]);
      await set.service.advance(1_000);
      assert.equal((await published(reader)).event, 'schedule.run.succeeded');
      told = set.models.requests.at(-1)?.lastText ?? '';
    }
    assert.equal((await eve.ask('GET')).body.count, 11);
    reader.close();
  });

  test('may set many, but not more than a hundred that are still to come', async () => {
    const fay = new SchedulerClient(set.service, 'fay');
    const reader = await fay.listen('topics=schedule.run.*');
    const tea = { name: 'Tea', scheduleType: 'interval', intervalMs: 86_400_000, eventTopic: 'tea.time' };
    const tenTimes = says(...Array.from({ length: 10 }, () => calls('schedule_create', tea)));
    const { id } = await fay.create({
      scheduleType: 'interval',
      intervalMs: 60_000,
      ...prompt('Create tasks'),
    });
    set.models.script([...Array.from({ length: 11 }, () => tenTimes), says('Done')]);
    await advance(60_000);
    assert.equal((await published(reader)).event, 'schedule.run.succeeded');
    assert.match(
      set.models.requests.at(-1)?.lastText ?? '',
      /^Error: 100 active tasks were not created by the user/,
    );
    assert.equal((await fay.ask('GET', '?limit=500')).body.count, 101);
    await fay.ask('DELETE', `/${id}`);
    reader.close();
  });
});
