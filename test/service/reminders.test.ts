import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { calls, says } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { as, published, SchedulerClient } from '../support/scheduler.ts';
import { EventReader, TEST_NOW } from '../support/service.ts';

interface Message {
  readonly role: string;
  readonly content: string;
  readonly origin?: string;
  readonly source?: string;
}

describe('a reminder', () => {
  const set = modelledService();
  let now = TEST_NOW;
  const advance = async (ms: number) => {
    await set.service.advance(ms);
    now += ms;
  };
  const inAMinute = () => ({ scheduleType: 'once', atTimestamp: now + 60_000 });
  const historyOf = async (user: string, session: string) =>
    (await set.service.get<{ messages: Message[] }>(`/api/chat/history/${session}`, as(user))).body.messages;
  const say = (user: string, text: string, sessionId: string) =>
    set.service.ask('POST', '/api/chat', { headers: as(user), body: { text, sessionId } });
  const succeeds = (client: SchedulerClient) => client.listen('topics=schedule.run.*');

  test('that a model sets in a session is told in that session, and no model is asked for it', async () => {
    const ann = new SchedulerClient(set.service, 'ann');
    const reader = await succeeds(ann);
    const wish = { name: 'Mum', ...inAMinute(), text: 'Call mum' };
    set.models.script([says(calls('schedule_create', wish)), says('I will remind you')]);
    assert.equal((await say('ann', 'Remind me in a minute to call mum', 'evening')).status, 200);
    const asked = set.models.requests.length;
    const { tasks } = (await ann.ask('GET')).body;
    assert.deepEqual(
      tasks.map(({ action }) => action),
      [
        {
          eventTopic: 'agent.reminder.requested',
          payload: { text: 'Call mum' },
          sessionId: 'evening',
        },
      ],
    );
    await advance(60_000);
    assert.equal((await published(reader)).event, 'schedule.run.succeeded');
    const [, , told] = await historyOf('ann', 'evening');
    assert.deepEqual(
      { ...told, timestamp: 0 },
      {
        role: 'assistant',
        content: 'Call mum',
        origin: 'model',
        source: tasks[0]?.id,
        timestamp: 0,
      },
    );
    assert.equal(set.models.requests.length, asked);
    reader.close();
  });

  test('is known to the model in the next turn', async () => {
    const bob = new SchedulerClient(set.service, 'bob');
    const reader = await succeeds(bob);
    await bob.create({ ...inAMinute(), eventTopic: undefined, text: 'Water the plants', sessionId: 'home' });
    await advance(60_000);
    await published(reader);
    set.models.script(says('In an hour, then'));
    await say('bob', 'Not now', 'home');
    assert.match(JSON.stringify(set.models.requests.at(-1)?.body), /Water the plants/);
    const history = await historyOf('bob', 'home');
    assert.deepEqual(
      history.map(({ role, content }) => [role, content]),
      [
        ['assistant', 'Water the plants'],
        ['user', 'Not now'],
        ['assistant', 'In an hour, then'],
      ],
    );
    reader.close();
  });

  test('can be listened to as any turn', async () => {
    const cleo = new SchedulerClient(set.service, 'cleo');
    const reader = await cleo.listen('topics=chat.reply.sent');
    await cleo.create({ ...inAMinute(), eventTopic: undefined, text: 'Tea is ready', sessionId: 'tea' });
    await advance(60_000);
    const { data } = await published(reader);
    const { turnId, sessionId } = Object(data.data);
    assert.equal(sessionId, 'tea');
    const turn = await EventReader.open(`${set.service.url}/api/chat/stream/${turnId}`, as('cleo'));
    const signals = [];
    for (let next = await turn.next(); next; next = await turn.next())
      signals.push(JSON.parse(next.data ?? ''));
    assert.deepEqual(
      signals.map(({ type, content }) => content ?? type),
      ['step', 'Tea is ready', 'done'],
    );
    reader.close();
  });

  test('that comes after its session has ended begins it anew', async () => {
    const dora = new SchedulerClient(set.service, 'dora');
    const reader = await succeeds(dora);
    set.models.script(says('Hello'));
    await say('dora', 'Hi there', 'night');
    await dora.create({ ...inAMinute(), eventTopic: undefined, text: 'Go to bed', sessionId: 'night' });
    await set.service.ask('DELETE', '/api/chat/sessions/night', { headers: as('dora') });
    await advance(60_000);
    await published(reader);
    assert.deepEqual(
      (await historyOf('dora', 'night')).map(({ content }) => content),
      ['Go to bed'],
    );
    reader.close();
  });

  test('to be told now is sent by the tool for it, to the user of the turn alone', async () => {
    set.models.script([
      says(calls('notify_send', { text: 'Your list: milk', title: 'Shopping' })),
      says('Sent'),
    ]);
    assert.equal((await say('fay', 'Send my list to my phone', 'shop')).status, 200);
    const listOf = async (user: string) =>
      (await set.service.get<{ notifications: object[] }>('/api/notifications', as(user))).body.notifications;
    const [told] = await listOf('fay');
    const { title, text, sessionId } = Object(told);
    assert.deepEqual(
      { title, text, sessionId },
      { title: 'Shopping', text: 'Your list: milk', sessionId: 'shop' },
    );
    assert.deepEqual(await listOf('ann2'), []);
    const { body } = await set.service.get<{ events: { data: Record<string, unknown> }[] }>(
      '/api/events?type=notification.created',
      as('fay'),
    );
    const { body: said } = await set.service.get<{ events: { data: Record<string, unknown> }[] }>(
      '/api/events?type=chat.message.received',
      as('fay'),
    );
    // Forgotten with the conversation in which it was sent.
    assert.equal(body.events[0]?.data.conversationId, said.events[0]?.data.conversationId);
    assert.ok(said.events[0]?.data.conversationId);
  });

  test('a prompt that fails again and again is told of once', async () => {
    const gus = new SchedulerClient(set.service, 'gus');
    const reader = await gus.listen('topics=notification.created,schedule.run.failed');
    await set.service.put('/api/slots', { slots: { chat: { provider: 'cloud-b', model: 'no-such-model' } } });
    await gus.create({
      ...{ name: 'News', ...inAMinute(), eventTopic: 'agent.prompt.requested', payload: { text: 'News?' } },
    });
    const heard: string[] = [];
    for (const ms of [60_000, 30_000, 60_000]) {
      await advance(ms);
      heard.push((await published(reader)).event);
    }
    heard.push((await published(reader)).event);
    assert.deepEqual(heard, [...Array(3).fill('schedule.run.failed'), 'notification.created']);
    const { body } = await set.service.get<{ notifications: { title: string; text: string }[] }>(
      '/api/notifications',
      as('gus'),
    );
    assert.deepEqual(
      body.notifications.map(({ title }) => title),
      ['News'],
    );
    assert.match(body.notifications[0]?.text ?? '', /^It has failed 3 times in a row: \w/);
    await set.service.ask('POST', '/api/slots/reset');
    await unsetBackgroundSlots(set.service);
    reader.close();
  });

  test('is refused with a topic beside it, and a session where nothing is said', async () => {
    const eve = new SchedulerClient(set.service, 'eve');
    const base = { name: 'x', ...inAMinute() };
    for (const [fields, path] of [
      [{}, ['eventTopic']],
      [{ text: 'Tea', eventTopic: 'tea.ready' }, ['text']],
      [{ text: 'Tea', payload: {} }, ['text']],
      [{ eventTopic: 'tea.ready', sessionId: 'home' }, ['sessionId']],
      [
        { eventTopic: 'agent.prompt.requested', payload: { text: 'Hi', sessionId: 'a' }, sessionId: 'b' },
        ['sessionId'],
      ],
    ] as const) {
      const { status, body } = await eve.ask('POST', '', { ...base, ...fields });
      assert.deepEqual([status, body.issues?.map((issue) => issue.path)], [400, [path]]);
    }
  });
});
