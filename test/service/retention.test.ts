import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';
import { ChatClient, LIMITS } from './chatClient.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

describe('an episode whose time is over', () => {
  const directory = temporaryFolder('retention');
  let models: ScriptedModels;
  let service: InProcessService;
  let chat: ChatClient;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    const store = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models), ...store });
    chat = new ChatClient(service);
    await unsetBackgroundSlots(service);
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  // A name of a user may be one that every object knows.
  for (const user of ['ann', '__proto__', 'constructor'])
    test(`is forgotten, with its words, for the user ${user}`, async () => {
      const as = { 'x-user-id': user };
      const city = `Zandvoort-${user.length}`;
      models.script(says('How nice'));
      await chat.say({ text: `I hiked from ${city} to Bloemendaal in May.`, sessionId: 'hike' }, as);
      const kept = await chat.topic('memory.episode.created', as);
      await chat.end('hike', as);
      await kept(() => true);
      const told = async () => (await service.get('/api/events?limit=1000', as)).text;
      assert.ok((await told()).includes(city));
      const expired = await chat.topic('memory.episodes.expired', as);
      await service.advance(31 * DAY);
      await expired(() => true);
      const { body } = await service.get('/api/memory/episodes', as);
      assert.deepEqual(body.episodes, []);
      assert.equal((await told()).includes(city), false);
    });
});

describe('a conversation that no episode tells of', () => {
  const directory = temporaryFolder('retention-untold');
  let models: ScriptedModels;
  beforeAll(async () => {
    models = await ScriptedModels.start();
  });
  afterAll(() => models.stop());

  test('is forgotten when its time is over, across a restart', async (t) => {
    const store = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
    const environment = { ...LIMITS, ...providersAt(models), ...store };
    const first = await InProcessService.start(environment);
    await unsetBackgroundSlots(first);
    const chat = new ChatClient(first);
    const optedOut = { 'x-user-id': 'opted-out' };
    await first.put('/api/users/opted-out/preferences', { persistMemory: false }, optedOut);
    const settled = [await chat.topic('memory.conversation.consolidated')];
    settled.push(await chat.topic('memory.conversation.consolidated', optedOut));
    await chat.say({ text: 'hello from Trifleton', sessionId: 'trifle' });
    await chat.say({ text: 'ok Stateless' });
    await chat.say({ text: 'I moved to Optville.', sessionId: 'opted' }, optedOut);
    await chat.end('trifle');
    await chat.end('opted', optedOut);
    for (const isSettled of settled) await isSettled(() => true);
    await first.stop();

    const service = await InProcessService.start(environment);
    t.onTestFinished(() => service.stop());
    const again = new ChatClient(service);
    await service.advance(29 * DAY);
    await again.say({ text: 'ok Later', sessionId: 'trifle' });
    const told = async () =>
      (await service.get('/api/events?limit=1000')).text +
      (await service.get('/api/events?limit=1000', optedOut)).text;
    const words = ['Trifleton', 'Stateless', 'Optville', 'Later'];
    const before = await told();
    for (const word of words) assert.ok(before.includes(word), word);
    const expired = [await again.topic('memory.conversations.expired')];
    expired.push(await again.topic('memory.conversations.expired', optedOut));
    await service.advance(2 * DAY);
    for (const isExpired of expired) await isExpired(() => true);
    const left = await told();
    assert.deepEqual(
      words.filter((word) => left.includes(word)),
      ['Later'],
    );
    const { messages } = await again.history('trifle');
    assert.equal(JSON.stringify(messages).includes('Trifleton'), false);
  });

  test('is forgotten once by two processes', { ...skippedFor(redisIsMissing) }, async (t) => {
    const redis = await RedisServer.start();
    t.onTestFinished(() => redis.stop());
    const environment = { ...LIMITS, ...providersAt(models), SERVICE_KVSTORE_URL: redis.url };
    const services = [await InProcessService.start(environment), await InProcessService.start(environment)];
    t.onTestFinished(async () => {
      await Promise.all(services.map((service) => service.stop()));
    });
    const [one] = services;
    assert.ok(one);
    await unsetBackgroundSlots(one);
    const chat = new ChatClient(one);
    for (const count of [1, 2, 3]) await chat.say({ text: `ok Trifleton ${count}` });
    const expired = await chat.topic('memory.conversations.expired');
    let isExpired = false;
    const heard = expired((data) => Object(data).conversationIds.length > 0).then(() => {
      isExpired = true;
    });
    await Promise.all(services.map((service) => service.advance(31 * DAY)));
    // It is looked again each hour, should a reply not have been thought about yet.
    while (!isExpired) await Promise.all(services.map((service) => service.advance(HOUR)));
    await heard;
    for (let hour = 0; hour < 3; hour++) await Promise.all(services.map((service) => service.advance(HOUR)));
    const { body, text } = await one.get<{ events: { data: { conversationIds: string[] } }[] }>(
      '/api/events?limit=1000&type=memory.conversations.expired',
    );
    const gone = body.events.flatMap(({ data }) => data.conversationIds);
    assert.deepEqual([gone.length, new Set(gone).size], [3, 3], text);
    assert.equal((await one.get('/api/events?limit=1000')).text.includes('Trifleton'), false);
  });
});
