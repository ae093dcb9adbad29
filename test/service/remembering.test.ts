import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { bytesOf } from '../support/dataDirectory.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { EventReader, InProcessService } from '../support/service.ts';

const LIMITS = { API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000' };

interface Conclusions {
  readonly conclusions: readonly { id: string; text: string; sources: string[] }[];
}

interface Episodes {
  readonly episodes: readonly {
    id: string;
    type: string;
    summary: string;
    sessionId: string;
    importance: number;
  }[];
}

interface Reply {
  readonly text: string;
  readonly metadata: { readonly recalled: readonly string[] };
}

describe('what is said', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-remembering-'));
  let models: ScriptedModels;
  let service: InProcessService;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    const store = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models), ...store });
    // No model but the one that talks: what is remembered is remembered without.
    await unsetBackgroundSlots(service);
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
    rmSync(directory, { recursive: true });
  });

  const say = async (text: string, sessionId: string, headers = {}) => {
    models.script(says('I see.'));
    const body = { text, sessionId };
    return (await service.ask<Reply>('POST', '/api/chat', { body, headers })).body;
  };
  /** Ends a session, and resolves when what it came to is settled. */
  const end = async (sessionId: string, headers = {}) => {
    const topics = '/api/events/stream?topics=memory.conversation.consolidated&after=0';
    const reader = await EventReader.open(service.url + topics, headers);
    await service.ask('DELETE', `/api/chat/sessions/${sessionId}`, { headers });
    for (;;) {
      const message = await reader.next();
      assert(message);
      if (message.data && JSON.parse(message.data).data.sessionId === sessionId) break;
    }
    reader.close();
  };
  const episodes = async (headers = {}) =>
    (await service.get<Episodes>('/api/memory/episodes', headers)).body.episodes;
  const conclusions = async (headers = {}) =>
    (await service.get<Conclusions>('/api/memory/conclusions', headers)).body.conclusions;

  test('is erased with what is believed because of it, or named as what still holds it', async () => {
    const headers = { 'x-user-id': 'forgetter' };
    const erase = (id: string, query = '') =>
      service.ask<{ episodes: string[]; wordsErased: boolean }>(
        'DELETE',
        `/api/memory/conclusions/${id}${query}`,
        {
          headers,
        },
      );
    await say('I live in Egmond and my sister is called Quirina.', 'egmond', headers);
    await end('egmond', headers);
    const [first, second] = await conclusions(headers);
    const kept = await erase(first?.id ?? '');
    assert.deepEqual([kept.body.episodes, kept.body.wordsErased], [first?.sources, false]);
    assert.equal((await episodes(headers)).length, 1);
    const gone = await erase(second?.id ?? '', '?words=true');
    assert.deepEqual([gone.body.episodes, gone.body.wordsErased], [[], true]);
    assert.deepEqual([await episodes(headers), await conclusions(headers)], [[], []]);
    for (const [name, bytes] of bytesOf(directory)) assert.ok(!bytes.includes('Quirina'), name);
    assert.equal((await erase('constructor', '?words=true')).status, 404);
  });

  test('is erased with a belief while the session goes on, which goes on', async () => {
    const headers = { 'x-user-id': 'impatient' };
    await say('Remember that my locker is called Quokka.', 'open', headers);
    const [belief] = await conclusions(headers);
    const { status, body } = await service.ask<{ wordsErased: boolean }>(
      'DELETE',
      `/api/memory/conclusions/${belief?.id}?words=true`,
      { headers },
    );
    assert.deepEqual([status, body.wordsErased], [200, true]);
    const told = async () => (await service.get('/api/events?limit=1000', headers)).text;
    const history = async () => (await service.get('/api/chat/history/open', headers)).text;
    assert.doesNotMatch((await told()) + (await history()), /Quokka/);
    assert.equal((await say('I live in Egmond now.', 'open', headers)).text, 'I see.');
    assert.match(await history(), /Egmond/);
    await end('open', headers);
    assert.doesNotMatch(JSON.stringify(await conclusions(headers)), /Quokka/);
    for (const [name, bytes] of bytesOf(directory)) assert.ok(!bytes.includes('Quokka'), name);
  });

  test('is remembered when the session ends, and told to the model in the next one', async () => {
    await say('By the way, I live in Zandvoort and my sister is called Mirjam.', 'first');
    await end('first');
    const [episode] = (await episodes()).filter(({ type }) => type === 'conversation');
    assert.equal(episode?.sessionId, 'first');
    assert.match(episode?.summary ?? '', /Zandvoort/);
    assert.equal(String(episode?.importance).length <= 5, true, 'importance shows the error of its division');
    const texts = (await conclusions()).map(({ text }) => text);
    assert.ok(
      texts.some((text) => text.includes('Zandvoort')),
      texts.join(' '),
    );
    const reply = await say('What is the name of my sister?', 'second');
    assert.notDeepEqual(reply.metadata.recalled, []);
    const told = JSON.stringify(models.requests.at(-1)?.body);
    assert.match(told, /<(memory-[0-9a-f]{16})>.*Mirjam.*<\/\1>/s);
  });

  test('is found by a detail that no summary kept', async () => {
    const chatter = Array.from(
      { length: 6 },
      (_, n) => `Let us talk about topic number ${n} in my garden for a while.`,
    );
    for (const text of [...chatter, 'The spare key lies under the blue flowerpot.'])
      await say(text, 'garden');
    await end('garden');
    const found = await service.get<{ results: { sessionId: string; match: { text: string } }[] }>(
      '/api/memory/search?q=where is the spare key',
    );
    assert.equal(found.body.results[0]?.sessionId, 'garden');
    assert.match(found.body.results[0]?.match.text ?? '', /blue flowerpot/);
  });

  test('is gone from everywhere when its episode is erased', async () => {
    const ann = { 'x-user-id': 'ann' };
    await say('My secret hiding place is Quixomarble Lane.', 'secret', ann);
    await end('secret', ann);
    for (const { id } of await episodes(ann))
      await service.ask('DELETE', `/api/memory/episodes/${id}`, { headers: ann });
    assert.deepEqual(await episodes(ann), []);
    const { text } = await service.get('/api/memory/search?q=Quixomarble', ann);
    assert.doesNotMatch(text, /Lane/);
    for (const [name, bytes] of bytesOf(directory)) assert.ok(!bytes.includes('Quixomarble'), name);
  });

  test('by itself is not kept, unless it is a task or says something of the user', async () => {
    const eve = { 'x-user-id': 'eve' };
    const dealtWith = await EventReader.open(
      `${service.url}/api/events/stream?topics=memory.episode.created`,
      eve,
    );
    const lore = 'The lighthouse of Skagen was built of yellow brick by N. S. Nebelong in 1858.';
    models.script(says(lore));
    const ask = (path: string, body: object) => service.ask<Reply>('POST', path, { body, headers: eve });
    assert.equal((await ask('/api/chat', { text: 'Tell me of the lighthouse of Skagen' })).status, 200);
    assert.equal((await ask('/api/chat', { text: 'I prefer answers in Danish.' })).status, 200);
    assert.equal(
      (
        await ask('/api/tasks', {
          topic: 'Sum up who built the lighthouse of Skagen, when and of which bricks',
        })
      ).status,
      200,
    );
    for (let seen = 0; seen < 2; ) if ((await dealtWith.next())?.data?.includes('episodeId')) seen++;
    dealtWith.close();
    assert.deepEqual((await episodes(eve)).map(({ type }) => type).sort(), ['preference', 'task']);
  });

  test('that only repeats what was remembered is not kept, and goes with it', async () => {
    const fay = { 'x-user-id': 'fay' };
    const stated = await service.ask<{ conclusion: { id: string } }>('POST', '/api/memory/conclusions', {
      body: { text: 'The user keeps bees on the roof of the Quodlibet mill.' },
      headers: fay,
    });
    const reader = await EventReader.open(
      `${service.url}/api/events/stream?topics=memory.episode.created`,
      fay,
    );
    models.script(says('You keep bees on the roof of the Quodlibet mill.'));
    const ask = (path: string, body: object) => service.ask<Reply>('POST', path, { body, headers: fay });
    await ask('/api/tasks', { topic: 'List every place in town where I keep bees, and their hives' });
    await ask('/api/chat', { text: 'Where are my bees? I prefer short answers.' });
    await ask('/api/chat', { text: 'And where do I keep bees? I work on a boat.', sessionId: 'bees' });
    await end('bees', fay);
    // The preference and the conversation are made by sagas, each in its own time.
    assert.ok((await reader.next())?.data);
    assert.ok((await reader.next())?.data);
    reader.close();
    const path = `/api/memory/conclusions/${stated.body.conclusion.id}`;
    assert.equal((await service.ask('DELETE', path, { headers: fay })).status, 200);
    const kept = await episodes(fay);
    assert.deepEqual(kept.map(({ type }) => type).sort(), ['conversation', 'preference']);
    assert.doesNotMatch(JSON.stringify(kept), /Quodlibet/);
    const found = await service.get<{ results: object[] }>('/api/memory/search?q=Quodlibet mill', fay);
    assert.deepEqual(found.body.results, []);
    await ask('/api/chat', { text: 'Where is the mill on which roof I keep bees?' });
    assert.doesNotMatch(JSON.stringify(models.requests.at(-1)?.body), /Quodlibet/);
  });

  test('of trifles is not kept', async () => {
    const ben = { 'x-user-id': 'ben' };
    await say('Hi', 'hello', ben);
    await end('hello', ben);
    assert.deepEqual(await episodes(ben), []);
  });

  test('is not remembered of a user who does not want that', async () => {
    const cleo = { 'x-user-id': 'cleo' };
    await service.ask('PUT', '/api/users/cleo/preferences', {
      body: { persistMemory: false },
      headers: cleo,
    });
    await say('I live in Bergen and I am allergic to nuts.', 'private', cleo);
    await end('private', cleo);
    assert.deepEqual([await episodes(cleo), await conclusions(cleo)], [[], []]);
  });

  test('is kept at once when it is a correction', async () => {
    const dora = { 'x-user-id': 'dora' };
    await say('I live in Bremen.', 'moves', dora);
    await end('moves', dora);
    const topics = '/api/events/stream?topics=memory.episode.created';
    const reader = await EventReader.open(service.url + topics, dora);
    await say('Actually, I moved from Bremen to Leeds.', 'moves again', dora).catch(() => undefined);
    await say('Actually, I no longer live in Bremen, I live in Leeds now.', 'again', dora);
    while (!(await reader.next())?.data?.includes('episodeId'));
    reader.close();
    const texts = (await conclusions(dora)).map(({ text }) => text).join(' ');
    assert.match(texts, /Leeds/);
    assert.doesNotMatch(texts, /lives in Bremen/);
  });
});
