import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { failureNames } from '../../../src/demo/model/failures.ts';
import {
  breaks,
  embeds,
  fails,
  resets,
  says,
  sends,
  sendsPieces,
  silent,
  waits,
} from '../../../src/demo/model/script.ts';
import { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';
import { providerIds } from '../../../src/vocabulary.ts';

describe('a scripted model server', () => {
  let models: ScriptedModels;
  let client: OpenAI;

  beforeAll(async () => {
    models = await ScriptedModels.start();
    client = new OpenAI({ apiKey: 'key', baseURL: models.url('cloud-b'), maxRetries: 0, logLevel: 'off' });
  });
  afterEach(() => models.reset());
  afterAll(() => models.stop());

  const ask = (content = 'Hello?', model = 'm', signal?: AbortSignal) =>
    client.chat.completions.create(
      { model, messages: [{ role: 'user', content }], stream: true },
      { ...(signal ? { signal } : {}) },
    );

  async function heard(content?: string, model?: string): Promise<string> {
    let all = '';
    for await (const { choices } of await ask(content, model)) all += choices[0]?.delta.content ?? '';
    return all;
  }

  test('answers by model, by text, in order, once and always', async () => {
    models.script(says('always'));
    models.script(says('of m2'), { model: 'm2' });
    models.script(says('of weather'), { contains: 'weather' });
    models.script([says('first'), says('second')]);
    models.script((request) => (request.lastText === '1+1' ? says('2') : undefined), { times: 1 });
    assert.equal(models.unused, 3);
    assert.equal(await heard(), 'first');
    assert.equal(await heard('1+1'), 'second', 'what comes first in order comes first');
    assert.equal(await heard('1+1'), '2');
    assert.equal(models.unused, 0);
    assert.equal(await heard('1+1'), 'always');
    assert.equal(await heard('The weather?'), 'of weather');
    assert.equal(await heard('Hello?', 'm2'), 'of m2');
  });

  test('says so when nothing is scripted', async () => {
    await assert.rejects(heard('Who?'), /Nothing is scripted for m: Who\?/);
    const answer = await fetch(`${models.url('cloud-b')}/elsewhere`);
    assert.equal(answer.status, 404);
  });

  test('embeds as scripted', async () => {
    models.script(embeds([1, 0], [0, 1]), { endpoint: 'embed' });
    const { data } = await client.embeddings.create({ model: 'e', input: ['a', 'b'] });
    assert.deepEqual(
      data.map(({ embedding }) => [...embedding]),
      [
        [1, 0],
        [0, 1],
      ],
    );
  });

  test('accepts the keys that it is told', async () => {
    models.script(says('Hello'));
    models.acceptKeys('cloud-b', 'another');
    await assert.rejects(heard(), OpenAI.AuthenticationError);
    models.acceptKeys('cloud-b', 'another', 'key');
    assert.equal(await heard(), 'Hello');
  });

  test('goes on when the test says so', async () => {
    const gate = Promise.withResolvers<void>();
    models.script(says('before', waits(gate.promise), 'after'));
    const parts = (await ask())[Symbol.asyncIterator]();
    await parts.next();
    assert.equal((await parts.next()).value?.choices[0]?.delta.content, 'before');
    const next = parts.next();
    gate.resolve();
    assert.equal((await next).value?.choices[0]?.delta.content, 'after');
  });

  test('notices that a client goes away, before the headers and after', async () => {
    for (const reply of [silent(), says('a', breaks('hang')), { ...says('a'), delayMs: 600_000 }]) {
      models.reset();
      models.script(reply);
      const leaving = new AbortController();
      const asked = ask('Hello?', 'm', leaving.signal).then(async (stream) => {
        for await (const { choices } of stream) if (choices[0]?.delta.content === 'a') leaving.abort();
      });
      const request = await models.request(1);
      assert.equal(request.closedEarly, false);
      if (!('items' in reply) || 'delayMs' in reply) leaving.abort();
      await asked.catch(() => undefined);
      assert.equal(await request.ended, true);
      assert.equal(request.closedEarly, true);
    }
  });

  test('does not take an end of its own for a client that went away', async () => {
    for (const reply of [says('a'), says('a', breaks('reset')), resets(), fails('billing')]) {
      models.reset();
      models.script(reply);
      await heard().catch(() => undefined);
      assert.equal(await models.requests[0]?.ended, false);
    }
  });

  test('resets before the headers, and is not there at all', async () => {
    models.script(resets());
    await assert.rejects(heard(), OpenAI.APIConnectionError);
    await models.refuse();
    await assert.rejects(heard(), OpenAI.APIConnectionError);
    await models.listen();
    models.reset();
    models.script(says('back'));
    assert.equal(await heard(), 'back');
  });

  test('sends what no protocol foresees', async () => {
    models.script(sends(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' }));
    await assert.rejects(heard(), OpenAI.InternalServerError);
    models.script(sends(200, '', { 'content-type': 'text/event-stream' }));
    assert.equal(await heard(), '');
    models.script(sends(200, '{"data":['), { endpoint: 'models' });
    await assert.rejects(client.models.list(), SyntaxError);
    models.script(sendsPieces('text/event-stream', 'data: {"choices":[]}\n\n', breaks('reset')));
    await assert.rejects(heard(), /terminated|other side closed|aborted|Connection error/i);
  });

  test('paces its frames', async () => {
    models.script({ ...says('a', 'b', 'c'), paceMs: 0 });
    const url = new URL(`${models.url('cloud-b')}/chat/completions`);
    const request = httpRequest(url, { method: 'POST' });
    request.end('{"model":"m","stream":true}');
    const [response] = await once(request, 'response');
    let pieces = 0;
    for await (const _ of response) pieces++;
    assert.ok(pieces > 1, `${pieces}`);
  });

  test('has words for every failure of every provider', async () => {
    const paths = {
      'cloud-a': '/v1/messages',
      'cloud-b': '/chat/completions',
      gateway: '/chat/completions',
      'local-runner': '/api/chat',
    };
    for (const provider of providerIds) {
      for (const failure of failureNames) {
        models.reset();
        models.script(fails(failure));
        const answer = await fetch(models.url(provider) + paths[provider], {
          method: 'POST',
          body: '{"model":"m"}',
        });
        assert.ok(answer.status >= 400, `${provider} ${failure}`);
        assert.ok((await answer.text()).length > 0);
      }
    }
  });

  test('serves a hundred streams at once', async () => {
    const CHUNKS = 500;
    models.script(says(...Array.from({ length: CHUNKS }, (_, index) => `word${index} `)));
    const frames = await Promise.all(Array.from({ length: 100 }, () => countFrames(models)));
    // The role, the reason to stop, and the end.
    assert.ok(frames.every((count) => count === CHUNKS + 3));
  });
});

/** With as little of a client as there can be. */
async function countFrames(models: ScriptedModels): Promise<number> {
  const request = httpRequest(`${models.url('cloud-b')}/chat/completions`, { method: 'POST' });
  request.end('{"model":"m","stream":true}');
  const [response] = await once(request, 'response');
  return (await text(response)).split('\n\n').length - 1;
}
