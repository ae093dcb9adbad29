import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { breaks, says, waits } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { providersAt } from '../support/models/environment.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { InProcessService, ServiceProcess, TEST_NOW } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { noSmallDisk, SmallDisk } from '../support/smallDisk.ts';
import { within } from '../support/within.ts';
import { ChatClient, LIMITS } from './chatClient.ts';

const MINUTE = 60_000;
const folder = temporaryFolder('chat-faults');

describe('chat, when something fails', () => {
  let models: ScriptedModels;
  beforeAll(async () => {
    models = await ScriptedModels.start();
  });
  afterEach(() => models.reset());
  afterAll(() => models.stop());

  const environment = (more: Record<string, string>) => ({ ...LIMITS, ...providersAt(models), ...more });
  const chats = () => models.requests.filter(({ endpoint }) => endpoint === 'chat');

  test('a process killed in mid-turn: the turn is interrupted at the next start, the session goes on', async () => {
    const data = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: join(folder, 'killed') };
    const killed = new ServiceProcess(environment(data));
    const chat = new ChatClient(await killed.ready());
    models.script([says('Hello Ann'), says('Once upon', breaks('hang'))]);
    await chat.say({ text: 'I am Ann', sessionId: 'goes-on' });
    const stream = await chat.stream({ text: 'Tell me', sessionId: 'goes-on' });
    const told = await stream.until(({ type }) => type === 'content');
    await killed.stop('SIGKILL');

    const next = await InProcessService.start(environment(data));
    try {
      const again = new ChatClient(next);
      models.script(says('Where were we?'));
      const startedAt = performance.now();
      const { status } = await again.say({ text: 'Go on', sessionId: 'goes-on' });
      assert.equal(status, 200);
      // A lease is of 15 s; a busy machine may take some for the turn itself.
      assert.ok(performance.now() - startedAt < 12_000, 'the session waited for a lease');
      const { messages } = await again.history('goes-on');
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant', 'user', 'assistant', 'user', 'assistant'],
      );
      assert.match(messages[3]?.content ?? '', /interrupted/);
      assert.match(JSON.stringify(chats().at(-1)?.turns), /I am Ann.*Hello Ann.*Tell me.*interrupted.*Go on/);
      const rest = await (await again.follow(stream.turnId, told.at(-1)?.lastId)).rest();
      assert.deepEqual(
        rest.map(({ type, code }) => [type, code]),
        [
          ['error', 'INTERRUPTED'],
          ['done', undefined],
        ],
      );
    } finally {
      await next.stop();
    }
  });

  test('a process told to stop in mid-turn says that the turn is interrupted, and ends well', async () => {
    const data = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: join(folder, 'stopped') };
    const stopping = new ServiceProcess(environment(data));
    const chat = new ChatClient(await stopping.ready());
    models.script(says('Once upon', breaks('hang')));
    const stream = await chat.stream({ text: 'Tell me', sessionId: 'stops' });
    await stream.until(({ type }) => type === 'content');
    const waiting = await chat.stream({ text: 'And then?', sessionId: 'stops' });
    const startedAt = performance.now();
    const exit = stopping.stop();
    for (const left of [stream, waiting])
      assert.deepEqual(
        (await left.rest()).map(({ type, code }) => [type, code]),
        [
          ['error', 'INTERRUPTED'],
          ['done', undefined],
        ],
      );
    assert.equal(await exit, 0);
    assert.ok(performance.now() - startedAt < 10_000);
    assert.equal(await chats().at(-1)?.ended, true);

    const next = await InProcessService.start(environment(data));
    try {
      const { messages } = await new ChatClient(next).history('stops');
      assert.match(messages[1]?.content ?? '', /^Once upon\n\n\[.*interrupted/);
      assert.match(messages[3]?.content ?? '', /interrupted/);
    } finally {
      await next.stop();
    }
  });

  test('a session whose idle end fell into a stop is ended once, at the next start', async () => {
    const data = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: join(folder, 'idle') };
    const first = await InProcessService.start(environment(data));
    models.script(says('Hello'));
    await new ChatClient(first).say({ text: 'Hi', sessionId: 'idle' });
    await first.stop();
    for (const later of [31, 90]) {
      const now = String(TEST_NOW + later * MINUTE);
      const service = await InProcessService.start(environment({ ...data, SERVICE_TEST_NOW: now }));
      const ended = async () =>
        (await service.get<{ events: readonly unknown[] }>('/api/events?type=sessionEnded')).body.events;
      const topic = await new ChatClient(service).topic('sessionEnded&after=0');
      await topic(() => true);
      assert.equal((await new ChatClient(service).history('idle')).sessionExpired, true);
      assert.equal((await ended()).length, 1);
      await service.stop();
    }
  });

  test('a Redis that is gone in mid-turn: the reply arrives soon, and is kept once Redis is back', {
    ...skippedFor(redisIsMissing),
  }, async (t) => {
    const redis = await RedisServer.start({ appendonly: 'yes', appendfsync: 'always' });
    t.onTestFinished(() => redis.stop());
    const service = await InProcessService.start(environment({ SERVICE_KVSTORE_URL: redis.url }));
    t.onTestFinished(() => service.stop());
    const chat = new ChatClient(service);
    const gate = Promise.withResolvers<void>();
    models.script([says('Hello Ann'), says('Once ', waits(gate.promise), 'upon'), says('a time')]);
    await chat.say({ text: 'I am Ann', sessionId: 'away' });
    const stream = await chat.stream({ text: 'Tell me', sessionId: 'away' });
    await stream.until(({ type }) => type === 'content');
    await redis.kill();
    const key = { 'idempotency-key': 'once' };
    const goOn = async () => {
      gate.resolve();
      assert.equal((await stream.rest()).at(-1)?.type, 'done');
      return chat.say({ text: 'And then?', sessionId: 'away' }, key);
    };
    const next = await within(3_000, goOn());
    assert.deepEqual([next.status, next.body.text], [200, 'a time']);
    assert.match(JSON.stringify(chats().at(-1)?.turns), /Hello Ann.*Tell me.*Once upon.*And then/);
    const remembered = (await chat.history('away')).messages;
    assert.equal(remembered.length, 6);
    await redis.start();
    assert.equal((await service.ask('POST', '/api/system/reconnect-kvstore')).status, 200);
    const kept = await chat.topic('chat.reply.sent&after=0');
    await kept((data) => Object(data).turnId === next.body.metadata.turnId);
    const other = await InProcessService.start(environment({ SERVICE_KVSTORE_URL: redis.url }));
    t.onTestFinished(() => other.stop());
    const { messages } = await new ChatClient(other).history('away');
    assert.deepEqual(
      messages.map(({ content }) => content),
      remembered.map(({ content }) => content),
    );
  });

  test('two services on one Redis: turns of a session wait for each other, and it ends once', {
    ...skippedFor(redisIsMissing),
  }, async (t) => {
    const redis = await RedisServer.start();
    t.onTestFinished(() => redis.stop());
    const services = await Promise.all(
      [1, 2].map(() => InProcessService.start(environment({ SERVICE_KVSTORE_URL: redis.url }))),
    );
    t.onTestFinished(async () => {
      await Promise.all(services.map((service) => service.stop()));
    });
    const [one, two] = services.map((service) => new ChatClient(service));
    assert.ok(one && two);
    const gate = Promise.withResolvers<void>();
    models.script([says('One ', waits(gate.promise), 'more'), says('Two')]);
    const first = await one.stream({ text: 'first', sessionId: 'both' });
    const told = await first.until(({ type }) => type === 'content');
    const second = await two.stream({ text: 'second', sessionId: 'both' });
    const joined = await two.follow(first.turnId, told.at(-1)?.lastId);
    assert.equal(chats().length, 1);
    gate.resolve();
    const rest = await joined.rest();
    assert.deepEqual(
      rest.map(({ type, content }) => content ?? type),
      ['more', 'done'],
    );
    await second.rest();
    assert.match(JSON.stringify(chats().at(-1)?.turns), /One more.*second/);
    const topic = await one.topic('sessionEnded');
    await Promise.all(services.map((service) => service.advance(31 * MINUTE)));
    await topic((data) => Object(data).sessionId === 'both');
    await Promise.all(services.map((service) => service.advance(31 * MINUTE)));
    for (const service of services) {
      const { body } = await service.get<{ events: readonly unknown[] }>('/api/events?type=sessionEnded');
      assert.equal(body.events.length, 1);
    }
  });

  test('a disk that is full in mid-turn: the reply is told, no turn is begun, all is kept when there is room', {
    ...skippedFor(noSmallDisk),
  }, async (t) => {
    const place = join(folder, 'disk');
    const disk = new SmallDisk(place, 8);
    t.onTestFinished(() => disk.unmount());
    const service = await InProcessService.start(
      environment({ SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: join(place, 'data') }),
    );
    t.onTestFinished(() => service.stop());
    const chat = new ChatClient(service);
    const gate = Promise.withResolvers<void>();
    models.script([says('Hello'), says('Once ', waits(gate.promise), 'upon a time'.repeat(5_000))]);
    await chat.say({ text: 'Hi', sessionId: 'full' });
    const stream = await chat.stream({ text: 'Tell me', sessionId: 'full' });
    await stream.until(({ type }) => type === 'content');
    disk.fill();
    gate.resolve();
    assert.equal((await stream.rest()).at(-1)?.type, 'done');
    const refused = await chat.say({ text: 'And then?', sessionId: 'full' });
    assert.deepEqual([refused.status, refused.body.text], [503, undefined]);
    disk.makeRoom();
    const kept = await chat.topic('chat.reply.sent&after=0');
    await kept((data) => Object(data).turnId === stream.turnId);
    assert.equal((await chat.history('full')).count, 4);
  });

  test('no store at all: what is over makes room, what goes on stays', async (t) => {
    const service = await InProcessService.start(environment({ SERVICE_KVSTORE_URL: 'none' }));
    t.onTestFinished(() => service.stop());
    const chat = new ChatClient(service);
    models.script(says('Noted'));
    const session = { text: 'I am Ann', sessionId: 'stays' };
    const kept = await chat.say(session);
    const over = await chat.say({ text: 'by itself' });
    for (let turn = 0; turn < 500; turn++) await chat.say({ text: 'more' });
    await service.advance(2 * MINUTE);
    const path = ({ body }: typeof over) => `/api/chat/stream/${body.metadata.turnId}`;
    while ((await service.get(path(over))).status !== 404);
    assert.equal((await service.get(path(kept))).status, 200);
    await chat.say({ text: 'Who am I?', sessionId: 'stays' });
    assert.match(JSON.stringify(chats().at(-1)?.turns), /I am Ann.*Noted.*Who am I/);
    assert.equal((await chat.history('stays')).count, 4);
  });

  test('no store at all: chat, tasks and streams work, with sessions in memory', async (t) => {
    const service = await InProcessService.start(environment({ SERVICE_KVSTORE_URL: 'none' }));
    t.onTestFinished(() => service.stop());
    const chat = new ChatClient(service);
    models.script([says('Hello Ann'), says('You are Ann'), says('Done')]);
    await chat.say({ text: 'I am Ann', sessionId: 'memory' });
    const stream = await chat.stream({ text: 'Who am I?', sessionId: 'memory' });
    assert.equal((await stream.rest()).at(-1)?.type, 'done');
    assert.match(JSON.stringify(chats().at(-1)?.turns), /Hello Ann/);
    assert.equal((await (await chat.follow(stream.turnId)).rest()).at(-1)?.type, 'done');
    assert.equal((await chat.history('memory')).count, 4);
    assert.equal((await service.ask('POST', '/api/tasks', { body: { topic: 'x' } })).status, 200);
    await service.advance(31 * MINUTE);
    while (!(await chat.history('memory')).sessionExpired);
  });
});
