import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import type { ModelRequest } from '../../src/demo/model/request.ts';
import { embeds } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../support/models/environment.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { SearchModule } from '../support/searchModule.ts';
import { EventReader, InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

const LIMITS = { API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000' };
const SLOTS = {
  chat: { provider: 'local-runner', model: 'qwen3:8b' },
  embedding: { provider: 'local-runner', model: 'nomic-embed-text' },
  classification: null,
};

interface Hit {
  readonly id: string;
  readonly matchType: string;
}

/** What the scripted model understands: a text is about animals, or it is not. */
const understands = ({ texts }: ModelRequest) =>
  embeds(...texts.map((text) => (/cat|whiskers|animal/i.test(text) ? [1, 0.1] : [0, 1])));

describe('memory on a Redis', { ...skippedFor(redisIsMissing) }, () => {
  let models: ScriptedModels;
  let redis: RedisServer;
  let module: SearchModule;
  let service: InProcessService;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    redis = await RedisServer.start();
    module = await SearchModule.start(redis);
  });
  beforeEach(async () => {
    const client = redis.client();
    await client.flushall();
    client.disconnect();
    module.indexes.clear();
    module.refusal = undefined;
    models.script(understands, { endpoint: 'embed' });
  });
  afterEach(async () => {
    await service.stop();
    models.reset();
  });
  afterAll(async () => {
    await module.stop();
    await redis.stop();
    await models.stop();
  });

  const start = async (url: string, environment: Record<string, string> = {}) => {
    const store = { SERVICE_KVSTORE_URL: url, ...environment };
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models), ...store });
    const { status, text } = await service.put('/api/slots', { slots: SLOTS });
    assert.equal(status, 200, text);
  };
  const remember = async (user: string, content: string) => {
    const sessions = [{ id: user, startedAt: 1_690_000_000_000, messages: [{ role: 'user', content }] }];
    const body = { source: 'conversation', content: { sessions } };
    await service.ask('POST', '/api/memory/import', { body, headers: { 'x-user-id': user } });
    const topics = '/api/events/stream?topics=memory.vectors.made&after=0';
    const reader = await EventReader.open(service.url + topics, { 'x-user-id': user });
    assert.equal((await reader.next())?.event, 'memory.vectors.made');
    reader.close();
  };
  const find = async (user: string, query: string) => {
    const path = `/api/memory/search?q=${encodeURIComponent(query)}`;
    return (await service.get<{ results: Hit[] }>(path, { 'x-user-id': user })).body.results;
  };
  const howFound = async (user: string, query: string) =>
    (await find(user, query)).map(({ matchType }) => matchType);
  const note = async () => {
    const { status, body } = await service.get<{ note?: string }>('/health/memory-semantic');
    assert.equal(status, 200);
    return body.note ?? '';
  };
  const queriesAsked = () => models.requests.filter(({ texts }) => texts.includes('animal')).length;

  test('with its search module, what is meant is found there, of each user alone', async () => {
    await start(module.url);
    await remember('ann', 'Whiskers slept on the sofa again.');
    await remember('ben', 'We went sailing.');
    assert.deepEqual(await howFound('ann', 'animal'), ['semantic']);
    assert.deepEqual(await howFound('ben', 'animal'), []);
    assert.ok(module.asked.some(([command]) => command === 'FT.SEARCH'));
    // Of each of them the summary and the turn.
    await howFound('ben', 'boat');
    assert.equal(await note(), '4 documents loaded, 32 bytes');
  });

  test('what is erased is gone from there, and what another process keeps is found', async () => {
    await start(module.url);
    await remember('ann', 'Whiskers slept on the sofa again.');
    const [hit] = await find('ann', 'animal');
    assert.ok(hit);
    await service.stop();
    await start(module.url);
    assert.deepEqual(await howFound('ann', 'animal'), ['semantic']);
    await service.ask('DELETE', `/api/memory/episodes/${hit.id}`, { headers: { 'x-user-id': 'ann' } });
    const client = redis.client();
    const left = await client.keys('{hark}:vectors:*');
    client.disconnect();
    assert.deepEqual(left, []);
    assert.deepEqual(await howFound('ann', 'animal'), []);
  });

  test('what Redis does not have any more is drawn from the log again', async () => {
    await start(module.url);
    await remember('ann', 'Whiskers slept on the sofa again.');
    assert.deepEqual(await howFound('ann', 'animal'), ['semantic']);
    await service.stop();
    const client = redis.client();
    await client.del(...(await client.keys('{hark}:vectors*')));
    client.disconnect();
    module.indexes.clear();
    const asked = models.requests.length;
    await start(module.url);
    assert.deepEqual(await howFound('ann', 'animal'), ['semantic']);
    const texts = models.requests.slice(asked).flatMap((request) => request.texts);
    assert.deepEqual(texts, ['animal']);
  });

  test('a module that fails leaves the words', async () => {
    await start(module.url);
    await remember('ann', 'Whiskers slept on the sofa again.');
    assert.deepEqual(await howFound('ann', 'animal'), ['semantic']);
    module.refusal = 'Timeout limit was reached';
    assert.deepEqual(await howFound('ann', 'sofa'), ['keyword']);
    assert.match(service.logged, /vector search/);
    assert.doesNotMatch(service.logged, /Whiskers/);
  });

  test('without its search module words have to do, and the health check says why', async () => {
    await start(redis.url);
    await remember('ann', 'Whiskers slept on the sofa again.');
    assert.deepEqual(await howFound('ann', 'animal'), []);
    assert.deepEqual(await howFound('ann', 'sofa'), ['keyword']);
    assert.equal(queriesAsked(), 0);
    assert.equal(
      await note(),
      'Redis has no search module, or one that is too old (it does not know FT._LIST): memory is searched by words',
    );
  });

  test('without it, who wants that searches in the process', async () => {
    await start(redis.url, { SERVICE_MEMORY_VECTORS: 'process' });
    await remember('ann', 'Whiskers slept on the sofa again.');
    assert.deepEqual(await howFound('ann', 'animal'), ['semantic']);
  });
});
