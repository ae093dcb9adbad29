import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { says, waits } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { bytesOf, temporaryFolder } from '../support/dataDirectory.ts';
import { addDevice } from '../support/devices.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { InProcessService } from '../support/service.ts';
import { ChatClient, LIMITS } from './chatClient.ts';

const OTHER = 'https://elsewhere.example';

describe('a session that is forgotten', () => {
  const directory = temporaryFolder('forget-session');
  let models: ScriptedModels;
  let service: InProcessService;
  let chat: ChatClient;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    const store = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory, CORS_ORIGIN: OTHER };
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models), ...store });
    await unsetBackgroundSlots(service);
    chat = new ChatClient(service);
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  const as = (user: string) => ({ 'x-user-id': user });
  const say = async (user: string, sessionId: string, text: string, reply = 'I see.') => {
    models.script(says(reply));
    const { status } = await chat.say({ text, sessionId }, as(user));
    assert.equal(status, 200);
  };
  const forget = (user: string, sessionId: string, headers: Record<string, string> = {}) =>
    service.ask('DELETE', `/api/chat/sessions/${sessionId}?forget=true`, {
      headers: { ...as(user), ...headers },
    });
  const end = async (user: string, sessionId: string) => {
    const settled = await chat.topic('memory.conversation.consolidated', as(user));
    assert.equal((await chat.end(sessionId, as(user))).status, 200);
    await settled((data) => Object(data).sessionId === sessionId);
  };
  const believed = async (user: string) =>
    (await service.get('/api/memory/conclusions', as(user))).text +
    (await service.get('/api/memory/episodes', as(user))).text +
    (await service.get('/api/entities', as(user))).text;
  const isNowhere = (...words: readonly string[]) => {
    for (const [name, bytes] of bytesOf(directory))
      for (const word of words) assert.ok(!bytes.includes(word), `${word} in ${name}`);
  };

  test('is gone with all that was drawn from it alone, in every file, while others stay', async () => {
    await say('ann', 'kept', 'I live in Brumblethwaite and I have a dog.');
    await end('ann', 'kept');
    const drawn = await chat.topic('memory.conclusion.drawn', as('ann'));
    await say('ann', 'trip', 'Remember that my locker is called Quaffelstein.', 'Noted, Vossikuppe.');
    await drawn(() => true);
    await say('ann', 'trip', 'My sister Zibeltje lives in Oorschotten.');
    assert.match(await believed('ann'), /Quaffelstein/);
    const { status, body } = await forget('ann', 'trip');
    assert.deepEqual([status, body], [200, { ended: true, forgotten: true, sessionId: 'trip' }]);
    const left = await believed('ann');
    assert.match(left, /Brumblethwaite/);
    assert.doesNotMatch(left, /Quaffelstein|Zibeltje|Oorschotten/);
    assert.deepEqual((await chat.history('trip', as('ann'))).messages, []);
    isNowhere('Quaffelstein', 'Vossikuppe', 'Zibeltje', 'Oorschotten');
    const { text } = await service.get('/api/events?limit=1000', as('ann'));
    assert.doesNotMatch(text, /Quaffelstein|Vossikuppe|Zibeltje|Oorschotten/);
    assert.match(text, /"type":"sessionEnded"/);
  });

  test('may have ended before, more than once, and may be forgotten again', async () => {
    await say('ben', 'often', 'I moved to Wuppenhagen in spring.');
    await end('ben', 'often');
    await say('ben', 'often', 'I have a parrot called Zacharinka.');
    await end('ben', 'often');
    const episodes = async () =>
      (await service.get<{ count: number }>('/api/memory/episodes', as('ben'))).body.count;
    assert.equal(await episodes(), 2);
    for (let times = 0; times < 2; times++) {
      const { status, body } = await forget('ben', 'often');
      assert.deepEqual([status, body.forgotten], [200, true]);
    }
    assert.equal(await episodes(), 0);
    assert.doesNotMatch(await believed('ben'), /Wuppenhagen|Zacharinka/);
    isNowhere('Wuppenhagen', 'Zacharinka');
    await say('ben', 'often', 'Good morning');
    assert.equal((await chat.history('often', as('ben'))).count, 2);
  });

  test('takes the turn that runs in it along, and keeps nothing that it says afterwards', async () => {
    const gate = Promise.withResolvers<void>();
    models.script(says('Half a Grummelbach', waits(gate.promise), ' and Tosselhorn'));
    const turn = await chat.stream({ text: 'Tell me of Ypsenburg', sessionId: 'runs' }, as('cleo'));
    await turn.until(({ type }) => type === 'content');
    assert.equal((await forget('cleo', 'runs')).status, 200);
    gate.resolve();
    const told = await turn.rest();
    assert.equal(told.at(-1)?.type, 'done');
    assert.doesNotMatch(JSON.stringify(told), /Tosselhorn/);
    const again = await service.get(`/api/chat/stream/${turn.turnId}`, as('cleo'));
    assert.doesNotMatch(again.text, /Grummelbach|Tosselhorn/);
    isNowhere('Grummelbach', 'Tosselhorn', 'Ypsenburg');
    assert.equal((await chat.history('runs', as('cleo'))).sessionExpired, true);
  });

  test('is not touched where it only ends, or belongs to somebody else', async () => {
    await say('dora', 'mine', 'I like Pimpernussel tea.');
    for (const [user, session] of [
      ['eve', 'mine'],
      ['dora', 'unknown'],
    ] as const) {
      const { status, body } = await forget(user, session);
      assert.deepEqual([status, body.sessionId], [404, session]);
    }
    assert.equal((await chat.history('mine', as('dora'))).count, 2);
    const path = '/api/chat/sessions/mine';
    for (const query of ['?forget=yes', '?forget=', '?forget=true&forget=true'])
      assert.equal((await service.ask('DELETE', path + query, { headers: as('dora') })).status, 400);
    const ended = await service.ask('DELETE', `${path}?forget=false`, { headers: as('dora') });
    assert.deepEqual(ended.body, { ended: true, sessionId: 'mine' });
    assert.match((await service.get('/api/events?limit=1000', as('dora'))).text, /Pimpernussel/);
  });

  test('is not forgotten by a device, nor by a page of another origin while there is no key', async () => {
    const device = await addDevice(service, { userId: 'fay' });
    await say('fay', 'both', 'Good evening');
    const path = '/api/chat/sessions/both';
    const asked = await service.ask('DELETE', `${path}?forget=true`, { headers: device.headers });
    assert.deepEqual([asked.status, asked.body.errorCode], [403, 'DEVICE_SCOPE']);
    const elsewhere = { ...as('fay'), origin: OTHER };
    const refused = await service.ask('DELETE', `${path}?forget=true`, { headers: elsewhere });
    assert.equal(refused.status, 403, refused.text);
    assert.equal((await chat.history('both', as('fay'))).count, 2);
    assert.equal((await service.ask('DELETE', path, { headers: elsewhere })).status, 200);
    await say('fay', 'both', 'Good evening');
    assert.equal((await service.ask('DELETE', path, { headers: device.headers })).status, 200);
  });
});

test('a session that no log keeps is forgotten as well', async (t) => {
  const models = await ScriptedModels.start();
  const environment = { ...LIMITS, ...providersAt(models), SERVICE_KVSTORE_URL: 'none' };
  const service = await InProcessService.start(environment);
  t.onTestFinished(async () => {
    await service.stop();
    await models.stop();
  });
  const chat = new ChatClient(service);
  models.script(says('I see.'));
  const { body } = await chat.say({ text: 'I am Ann', sessionId: 'memory' });
  const forget = () => service.ask('DELETE', '/api/chat/sessions/memory?forget=true');
  const { status, body: told } = await forget();
  assert.deepEqual([status, told], [200, { ended: true, forgotten: true, sessionId: 'memory' }]);
  assert.equal((await chat.history('memory')).sessionExpired, true);
  const stream = await service.get(`/api/chat/stream/${body.metadata.turnId}`);
  assert.doesNotMatch(stream.text, /I see/);
});
