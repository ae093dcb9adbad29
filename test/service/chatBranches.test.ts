import assert from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { says, waits } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';
import { ChatClient } from './chatClient.ts';

interface Turns {
  readonly turns: readonly {
    readonly turnId: string;
    readonly text: string | null;
    readonly at: number;
    readonly isOpen: boolean;
    readonly versions?: readonly string[];
  }[];
  readonly hasMore: boolean;
}

describe('a question that is edited and asked again', () => {
  const set = modelledService();
  let chat: ChatClient;
  beforeAll(() => {
    chat = new ChatClient(set.service);
  });
  const say = async (sessionId: string, text: string, over: Record<string, unknown> = {}) => {
    set.models.script(({ lastText }) => says(`To ${lastText}`));
    const { status, body } = await chat.say({ text, sessionId, ...over });
    assert.equal(status, 200, JSON.stringify(body));
    return String(body.metadata.turnId);
  };
  const turns = async (id: string, query = '') =>
    (await set.service.get<Turns>(`/api/chat/sessions/${id}/turns${query}`)).body;
  const texts = async (id: string, query = '') => (await turns(id, query)).turns.map(({ text }) => text);
  const asked = async (id: string) =>
    (await chat.history(id)).messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
  const choose = (id: string, turnId: string, headers = {}) =>
    set.service.ask('PUT', `/api/chat/sessions/${id}/branch`, { body: { turnId }, headers });
  const told = () => set.models.requests.findLast(({ endpoint }) => endpoint === 'chat')?.body;
  const tick = () => set.service.ask('POST', '/api/test/clock', { body: { advanceMs: 1_000 } });

  test('stands in place of the old one and of all that followed, for model and reader', async () => {
    await say('tea', 'Hello there');
    const second = await say('tea', 'Which tea is green?');
    await say('tea', 'And how long does it draw?');
    const edited = await say('tea', 'Which tea is black?', { replaces: second });
    assert.deepEqual(await asked('tea'), ['Hello there', 'Which tea is black?']);
    assert.deepEqual(await texts('tea'), ['Hello there', 'Which tea is black?']);
    const prompt = JSON.stringify(told());
    assert.match(prompt, /Hello there.*Which tea is black/);
    assert.doesNotMatch(prompt, /green|draw/);
    const shown = await turns('tea');
    assert.deepEqual(
      shown.turns.map(({ versions }) => versions),
      [undefined, [second, edited]],
    );
    await say('tea', 'Go on');
    assert.doesNotMatch(JSON.stringify(told()), /green|draw/);
    assert.deepEqual(await asked('tea'), ['Hello there', 'Which tea is black?', 'Go on']);
  });

  test('can be taken back: the old path goes on where it was left', async () => {
    const first = await say('back', 'One');
    await say('back', 'Two');
    const other = await say('back', 'One otherwise', { replaces: first });
    assert.deepEqual(await choose('back', first).then(({ status, body }) => [status, body]), [
      200,
      { sessionId: 'back', turnId: first },
    ]);
    assert.deepEqual(await asked('back'), ['One', 'Two']);
    await say('back', 'Three');
    assert.match(JSON.stringify(told()), /One.*Two.*Three/);
    assert.doesNotMatch(JSON.stringify(told()), /otherwise/);
    await choose('back', other);
    assert.deepEqual(await texts('back'), ['One otherwise']);
    // What is chosen already is no change.
    const events = async () =>
      (await set.service.get<{ events: unknown[] }>('/api/events?type=chat.branch.chosen')).body.events
        .length;
    const before = await events();
    assert.equal((await choose('back', other)).status, 200);
    assert.equal(await events(), before);
  });

  test('may be asked again unchanged, as often as one likes, from either version', async () => {
    const first = await say('again', 'Toss a coin');
    const second = await say('again', 'Toss a coin', { replaces: first });
    const third = await say('again', 'Toss a coin', { replaces: first });
    const [shown] = (await turns('again')).turns;
    assert.deepEqual([shown?.turnId, shown?.versions], [third, [first, second, third]]);
  });

  test('is seen as it was, page by page, and found by what stands in it alone', async () => {
    await say('past', 'A word about herons');
    const second = await say('past', 'A word about storks');
    const then = (await turns('past')).turns.at(-1)?.at ?? 0;
    await tick();
    await say('past', 'A word about cranes', { replaces: second });
    await say('past', 'A word about owls');
    assert.deepEqual(await texts('past', `?at=${then}`), ['A word about herons', 'A word about storks']);
    assert.deepEqual(await texts('past', '?limit=2'), ['A word about cranes', 'A word about owls']);
    const { turns: page, hasMore } = await turns('past', '?limit=2');
    assert.ok(hasMore);
    assert.deepEqual(await texts('past', `?limit=2&before=${page[0]?.turnId}`), ['A word about herons']);
    assert.deepEqual(await texts('past', `?limit=2&before=${second}`), ['A word about herons']);
    const found = async (query: string) => {
      const { body } = await set.service.get<{ sessions: { sessionId: string; excerpt: string }[] }>(
        `/api/chat/sessions?query=${query}`,
      );
      return body.sessions.map(({ sessionId, excerpt }) => [sessionId, excerpt]);
    };
    assert.deepEqual(await found('storks'), []);
    assert.deepEqual(await found('word%20about'), [['past', 'To A word about owls']]);
    await choose('past', second);
    assert.deepEqual(await found('storks'), [['past', 'To A word about storks']]);
    assert.deepEqual(await found('cranes'), []);
  });

  test('names the session by its first question as it stands', async () => {
    const first = await say('title', 'Tell me about Olso');
    await say('title', 'Tell me about Oslo', { replaces: first });
    const titles = async () => {
      const { body } = await set.service.get<{ sessions: { sessionId: string; title: string }[] }>(
        '/api/chat/sessions',
      );
      return body.sessions.find(({ sessionId }) => sessionId === 'title')?.title;
    };
    assert.equal(await titles(), 'Tell me about Oslo');
    await choose('title', first);
    assert.equal(await titles(), 'Tell me about Olso');
  });

  test('is refused while a turn runs, of what is not there, and of what has ended', async () => {
    const first = await say('bad', 'One');
    const edit = (replaces: unknown, over = {}, headers = {}) =>
      chat.say({ text: 'Otherwise', sessionId: 'bad', replaces, ...over }, headers);
    assert.equal((await edit('unknown')).status, 404);
    assert.equal((await edit('not an id!')).status, 400);
    assert.equal((await edit(first, { sessionId: undefined })).status, 400);
    assert.equal((await edit(first, { sessionId: 'other' })).status, 404);
    assert.equal((await edit(first, {}, { 'x-user-id': 'eve' })).status, 404);
    assert.equal((await choose('bad', 'unknown')).status, 404);
    assert.equal((await choose('other', first)).status, 404);
    assert.equal((await choose('bad', first, { 'x-user-id': 'eve' })).status, 404);
    set.models.script(says(waits(new Promise(() => {}))));
    const running = await chat.stream({ text: 'Two', sessionId: 'bad' });
    const refused = await edit(first);
    assert.deepEqual([refused.status, Object(refused.body).turnId], [409, running.turnId]);
    assert.equal((await edit(running.turnId)).status, 409);
    await chat.cancel(running.turnId);
    await say('bad', 'Otherwise', { replaces: first });
    assert.deepEqual(await asked('bad'), ['Otherwise']);
    await chat.end('bad');
    assert.equal((await edit(first)).status, 409);
    assert.equal((await choose('bad', first)).status, 409);
    await say('bad', 'Begun anew');
    assert.equal((await edit(first)).status, 409);
    assert.deepEqual(
      (await turns('bad')).turns.map(({ text, isOpen }) => [text, isOpen]),
      [
        ['Otherwise', false],
        ['Begun anew', true],
      ],
    );
  });

  test('is one turn when it is said twice under one key, also while it runs', async () => {
    const first = await say('key', 'One');
    set.models.script(says('Once'));
    const body = { text: 'One more', sessionId: 'key', replaces: first };
    const [one, two] = await Promise.all([1, 2].map(() => chat.say(body, { 'idempotency-key': 'edit' })));
    const three = await chat.say(body, { 'idempotency-key': 'edit' });
    assert.deepEqual([one?.status, two?.status, three.status], [200, 200, 200]);
    assert.equal(new Set([one, two, three].map((all) => all?.body.metadata.turnId)).size, 1);
    assert.equal((await turns('key')).turns[0]?.versions?.length, 2);
  });

  test('streams like any other', async () => {
    const first = await say('stream', 'One');
    set.models.script(says('Streamed'));
    const stream = await chat.stream({ text: 'Two', sessionId: 'stream', replaces: first });
    assert.equal((await stream.rest()).at(-1)?.type, 'done');
    assert.deepEqual((await turns('stream')).turns[0]?.versions, [first, stream.turnId]);
  });

  test('is forgotten with the session on every path', async () => {
    const first = await say('gone', 'A word about walruses');
    await say('gone', 'A word about seals', { replaces: first });
    const { status } = await set.service.ask('DELETE', '/api/chat/sessions/gone?forget=true');
    assert.equal(status, 200);
    assert.deepEqual(await texts('gone'), []);
    const { body } = await set.service.get<unknown>('/api/events?limit=1000');
    assert.doesNotMatch(JSON.stringify(body), /walrus|seals/);
  });
});
