import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { boundedFetch } from '../../../src/gateways/toolServers/boundedFetch.ts';
import { Intake } from '../../../src/gateways/toolServers/intake.ts';
import { ForeignServer } from '../../support/foreignServer.ts';

const intake = new Intake((why) => assert.fail(why));
const bounds = { mostBytes: 1_000, mostAtOnce: 2, longestMs: 60_000, intake };

describe('the news of a tool server', () => {
  let server: ForeignServer;
  beforeAll(async () => {
    server = await ForeignServer.start();
  });
  afterAll(() => server.stop());
  const heard = async (news: string, mostBytes: number) => {
    server.onListen = (response) => response.end(news);
    return (await boundedFetch({ ...bounds, mostBytes })(server.url)).text();
  };

  for (const [how, message] of [
    ['one line', 'data: 1234\n\n'],
    ['lines that end as on Windows', 'data: 1\r\ndata: 2\r\n\r\n'],
  ] as const)
    it(`may be as many messages of ${how} as it likes, but none that is longer`, async () => {
      assert.equal(await heard(message.repeat(1_000), message.length), message.repeat(1_000));
      await assert.rejects(heard(message.repeat(1_000), message.length - 1));
      await assert.rejects(heard(message.replace(/\n$/, 'data: more\n\n'), message.length));
    });
});

describe('a request to a tool server', () => {
  let server: ForeignServer;
  const waiting: ServerResponse[] = [];
  const post = { method: 'POST', body: '{}' };
  beforeAll(async () => {
    server = await ForeignServer.start();
    server.onRequest = (response) => {
      waiting.push(response);
    };
  });
  afterAll(() => server.stop());
  const answerOne = (text: string) => waiting.shift()?.end(text);

  it('is one of so many, until its answer is over', async () => {
    const ask = boundedFetch(bounds);
    const arrived = once(server.arrivals, 'request');
    const first = ask(server.url, post);
    await arrived;
    const arrivedToo = once(server.arrivals, 'request');
    const second = ask(server.url, post);
    await arrivedToo;
    await assert.rejects(ask(server.url, post), /There are 2 requests under way already/);
    answerOne('one');
    assert.equal(await (await first).text(), 'one');
    const third = ask(server.url, post);
    await once(server.arrivals, 'request');
    await assert.rejects(ask(server.url, post), /already/);
    waiting.shift()?.destroy();
    answerOne('x'.repeat(1_001));
    await assert.rejects(second);
    await assert.rejects(
      third.then((answer) => answer.text()),
      /longer than 1000 bytes/,
    );
    const again = [ask(server.url, post), ask(server.url, post)];
    while (waiting.length < 2) await once(server.arrivals, 'request');
    answerOne('');
    answerOne('');
    for (const answer of await Promise.all(again)) await answer.body?.cancel();
    await Promise.all([ask(server.url, post), once(server.arrivals, 'request').then(() => answerOne(''))]);
  });

  it('is let go when it takes too long, where the SDK would never do it', async () => {
    await assert.rejects(boundedFetch({ ...bounds, longestMs: 20 })(server.url, post), {
      name: 'TimeoutError',
    });
  });

  it('is not let go where the SDK does that itself', async () => {
    const ask = boundedFetch({ ...bounds, longestMs: 0 });
    const headers = { 'mcp-method': 'subscriptions/listen' };
    const [answer] = await Promise.all([
      ask(server.url, { ...post, headers }),
      once(server.arrivals, 'request').then(() => setTimeout(() => waiting.at(-1)?.end('news'), 20)),
    ]);
    assert.equal(await answer.text(), 'news');
  });

  it('is not answered with a batch', async () => {
    const ask = boundedFetch(bounds);
    server.onRequest = (response) => response.end(' \n\n [{}]');
    const answer = await ask(server.url, post);
    await assert.rejects(answer.text(), /is a batch/);
    server.onRequest = (response) => response.end(' {"a": [1]}');
    assert.equal(await (await ask(server.url, post)).text(), ' {"a": [1]}');
  });
});
