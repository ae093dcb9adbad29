import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { EventReader, InProcessService } from '../support/service.ts';

interface Page {
  events: {
    position: number;
    type: string;
    id: string;
    correlationId: string;
    data: { changes: Record<string, unknown> };
  }[];
  next: number;
}

describe('the log over HTTP', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '100000' }, { streams: { heartbeatMs: 30 } });
    for (let days = 1; days <= 5; days++) await change(days);
  });
  afterAll(() => service.stop());

  const change = (days: number) => service.put('/api/settings', { memoryRetentionDays: days });
  const list = async (query: string) => (await service.get<Page>(`/api/events?${query}`)).body;
  const daysOf = (event: { data: string } | Record<string, string> | undefined) =>
    JSON.parse(event?.data ?? '{}').data.changes.memoryRetentionDays;

  test('pages lead from the first event to the last, each once', async () => {
    const seen: number[] = [];
    for (let after = 0; ; ) {
      const { events, next } = await list(`limit=2&after=${after}`);
      assert(events.length <= 2);
      seen.push(...events.map(({ position }) => position));
      if (events.length === 0) break;
      after = next;
    }
    assert.deepEqual(
      seen,
      Array.from({ length: seen.length }, (_, index) => index + 1),
    );
    assert(seen.length >= 6);
  });

  test('a stream, and a type', async () => {
    const ofStream = await list('stream=settings&limit=2');
    assert.deepEqual(
      ofStream.events.map(({ id }) => id),
      ['settings@1', 'settings@2'],
    );
    const rest = await list(`stream=settings&after=${ofStream.next}`);
    assert.equal(rest.events[0]?.id, 'settings@3');
    const ofType = await list('type=system.instance.started');
    assert.equal(ofType.events.length, 1);
    assert.equal((await list('type=no.such.thing')).events.length, 0);
  });

  test('pages lead back from any position to the first event, each once', async () => {
    const seen: number[] = [];
    const { events: all } = await list('limit=1000');
    for (let before = 1_000_000; before !== 0; ) {
      const { events, next } = await list(`limit=2&before=${before}`);
      assert(events.length > 0 && events.length <= 2);
      seen.unshift(...events.map(({ position }) => position));
      before = next;
    }
    assert.deepEqual(
      seen,
      all.map(({ position }) => position),
    );
    const { events, next } = await list('topics=system.*&before=1000000&limit=100');
    assert.deepEqual([events.map(({ type }) => type), next], [['system.instance.started'], 0]);
  });

  test('what one cause set off', async () => {
    const { events } = await list('topics=config:changed');
    const cause = events[0]?.correlationId ?? '';
    const found = await list(`correlationId=${cause}`);
    assert.deepEqual(
      found.events.map(({ id }) => id),
      [events[0]?.id],
    );
    assert.deepEqual((await list(`correlationId=${cause}&before=1000000`)).events, found.events);
  });

  test('what cannot be asked is refused', async () => {
    for (const query of [
      'limit=0',
      'limit=1001',
      'after=x',
      'after=-1',
      'after=999999',
      'stream=',
      'stream=settings&before=9',
    ]) {
      assert.equal((await service.get(`/api/events?${query}`)).status, 400, query);
    }
    for (const query of ['after=999999', 'topics=a%0Ab', 'topics=']) {
      assert.equal((await service.get(`/api/events/stream?${query}`)).status, 400, query);
    }
    const resumed = await service.get('/api/events/stream', { 'last-event-id': 'x' });
    assert.equal(resumed.status, 400);
  });

  test('a stream starts now, and shows what happens then', async () => {
    const reader = await EventReader.open(`${service.url}/api/events/stream?topics=config:*`);
    await change(11);
    const event = await reader.next();
    assert.equal(event?.event, 'config:changed');
    const envelope = JSON.parse(event?.data ?? '{}');
    assert.equal(String(envelope.position), event?.id);
    assert.deepEqual(Object.keys(envelope), [
      'position',
      'id',
      'stream',
      'version',
      'type',
      'at',
      'userId',
      'correlationId',
      'causationId',
      'data',
    ]);
    reader.close();
  });

  test('messages have no name for clients that only know onmessage', async () => {
    const address = `${service.url}/api/events/stream?topics=config:*`;
    const [plain, other] = [
      await EventReader.open(`${address}&named=false`),
      await EventReader.open(address),
    ];
    await change(12);
    const message = await plain.next();
    const { event, ...unnamed } = (await other.next()) ?? {};
    assert.equal(event, 'config:changed');
    assert.deepEqual(message, unnamed);
    assert.equal(JSON.parse(message?.data ?? '{}').type, 'config:changed');
    // Also of what happened before.
    const again = await EventReader.open(`${address}&named=false`, { 'last-event-id': '0' });
    assert.equal((await again.next())?.event, undefined);
    for (const reader of [plain, other, again]) reader.close();
    assert.equal((await service.get('/api/events/stream?named=perhaps')).status, 400);
  });

  test('a stream resumes with nothing lost and nothing twice', async () => {
    const before = (await list('type=config:changed&limit=1000')).next;
    for (const days of [21, 22, 23]) await change(days);
    const address = `${service.url}/api/events/stream?topics=config:changed`;
    const first = await EventReader.open(`${address}&after=${before}`);
    assert.equal(daysOf(await first.next()), 21);
    const second = await first.next();
    assert.equal(daysOf(second), 22);
    first.close();
    // A browser repeats the address it had; where it was comes on top.
    const again = await EventReader.open(`${address}&after=${before}`, { 'last-event-id': second?.id ?? '' });
    assert.equal(daysOf(await again.next()), 23);
    await change(24);
    assert.equal(daysOf(await again.next()), 24);
    again.close();
  });

  test('other topics are not shown', async () => {
    const reader = await EventReader.open(`${service.url}/api/events/stream?topics=system.*`);
    await change(31);
    await service.ask('POST', '/api/system/reset-onboarding');
    assert.equal((await reader.next())?.event, 'system.onboarding.reset');
    reader.close();
  });

  test('a stream without events beats', async () => {
    const reader = await EventReader.open(`${service.url}/api/events/stream?topics=none`);
    assert.deepEqual(await reader.nextOrComment(), { '': 'still here' });
    reader.close();
  });

  test('many readers see each event once', async () => {
    const address = `${service.url}/api/events/stream?topics=config:changed`;
    const readers = await Promise.all(Array.from({ length: 100 }, () => EventReader.open(address)));
    await change(41);
    await change(42);
    for (const reader of readers) {
      assert.equal(daysOf(await reader.next()), 41);
      assert.equal(daysOf(await reader.next()), 42);
      reader.close();
    }
  });
});

test('streams end when the service stops', async () => {
  const service = await InProcessService.start();
  const reader = await EventReader.open(`${service.url}/api/events/stream?topics=none`);
  const stopped = service.stop();
  assert.equal(await reader.next(), undefined);
  await stopped;
});
