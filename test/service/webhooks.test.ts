import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import { Receiver } from '../support/receiver.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { EventReader, InProcessService, type ServiceUnderTest } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

interface Shown {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly because: string | null;
  readonly failures: number;
  readonly lastFailure: { readonly reason: string } | null;
  readonly deliveredTo: number;
  readonly createdAt: number;
}

interface Attempt {
  readonly status: number | null;
  readonly reason: string | null;
}

interface Listed {
  readonly deliveries: readonly {
    readonly position: number;
    readonly type: string;
    readonly at: number;
    readonly state: string;
    readonly attempts: number;
    readonly lastAttempt: Attempt | null;
    readonly retryAt: number | null;
  }[];
  readonly next: number;
}

interface Sent {
  readonly delivered: boolean;
  readonly attempt: Attempt;
}

interface Created {
  readonly webhook: Shown;
  readonly secret?: string;
}

/** The verifier of the standard has a clock of its own. */
const NOW = { SERVICE_TEST_NOW: String(Date.now()) };
const OPEN = { ...NOW, API_RATE_LIMIT: '100000', SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true' };
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const DAY_MS = 86_400_000;

let changes = 100;
/** Something that everybody is told. */
async function happen(service: ServiceUnderTest): Promise<number> {
  const apiRateLimit = 100_000 + ++changes;
  assert.equal((await service.put('/api/settings', { apiRateLimit })).status, 200);
  return apiRateLimit;
}

const limitIn = (body: string) => JSON.parse(body).data.data.changes.apiRateLimit;

describe('webhooks', () => {
  let service: InProcessService;
  let receiver: Receiver;
  beforeAll(async () => {
    service = await InProcessService.start(OPEN);
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    const { body } = await service.get<{ webhooks: readonly Shown[] }>('/api/webhooks');
    for (const { id } of body.webhooks) await service.ask('DELETE', `/api/webhooks/${id}`);
    await receiver.stop();
  });
  afterAll(() => service.stop());

  const create = async (rest: object = {}) => {
    const body = { url: receiver.url, topics: ['config:changed'], ...rest };
    const answer = await service.ask<Created>('POST', '/api/webhooks', { body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const show = async (id: string) =>
    (await service.get<{ webhook: Shown }>(`/api/webhooks/${id}`)).body.webhook;
  const follow = (topic: string) => EventReader.open(`${service.url}/api/events/stream?topics=${topic}`);

  test('are told of their topics, in order, signed as the standard has it', async () => {
    const { webhook, secret = '' } = await create();
    assert.deepEqual([webhook.url, webhook.status], [receiver.url, 'active']);
    const limits = [await happen(service), await happen(service), await happen(service)];
    const received = await receiver.received.count(3);
    assert.deepEqual(
      received.map(({ body }) => limitIn(body)),
      limits,
    );
    for (const { headers, body } of received) {
      const verified = new Webhook(secret).verify(body, headers);
      assert.equal(Object(verified).type, 'config:changed');
    }
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 3);
  });

  test('are signed with the secret that they were given, which nobody is told', async () => {
    const { webhook, secret } = await create({ secret: SECRET });
    assert.equal(secret, undefined);
    await happen(service);
    const [first] = await receiver.received.count(1);
    assert.ok(first);
    new Webhook(SECRET).verify(first.body, first.headers);
    const events = await service.get('/api/events?type=webhook.created');
    assert.ok(events.text.includes(webhook.id));
    for (const text of [events.text, service.logged, (await service.get('/api/webhooks')).text])
      assert.ok(!text.includes(SECRET.slice(6, 30)));
  });

  test('can be tried out, and say how far what they were to be told has arrived', async () => {
    const { webhook, secret = '' } = await create();
    const tried = () =>
      service.ask<{ delivered: boolean; reason?: string }>('POST', `/api/webhooks/${webhook.id}/test`);
    assert.deepEqual((await tried()).body, { delivered: true });
    const [first] = await receiver.received.count(1);
    assert.ok(first);
    assert.partialDeepStrictEqual(Object(new Webhook(secret).verify(first.body, first.headers)), {
      type: 'webhook.test',
      data: { webhookId: webhook.id },
    });
    await service.put(`/api/webhooks/${webhook.id}`, { status: 'paused' });
    receiver.answer({ status: 500 });
    assert.deepEqual((await tried()).body, { delivered: false, reason: 'HTTP_500' });
    assert.equal((await show(webhook.id)).failures, 0);
    assert.equal((await service.ask('POST', '/api/webhooks/unknown/test')).status, 404);
    await service.put(`/api/webhooks/${webhook.id}`, { status: 'active' });
    const before = (await show(webhook.id)).deliveredTo;
    await happen(service);
    await receiver.received.count(3);
    while ((await show(webhook.id)).deliveredTo <= before) await new Promise(setImmediate);
  });

  test('are shown as they were', async () => {
    const { webhook } = await create();
    await service.advance(1_000);
    await service.put(`/api/webhooks/${webhook.id}`, { status: 'paused' });
    const { createdAt } = await show(webhook.id);
    const at = async (time: number) =>
      (await service.get<{ webhooks: readonly Shown[] }>(`/api/webhooks?at=${time}`)).body.webhooks;
    assert.deepEqual(
      (await at(createdAt + 500)).map(({ id, status, deliveredTo }) => [id, status, deliveredTo]),
      [[webhook.id, 'active', undefined]],
    );
    assert.equal((await at(createdAt + 1_000))[0]?.status, 'paused');
    assert.deepEqual(await at(createdAt - 1), []);
  });

  test('list nothing as delivered that happened before its topic was among theirs', async () => {
    const { webhook } = await create();
    const path = `/api/webhooks/${webhook.id}`;
    const told = async (at?: number) => {
      const { deliveries } = (
        await service.get<Listed>(`${path}/deliveries${at === undefined ? '' : `?at=${at}`}`)
      ).body;
      return deliveries.map(({ type, state }) => [type, state]);
    };
    const prefer = async (language: string) => {
      assert.equal((await service.put('/api/users/default/preferences', { language })).status, 200);
      return Number((await service.advance(1_000)).body.now);
    };
    await prefer('fr');
    await happen(service);
    await receiver.received.count(1);
    await service.advance(1_000);
    const both = ['config:changed', 'settings.preferences.changed'];
    assert.equal((await service.put(path, { topics: both })).status, 200);
    const changedAt = Number((await service.advance(1_000)).body.now);
    const first = [['config:changed', 'delivered']];
    while ((await told()).some(([, state]) => state === 'waiting')) await new Promise(setImmediate);
    assert.deepEqual([await told(), await told(changedAt)], [first, first]);
    await prefer('de');
    await receiver.received.count(2);
    while ((await told()).some(([, state]) => state === 'waiting')) await new Promise(setImmediate);
    assert.deepEqual(await told(), [...first, ['settings.preferences.changed', 'delivered']]);
  });

  test('list what they were told and are to be told, and are told one of it again', async () => {
    const failed = await follow('webhook.delivery.failed');
    const { webhook } = await create();
    const path = `/api/webhooks/${webhook.id}/deliveries`;
    const list = async (query = '') => (await service.get<Listed>(`${path}${query}`)).body;
    const states = async (query = '') =>
      (await list(query)).deliveries.map(({ state, attempts, lastAttempt }) => [
        ...[state, attempts, lastAttempt?.status, lastAttempt?.reason],
      ]);
    assert.deepEqual(await list(), { deliveries: [], next: 0 });
    const limits = [await happen(service), await happen(service)];
    const [first] = await receiver.received.count(2);
    const well = ['delivered', 1, 204, null];
    while ((await states()).some(([state]) => state === 'waiting')) await new Promise(setImmediate);
    assert.deepEqual(await states(), [well, well]);
    const { deliveries } = await list();
    assert.deepEqual(
      deliveries.map(({ type }) => type),
      ['config:changed', 'config:changed'],
    );
    assert.ok(!JSON.stringify(deliveries).includes(String(limits[0])), 'Nothing of what they say');
    const position = deliveries[0]?.position ?? 0;

    const again = (of: number) => service.ask<Sent>('POST', `${path}/${of}/again`);
    const { body: sent } = await again(position);
    assert.deepEqual([sent.delivered, sent.attempt.status], [true, 204]);
    const repeated = (await receiver.received.count(3))[2];
    assert.equal(repeated?.headers['webhook-id'], first?.headers['webhook-id']);
    assert.equal(limitIn(repeated?.body ?? ''), limits[0]);
    assert.equal((await list()).deliveries[0]?.attempts, 2);

    receiver.answer({ status: 500 }, { status: 503 });
    await happen(service);
    await failed.next();
    await happen(service);
    const stuck = [
      ['failed', 1, 500, 'HTTP_500'],
      ['waiting', 0, undefined, undefined],
    ];
    assert.deepEqual((await states()).slice(2), stuck);
    const open = (await list()).deliveries[2];
    assert.ok((open?.retryAt ?? 0) > webhook.createdAt);
    const { body: refused } = await again(open?.position ?? 0);
    assert.deepEqual([refused.delivered, refused.attempt.reason], [false, 'HTTP_503']);
    assert.equal((await show(webhook.id)).failures, 1);
    // Of the past only the log tells.
    const { at = 0 } = (await list()).deliveries[3] ?? {};
    assert.deepEqual(await states(`?at=${at}`), [
      ...[1, 2].map(() => ['delivered', 1, undefined, undefined]),
      ...stuck,
    ]);
    const last = await list('?limit=1');
    assert.equal(last.deliveries.length, 1);
    const before = await list(`?limit=2&before=${last.next}`);
    assert.deepEqual(
      before.deliveries.map(({ position }) => position),
      [deliveries[1]?.position, open?.position],
    );

    const unknown = async (of: number) => {
      const { status, body } = await again(of);
      return [status, Object(body).error];
    };
    // It has been told of nothing before it was made, and of nothing else.
    for (const other of [1, position - 1, 1_000_000])
      assert.deepEqual(await unknown(other), [404, 'Unknown delivery']);
    assert.equal((await service.get('/api/webhooks/unknown/deliveries')).status, 404);
    assert.equal((await service.get(path, { 'x-user-id': 'ben' })).status, 404);
    failed.close();
  });

  test('that fail are told again later, the same', async () => {
    const failed = await follow('webhook.delivery.failed');
    receiver.answer({ status: 500 }, { status: 302, headers: { location: receiver.url } });
    const { webhook } = await create();
    const limit = await happen(service);
    for (const [reason, pause] of [
      ['HTTP_500', 5_000],
      ['HTTP_302', 30_000],
    ] as const) {
      await failed.next();
      const { failures, lastFailure } = await show(webhook.id);
      assert.deepEqual([failures > 0, lastFailure?.reason], [true, reason]);
      await service.advance(pause);
    }
    const received = await receiver.received.count(3);
    assert.deepEqual(
      received.map(({ body }) => limitIn(body)),
      [limit, limit, limit],
    );
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1);
    while ((await show(webhook.id)).failures > 0) await new Promise(setImmediate);
    failed.close();
  });

  for (const [asked, waits] of [
    ['600', 600_000],
    ['99999999999999', 86_400_000],
  ] as const)
    test(`are not asked before they want to be, and within a day: ${asked} s`, async () => {
      const failed = await follow('webhook.delivery.failed');
      receiver.answer({ status: 429, headers: { 'retry-after': asked } });
      await create();
      await happen(service);
      const { data = '' } = (await failed.next()) ?? {};
      const { at, data: told } = JSON.parse(data);
      assert.equal(told.retryAt - at, waits);
      failed.close();
    });

  test('that are dead are paused, and go on where they stood', async () => {
    const failed = await follow('webhook.delivery.failed,webhook.paused');
    receiver.usually({ status: 503 });
    const { webhook } = await create();
    const limits = [await happen(service), await happen(service)];
    for (
      let event = (await failed.next())?.event;
      event !== 'webhook.paused';
      event = (await failed.next())?.event
    )
      await service.advance(DAY_MS);
    const { status, because, failures } = await show(webhook.id);
    assert.deepEqual([status, because, failures], ['paused', 'dead', 11]);
    receiver.usually({ status: 200 });
    assert.equal((await service.put(`/api/webhooks/${webhook.id}`, { status: 'active' })).status, 200);
    const received = await receiver.received.count(13);
    assert.deepEqual(
      received.slice(11).map(({ body }) => limitIn(body)),
      limits,
    );
    failed.close();
  });

  test('that are gone are paused at once', async () => {
    const paused = await follow('webhook.paused');
    receiver.answer({ status: 410 });
    const { webhook } = await create();
    await happen(service);
    await paused.next();
    assert.equal((await show(webhook.id)).because, 'dead');
    paused.close();
  });

  test('tell a dead one and another one apart', async () => {
    receiver.usually({ status: 500 });
    const other = await Receiver.start();
    await create();
    await create({ url: other.url });
    await happen(service);
    await other.received.count(1);
    await happen(service);
    await other.received.count(2);
    await other.stop();
  });

  test('go where and tell what they are told to from then on', async () => {
    const other = await Receiver.start();
    const { webhook } = await create();
    await happen(service);
    await receiver.received.count(1);
    const changed = { url: other.url, topics: ['webhook.*', 'config:*'] };
    assert.equal((await service.put(`/api/webhooks/${webhook.id}`, changed)).status, 200);
    const limit = await happen(service);
    const [first] = await other.received.count(1);
    assert.equal(limitIn(first?.body ?? ''), limit);
    await other.stop();
  });

  test("are nobody else's", async () => {
    const { webhook } = await create();
    const ann = { 'x-user-id': 'ann' };
    assert.deepEqual((await service.get('/api/webhooks', ann)).body, { webhooks: [], count: 0 });
    for (const method of ['GET', 'DELETE'])
      assert.equal((await service.ask(method, `/api/webhooks/${webhook.id}`, { headers: ann })).status, 404);
  });

  test('end with all that their user had', async () => {
    const removed = await follow('webhook.removed');
    const { webhook } = await create();
    assert.equal((await service.ask('DELETE', '/api/memory')).status, 200);
    assert.equal((await service.get(`/api/webhooks/${webhook.id}`)).status, 404);
    await happen(service);
    await removed.next();
    removed.close();
  });

  for (const [what, body] of [
    ['no address', { url: 'nowhere', topics: ['a'] }],
    ['another protocol', { url: 'ftp://example.com', topics: ['a'] }],
    ['a password in the address', { url: 'https://a:b@example.com', topics: ['a'] }],
    ['a name in the address', { url: 'https://a@example.com', topics: ['a'] }],
    ['no topic', { url: 'https://example.com', topics: [] }],
    ['a topic that is none', { url: 'https://example.com', topics: ['a b'] }],
    ['a topic with a * inside', { url: 'https://example.com', topics: ['a*b'] }],
    ['a short secret', { url: 'https://example.com', topics: ['a'], secret: 'whsec_AAAA' }],
    ['a secret that is none', { url: 'https://example.com', topics: ['a'], secret: 'secret' }],
  ] as const)
    test(`with ${what} are refused`, async () => {
      assert.equal((await service.ask('POST', '/api/webhooks', { body })).status, 400);
    });

  test('are not more than fifty', async () => {
    const body = { url: receiver.url, topics: ['nothing'] };
    for (let made = 0; made < 50; made++) await service.ask('POST', '/api/webhooks', { body });
    assert.equal((await service.ask('POST', '/api/webhooks', { body })).status, 409);
  });
});

describe('webhooks of a service that ends', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-webhooks-'));
  const kept = { ...OPEN, SERVICE_DATA_DIR: directory, SERVICE_KVSTORE_URL: 'embedded' };
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test('are told afterwards of what they were not told before', async () => {
    const receiver = await Receiver.start();
    receiver.usually({ status: 500 });
    const first = await InProcessService.start(kept);
    const failed = await EventReader.open(`${first.url}/api/events/stream?topics=webhook.delivery.failed`);
    const body = { url: receiver.url, topics: ['config:changed'], secret: SECRET };
    await first.ask('POST', '/api/webhooks', { body });
    const limits = [await happen(first), await happen(first)];
    await failed.next();
    failed.close();
    await first.stop();
    receiver.usually({ status: 200 });
    const second = await InProcessService.start(kept);
    await second.advance(DAY_MS);
    const received = await receiver.received.count(3);
    assert.deepEqual(
      received.slice(1).map((each) => limitIn(each.body)),
      limits,
    );
    for (const each of received) assert.ok(each.headers['webhook-signature']);
    await second.stop();
    await receiver.stop();
  });
});

describe('webhooks that wait', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-webhooks-'));
  const kept = { ...OPEN, SERVICE_DATA_DIR: directory, SERVICE_KVSTORE_URL: 'embedded' };
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test('tell nothing of what is erased meanwhile', async () => {
    const receiver = await Receiver.start();
    receiver.usually({ status: 500 });
    const before = await InProcessService.start(kept);
    await before.ask('POST', '/api/webhooks', {
      body: { url: receiver.url, topics: ['memory.conclusion.drawn'] },
    });
    const ids: string[] = [];
    for (const text of ['Ann likes figs', 'Ann has a cat']) {
      const body = { text, type: 'explicit' };
      const answer = await before.ask<{ conclusion: { id: string } }>('POST', '/api/memory/conclusions', {
        body,
      });
      ids.push(answer.body.conclusion.id);
    }
    await receiver.received.count(1);
    await before.stop();
    const service = await InProcessService.start(kept);
    const failed = await EventReader.open(`${service.url}/api/events/stream?topics=webhook.delivery.failed`);
    await service.advance(DAY_MS);
    await failed.next();
    failed.close();
    const told = receiver.received.items.length;
    for (const id of ids)
      assert.equal((await service.ask('DELETE', `/api/memory/conclusions/${id}`)).status, 200);
    receiver.usually({ status: 200 });
    await service.advance(DAY_MS);
    const received = (await receiver.received.count(told + 2)).slice(told);
    for (const { body } of received) assert.doesNotMatch(body, /figs|cat/);
    await service.stop();
    await receiver.stop();
  });
});

describe('webhooks of two services on one Redis', () => {
  test('are told of everything once, by one of them', { ...skippedFor(redisIsMissing) }, async (t) => {
    const redis = await RedisServer.start();
    t.onTestFinished(() => redis.stop());
    const shared = { ...OPEN, SERVICE_KVSTORE_URL: redis.url, SERVICE_CREDENTIAL_SECRET: 'a'.repeat(64) };
    const environment = { ...shared, SERVICE_CREDENTIAL_SALT: 'b'.repeat(64) };
    const services = await Promise.all([1, 2].map(() => InProcessService.start(environment)));
    const receiver = await Receiver.start();
    const [one, two] = services;
    assert.ok(one && two);
    await one.ask('POST', '/api/webhooks', { body: { url: receiver.url, topics: ['config:changed'] } });
    const limits: number[] = [];
    for (const service of [one, two, one, two]) limits.push(await happen(service));
    const received = await receiver.received.count(4);
    assert.deepEqual(
      received.map(({ body }) => limitIn(body)),
      limits,
    );
    await Promise.all(services.map((service) => service.stop()));
    assert.equal(receiver.received.items.length, 4);
    await receiver.stop();
  });
});

describe('webhooks to where nobody may have hark go', () => {
  test('are refused', async () => {
    const service = await InProcessService.start(NOW);
    for (const url of [
      'http://example.com/hooks',
      'https://localhost/',
      'https://a.localhost./',
      'https://printer.local/',
      'https://metadata.internal/',
      'https://router.home.arpa/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://10.1.2.3/',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[fd00::1]/',
    ]) {
      const body = { url, topics: ['a'] };
      const answer = await service.ask('POST', '/api/webhooks', { body });
      assert.equal(answer.status, 400, url);
      assert.match(answer.text, /"path":\["url"\]/);
    }
    await service.stop();
  });
});
