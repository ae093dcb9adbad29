import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { json, Messengers } from '../support/messengers.ts';
import { Receiver } from '../support/receiver.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { Witness } from '../support/sagas.ts';
import { as, published, SchedulerClient } from '../support/scheduler.ts';
import { type EventReader, InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

interface Told {
  readonly id: string;
  readonly at: number;
  readonly title: string;
  readonly text: string;
  readonly read: boolean;
  readonly taskId?: string;
  readonly sessionId?: string;
  readonly deliveries: readonly {
    readonly channelId: string;
    readonly state: string;
    readonly attempts: number;
    readonly reason?: string;
  }[];
}

interface Channel {
  readonly id: string;
  readonly type: string;
  readonly settings: object;
  readonly hasSecret: boolean;
  readonly enabled: boolean;
  readonly waiting: number;
  readonly failures: number;
  readonly retryAt: number | null;
  readonly lastFailure: { readonly reason: string } | null;
}

const CHANNELS = '/api/notifications/channels';
/** The verifier of the standard has a clock of its own. */
let now = Date.now();
const OPEN = {
  SERVICE_TEST_NOW: String(now),
  API_RATE_LIMIT: '100000',
  SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true',
};

let users = 0;

describe('notifications', () => {
  let service: InProcessService;
  let receiver: Receiver;
  let messengers: Messengers;
  beforeAll(async () => {
    service = await InProcessService.start(OPEN);
    receiver = await Receiver.start();
    messengers = await Messengers.start();
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    await messengers.stop();
  });
  const advance = async (ms: number) => {
    await service.advance(ms);
    now += ms;
  };
  const newUser = () => `user-${++users}`;
  const list = async (user: string, query = '') =>
    (await service.get<{ notifications: Told[]; count: number }>(`/api/notifications${query}`, as(user)))
      .body;
  const add = async (user: string, channel: object) => {
    const body = { name: 'A channel', ...channel };
    const answer = await service.ask<{ channel: Channel; secret?: string; issues?: { path: string[] }[] }>(
      'POST',
      CHANNELS,
      { headers: as(user), body },
    );
    return answer;
  };
  const webhook = async (user: string, rest: object = {}) => {
    const answer = await add(user, { type: 'webhook', settings: { url: receiver.url }, ...rest });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const channelsOf = async (user: string) =>
    (await service.get<{ channels: Channel[] }>(CHANNELS, as(user))).body.channels;
  const remind = async (user: string, rest: object = {}) => {
    const client = new SchedulerClient(service, user);
    const due = { scheduleType: 'once', atTimestamp: now + 1_000, eventTopic: undefined };
    const task = await client.create({ name: 'Mum', text: 'Call mum', ...due, ...rest });
    const reader = await client.listen('topics=schedule.run.*,notification.*');
    await advance(1_000);
    return { task, reader };
  };

  test('keep a reminder that has no channel and no session, until it is read', async () => {
    const ann = newUser();
    const { task, reader } = await remind(ann);
    assert.equal((await published(reader)).event, 'notification.created');
    assert.equal((await published(reader)).event, 'schedule.run.succeeded');
    const { notifications, count } = await list(ann, '?unread=true');
    assert.equal(count, 1);
    const [told] = notifications;
    assert.ok(told);
    const { title, text, taskId, read, deliveries } = told;
    assert.deepEqual(
      { title, text, taskId, read, deliveries },
      { title: 'Mum', text: 'Call mum', taskId: task.id, read: false, deliveries: [] },
    );
    const path = `/api/notifications/${told.id}`;
    assert.equal((await service.put(path, { read: true }, as(ann))).status, 200);
    assert.deepEqual(
      [(await list(ann, '?unread=true')).count, (await list(ann, '?unread=false')).count],
      [0, 1],
    );
    const { body } = await service.get<{ task: { lastResult: { status: string; text: string } } }>(
      `/api/scheduler/tasks/${task.id}`,
      as(ann),
    );
    assert.deepEqual([body.task.lastResult.status, body.task.lastResult.text], ['succeeded', 'Call mum']);
    assert.equal((await service.put(path, { read: false }, as(newUser()))).status, 404);
    assert.equal((await service.ask('DELETE', path, { headers: as(ann) })).status, 200);
    assert.equal((await list(ann)).count, 0);
    reader.close();
  });

  test('go to a webhook, signed as the standard has it, and each delivery is an event', async () => {
    const bob = newUser();
    const { channel, secret = '' } = await webhook(bob);
    const before = receiver.received.items.length;
    const { reader } = await remind(bob, { sessionId: 'home' });
    const received = (await receiver.received.count(before + 1)).at(-1);
    assert.ok(received);
    const verified = Object(new Webhook(secret).verify(received.body, received.headers));
    assert.deepEqual(
      [verified.type, verified.data.title, verified.data.text],
      ['notification', 'Mum', 'Call mum'],
    );
    for (;;) {
      const { event, data } = await published(reader);
      if (event !== 'notification.delivered') continue;
      assert.equal(Object(data.data).channelId, channel.id);
      break;
    }
    const [told] = (await list(bob)).notifications;
    assert.deepEqual([told?.sessionId, told?.deliveries[0]?.state], ['home', 'delivered']);
    reader.close();
  });

  const until = async (reader: EventReader, name: string) => {
    for (;;) {
      const { event, data } = await published(reader);
      if (event === name) return Object(data.data);
    }
  };

  test('go to ntfy and Telegram at once; a channel is asked for by its id, and by none nothing is', async () => {
    const user = newUser();
    const ntfy = await add(user, {
      type: 'ntfy',
      settings: { url: messengers.url, topic: 'tea' },
      secret: 'tk_abc',
    });
    const telegram = await add(user, {
      type: 'telegram',
      settings: { chatId: '42', apiUrl: messengers.url },
      secret: '7:token',
    });
    assert.deepEqual([ntfy.status, telegram.status], [201, 201]);
    const asked = () => messengers.asked.items.map(({ path }) => path);
    const before = asked().length;
    for (const [notify, paths] of [
      [undefined, ['/', '/bot7:token/sendMessage']],
      [[ntfy.body.channel.id], ['/']],
      [[], []],
    ] as const) {
      const from = asked().length;
      const { reader } = await remind(user, { notify });
      for (const _ of paths) await until(reader, 'notification.delivered');
      assert.deepEqual(asked().slice(from).toSorted(), paths);
      reader.close();
    }
    assert.equal(asked().length, before + 3);
    const listed = await service.get(CHANNELS, as(user));
    assert.doesNotMatch(listed.text, /tk_abc|7:token/);
    assert.doesNotMatch(service.logged, /tk_abc|7:token|Call mum/);
  });

  test('go out by mail, with the password of the user', async (t) => {
    const mails = new Witness<string>();
    const server = new SMTPServer({
      ...{ hideSTARTTLS: true, allowInsecureAuth: true, logger: false },
      onAuth: ({ username, password }, _session, done) =>
        done(password === 'secret' ? null : new Error('no'), { user: username }),
      async onData(stream, _session, done) {
        mails.add(await text(stream));
        done();
      },
    });
    const listening = server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    t.onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = Object(listening.address());
    const settings = {
      host: '127.0.0.1',
      port,
      secure: false,
      from: 'hark@example.com',
      to: 'ann@example.com',
    };
    const user = newUser();
    const { status } = await add(user, {
      type: 'email',
      settings: { ...settings, user: 'ann' },
      secret: 'secret',
    });
    assert.equal(status, 201);
    const { reader } = await remind(user);
    const [mail] = await mails.count(1);
    assert.match(mail ?? '', /^Subject: Mum\r$/m);
    assert.match(mail ?? '', /^Call mum\r$/m);
    await until(reader, 'notification.delivered');
    reader.close();
  });

  test('are tried again while a server is down, slow to come back and full, and arrive in order', async () => {
    const user = newUser();
    const { body } = await add(user, { type: 'ntfy', settings: { url: messengers.url, topic: 'down' } });
    messengers.usually(json(503, {}));
    const { reader } = await remind(user, { text: 'One' });
    const failed = await until(reader, 'notification.delivery.failed');
    assert.deepEqual([failed.reason, failed.attempt, failed.retryAt], ['HTTP_503', 1, now + 5_000]);
    (await remind(user, { text: 'Two' })).reader.close();
    messengers.usually(json(429, {}, { 'retry-after': '3600' }));
    await advance(5_000);
    const full = await until(reader, 'notification.delivery.failed');
    assert.deepEqual([full.reason, full.attempt], ['HTTP_429', 2]);
    assert.ok(full.retryAt >= now + 3_600_000);
    messengers.usually(json(503, {}));
    for (let hours = 0; hours < 24; hours++) {
      await advance(3_600_000);
      await until(reader, 'notification.delivery.failed');
    }
    const [waiting] = await channelsOf(user);
    assert.deepEqual([waiting?.waiting, waiting?.failures], [2, 26]);
    messengers.usually();
    const from = messengers.asked.items.length;
    await advance(3_600_000);
    for (const attempt of [27, 1])
      assert.equal((await until(reader, 'notification.delivered')).attempt, attempt);
    assert.deepEqual(
      messengers.asked.items.slice(from).map(({ body: said }) => said.message),
      ['One', 'Two'],
    );
    const [again] = await channelsOf(user);
    assert.deepEqual([again?.id, again?.waiting, again?.failures], [body.channel.id, 0, 0]);
    reader.close();
  });

  test('wait for the end of quiet hours in the zone of the user, and for their place in the hour', async () => {
    const user = newUser();
    await service.put(`/api/users/${user}/preferences`, { timezone: 'Asia/Tokyo' }, as(user));
    const local = (at: number) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', timeStyle: 'short' }).format(at);
    const quietHours = { from: local(now - 60_000), to: local(now + 1_800_000) };
    await add(user, {
      type: 'ntfy',
      settings: { url: messengers.url, topic: 'quiet' },
      quietHours,
      mostAnHour: 1,
    });
    const { reader } = await remind(user, { text: 'Early' });
    const quiet = await until(reader, 'notification.delivery.deferred');
    assert.equal(quiet.because, 'quiet-hours');
    assert.equal(local(quiet.until), quietHours.to);
    (await remind(user, { text: 'Late' })).reader.close();
    await advance(quiet.until - now);
    await until(reader, 'notification.delivered');
    const limit = await until(reader, 'notification.delivery.deferred');
    assert.deepEqual([limit.because, limit.until], ['hourly-limit', now + 3_600_000]);
    await advance(3_600_000);
    await until(reader, 'notification.delivered');
    reader.close();
  });

  test('can be tried out, and a test says what is wrong', async () => {
    const user = newUser();
    const { body } = await add(user, { type: 'ntfy', settings: { url: messengers.url, topic: 'try' } });
    const path = `${CHANNELS}/${body.channel.id}`;
    const tryOut = async (whose: string) =>
      service.ask<{ delivered: boolean; reason?: string }>('POST', `${path}/test`, {
        headers: as(whose),
        body: {},
      });
    assert.deepEqual((await tryOut(user)).body, { delivered: true });
    messengers.answer(json(200, { http: 403, error: 'forbidden' }));
    assert.deepEqual((await tryOut(user)).body, { delivered: false, reason: 'HTTP_403' });
    const stranger = newUser();
    assert.equal((await tryOut(stranger)).status, 404);
    assert.equal((await service.put(path, { enabled: false }, as(stranger))).status, 404);
    assert.equal((await service.ask('DELETE', path, { headers: as(stranger) })).status, 404);
    const { status, body: refused } = await new SchedulerClient(service, stranger).ask('POST', '', {
      ...{ name: 'x', scheduleType: 'once', atTimestamp: now + 1_000, text: 'x' },
      notify: [body.channel.id],
    });
    assert.deepEqual([status, refused.issues?.[0]?.path], [400, ['notify', '0']]);
    assert.equal((await service.ask('DELETE', path, { headers: as(user) })).status, 200);
    assert.equal((await tryOut(user)).status, 404);
  });

  test('a channel is refused that nothing could be sent by, and no secret is sent elsewhere', async () => {
    const user = newUser();
    const email = { host: 'mail.example.com', port: 587, secure: false, from: 'a@b.c', to: 'a@b.c' };
    for (const [channel, path] of [
      [{ type: 'ntfy', settings: { url: 'http://169.254.169.254/', topic: 'x' } }, ['settings', 'url']],
      [{ type: 'ntfy', settings: { url: 'https://ntfy.sh', topic: 'a/b' } }, ['settings', 'topic']],
      [{ type: 'ntfy', settings: { url: 'https://ntfy.sh', topic: 'x' }, secret: 'a\r\nb: c' }, ['secret']],
      [{ type: 'telegram', settings: { chatId: '1' } }, ['secret']],
      [{ type: 'telegram', settings: { chatId: '1' }, secret: '1:a/../b' }, ['secret']],
      [{ type: 'webhook', settings: { url: 'https://example.com' }, secret: 'short' }, ['secret']],
      [{ type: 'email', settings: { ...email, to: 'a@b.c\r\nBcc: d@e.f' } }, ['settings', 'to']],
      [{ type: 'email', settings: { ...email, from: 'a@b.c, d@e.f' } }, ['settings', 'from']],
      [{ type: 'email', settings: { ...email, user: 'a' } }, ['secret']],
      [{ type: 'email', settings: { ...email, host: '169.254.169.254' } }, ['settings', 'host']],
      [
        { type: 'webhook', settings: { url: 'https://example.com' }, quietHours: { from: '25:00', to: '7' } },
        undefined,
      ],
      [{ type: 'pigeon', settings: {} }, ['type']],
    ] as const) {
      const { status, body } = await add(user, channel);
      assert.equal(status, 400, JSON.stringify(channel));
      if (path) assert.deepEqual(body.issues?.[0]?.path, path);
    }
    const { body } = await add(user, {
      type: 'ntfy',
      settings: { url: messengers.url, topic: 'mine' },
      secret: 'tk_mine',
    });
    const path = `${CHANNELS}/${body.channel.id}`;
    const elsewhere = { settings: { url: 'https://elsewhere.example', topic: 'mine' } };
    assert.equal((await service.put(path, elsewhere, as(user))).status, 400);
    assert.equal((await service.put(path, { ...elsewhere, secret: 'tk_other' }, as(user))).status, 200);
  });

  test('and channels are shown as they were', async () => {
    const user = newUser();
    const { channel } = await webhook(user);
    const body = { text: 'Ping' };
    const sent = await service.ask<{ notification: Told }>('POST', '/api/notifications', {
      headers: as(user),
      body,
    });
    const { id, at } = sent.body.notification;
    await advance(1_000);
    await service.ask('PUT', `/api/notifications/${id}`, { headers: as(user), body: { read: true } });
    await service.ask('PUT', `${CHANNELS}/${channel.id}`, { headers: as(user), body: { enabled: false } });
    assert.equal((await list(user)).notifications[0]?.read, true);
    const past = await list(user, `?at=${at + 500}`);
    assert.deepEqual(
      past.notifications.map(({ text, read }) => [text, read]),
      [['Ping', false]],
    );
    assert.equal((await list(user, `?at=${at - 1}`)).count, 0);
    const channels = await service.get<{ channels: Channel[] }>(`${CHANNELS}?at=${at + 500}`, as(user));
    assert.equal(channels.body.channels[0]?.enabled, true);
    assert.equal((await channelsOf(user))[0]?.enabled, false);
  });

  test('can be sent by the user, and are kept apart from those of others', async () => {
    const user = newUser();
    const headers = { ...as(user), 'idempotency-key': `send-${user}` };
    const send = () =>
      service.ask<{ notification: Told }>('POST', '/api/notifications', { headers, body: { text: 'Hi' } });
    // Two devices at once, which mean the same.
    const [one, two] = await Promise.all([send(), send()]);
    assert.deepEqual([one.status, two.status], [201, 201]);
    assert.equal(one.body.notification.id, two.body.notification.id);
    assert.equal((await list(user)).count, 1);
    assert.equal((await list(newUser())).count, 0);
    const unknown = await service.ask('POST', '/api/notifications', {
      headers: as(user),
      body: { text: 'Hi', channelId: 'phone' },
    });
    assert.equal(unknown.status, 404);
  });

  test('are erased with all that there is of a user, and with them the channels', async () => {
    const user = newUser();
    messengers.usually(json(503, {}));
    await add(user, { type: 'ntfy', settings: { url: messengers.url, topic: 'erased' } });
    const { reader } = await remind(user, { text: 'A secret wish' });
    await until(reader, 'notification.delivery.failed');
    assert.equal((await service.ask('DELETE', '/api/memory', { headers: as(user) })).status, 200);
    messengers.usually();
    assert.deepEqual([(await list(user)).count, (await channelsOf(user)).length], [0, 0]);
    const from = messengers.asked.items.length;
    await advance(3_600_000);
    const events = await service.get(`/api/events?limit=200`, as(user));
    assert.doesNotMatch(events.text, /A secret wish/);
    assert.equal(messengers.asked.items.length, from);
    reader.close();
  });
});

test('two processes on one Redis deliver a notification once, also when one of them stops', {
  ...skippedFor(redisIsMissing),
}, async (t) => {
  const redis = await RedisServer.start();
  t.onTestFinished(() => redis.stop());
  const messengers = await Messengers.start();
  t.onTestFinished(() => messengers.stop());
  const shared = {
    ...OPEN,
    SERVICE_TEST_NOW: String(1_800_000_000_000),
    SERVICE_KVSTORE_URL: redis.url,
    SERVICE_CREDENTIAL_SECRET: 'a secret of both'.repeat(4),
    SERVICE_CREDENTIAL_SALT: '00'.repeat(32),
  };
  const [one, two] = [await InProcessService.start(shared), await InProcessService.start(shared)];
  const body = { type: 'ntfy', name: 'Phone', settings: { url: messengers.url, topic: 'x' }, secret: 'tk_1' };
  assert.equal((await one.ask('POST', CHANNELS, { headers: as('ann'), body })).status, 201);
  const reader = await new SchedulerClient(one, 'ann').listen('topics=notification.delivered');
  for (const service of [one, two])
    for (const text of ['a', 'b', 'c'])
      await service.ask('POST', '/api/notifications', { headers: as('ann'), body: { text } });
  for (let count = 0; count < 6; count++) await published(reader);
  assert.equal(messengers.asked.items.length, 6);
  assert.equal(new Set(messengers.asked.items.map(({ authorization }) => authorization)).size, 1);
  reader.close();
  await two.stop();
  const rest = await new SchedulerClient(one, 'ann').listen('topics=notification.delivered');
  await one.ask('POST', '/api/notifications', { headers: as('ann'), body: { text: 'd' } });
  await published(rest);
  assert.equal(messengers.asked.items.length, 7);
  rest.close();
  await one.stop();
});
