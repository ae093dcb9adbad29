import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { boundedFetch } from '../../src/gateways/toolServers/boundedFetch.ts';
import { ForeignServer } from '../support/foreignServer.ts';

describe('the news of a tool server', () => {
  let server: ForeignServer;
  before(async () => {
    server = await ForeignServer.start();
  });
  after(() => server.stop());
  const heard = async (news: string, most: number) => {
    server.onListen = (response) => response.end(news);
    return (await boundedFetch(most)(server.url)).text();
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
