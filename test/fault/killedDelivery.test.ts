import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'vitest';
import { TemporaryFolder } from '../interfaces/cli/hark.ts';
import { Witness } from '../support/sagas.ts';
import { EventReader, ServiceProcess, type ServiceUnderTest } from '../support/service.ts';

interface Delivered {
  readonly id: string | undefined;
  readonly said: string;
}

/** Takes messages of a channel, and answers each when it is told how. */
async function receiving(test: TestContext) {
  const asked = new Witness<Delivered>();
  let answer = (response: ServerResponse): unknown => response.end();
  const server = createServer(async (request, response) => {
    const said = await text(request);
    const id = request.headers['webhook-id'];
    asked.add({ id: typeof id === 'string' ? id : undefined, said });
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${Object(server.address()).port}`;
  const answers = (how: typeof answer) => {
    answer = how;
  };
  return { url, asked, answers };
}

test('a message whose process is killed before it is noted that it came is sent again, under the same id; others come once', async (t) => {
  using folder = new TemporaryFolder();
  const { url, asked, answers } = await receiving(t);
  const environment = {
    SERVICE_KVSTORE_URL: 'embedded',
    SERVICE_DATA_DIR: folder.path,
    SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  const begin = async () => {
    const process = new ServiceProcess(environment);
    return { process, service: await process.ready() };
  };
  const tell = async (service: ServiceUnderTest, said: string) =>
    assert.equal((await service.ask('POST', '/api/notifications', { body: { text: said } })).status, 201);
  const deliveredBy = async (service: ServiceUnderTest, count: number) => {
    const topics = '/api/events/stream?topics=notification.delivered&after=0';
    const reader = await EventReader.open(service.url + topics);
    for (let seen = 0; seen < count; ) if ((await reader.next())?.data) seen++;
    reader.close();
  };

  const first = await begin();
  const channel = { type: 'webhook', name: 'Phone', settings: { url } };
  const added = await first.service.ask('POST', '/api/notifications/channels', { body: channel });
  assert.equal(added.status, 201, added.text);
  await tell(first.service, 'The kettle boils.');
  await deliveredBy(first.service, 1);
  // It has come, and nobody has noted so yet.
  answers(() => first.process.child.kill('SIGKILL'));
  await tell(first.service, 'The bath is full.');
  await first.process.exitCode();

  answers((response) => response.end());
  const second = await begin();
  await deliveredBy(second.service, 2);
  await second.process.stop();

  const third = await begin();
  await tell(third.service, 'The post is here.');
  await deliveredBy(third.service, 3);
  await third.process.stop();
  const came = asked.items.map(({ id, said }) => [id, Object(JSON.parse(said)).data.text]);
  assert.deepEqual(
    came.map(([, said]) => said),
    ['The kettle boils.', 'The bath is full.', 'The bath is full.', 'The post is here.'],
  );
  assert.equal(came[1]?.[0], came[2]?.[0]);
  assert.equal(new Set(came.map(([id]) => id)).size, 3);
});
