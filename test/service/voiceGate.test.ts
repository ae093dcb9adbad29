import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { TemporaryFolder } from '../interfaces/cli/hark.ts';
import { tlsIn } from '../support/certificate.ts';
import { addDevice, changeDevice } from '../support/devices.ts';
import { type Knocked, knock } from '../support/handshake.ts';
import { ScriptedRooms } from '../support/scriptedRooms.ts';
import { InProcessService } from '../support/service.ts';

const KEY = 'a-very-secret-key';
const key = { authorization: `Bearer ${KEY}` };
const PATHS = ['/ws/audio', '/v1/realtime'];

/** Past the gate: what is behind it may have something else to say. */
const isIn = ({ status }: Knocked) => ![400, 401, 403, 404, 421, 426, 429].includes(status);

describe('a WebSocket', () => {
  let service: InProcessService;
  const ports = () => [service.voicePort, service.port];
  beforeAll(async () => {
    const environment = { SERVICE_API_KEY: KEY, SERVICE_TRUSTED_PROXIES: '127.0.0.1' };
    service = await InProcessService.start(environment, { voiceRooms: async () => new ScriptedRooms() });
  });
  afterAll(() => service.stop());
  const protocols = (...names: string[]) => ({ 'sec-websocket-protocol': names.join(', ') });

  const shown: Readonly<Record<string, Record<string, string>>> = {
    'as a bearer': key,
    'as x-api-key': { 'x-api-key': KEY },
    'as a protocol': protocols('hark.v1', `service-key.${KEY}`),
    'as a protocol with percent signs': protocols(`service-key.${KEY.replace('-', '%2d')}`, 'hark.v1'),
  };
  for (const [how, headers] of Object.entries(shown))
    test(`is opened by who shows the key ${how}, on either port`, async () => {
      for (const port of ports())
        for (const path of PATHS) {
          const answer = await knock(port, path, { headers });
          assert(isIn(answer), JSON.stringify(answer));
          assert.doesNotMatch(JSON.stringify(answer), new RegExp(KEY));
        }
    });

  test("takes the key as OpenAI's clients in browsers show it, where they do", async () => {
    const headers = protocols('realtime', `openai-insecure-api-key.${KEY}`, 'openai-beta.realtime-v1');
    assert(isIn(await knock(service.voicePort, '/v1/realtime?model=gpt-realtime', { headers })));
    assert.equal((await knock(service.voicePort, '/ws/audio', { headers })).status, 401);
  });

  test('is refused without a key and with a wrong one, and never tells which was expected', async () => {
    const wrong = [{}, protocols('hark.v1'), protocols('service-key.no'), { authorization: 'Bearer no' }];
    for (const port of ports())
      for (const [at, headers] of wrong.entries()) {
        const from = { 'x-forwarded-for': `192.0.2.${at}` };
        const {
          status,
          headers: answered,
          body,
        } = await knock(port, '/ws/audio', { headers: { ...headers, ...from } });
        assert.equal(status, 401);
        assert.equal(answered['content-type'], 'application/json; charset=utf-8');
        assert.equal(answered['www-authenticate'], 'Bearer');
        assert.equal(answered['sec-websocket-protocol'], undefined);
        assert.equal(body.error, 'Unauthorized');
      }
    assert.doesNotMatch(service.logged, new RegExp(KEY));
  });

  test("is refused in OpenAI's words where its clients ask", async () => {
    const { status, body } = await knock(service.port, '/v1/realtime');
    assert.equal(status, 401);
    assert.deepEqual(body.error, {
      message: 'Missing API key',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    });
  });

  for (const name of [
    'key',
    'api_key',
    'api-key',
    'apiKey',
    'token',
    'access_token',
    'service-key',
    'x-api-key',
  ])
    test(`is refused for a key in its address as ${name}, also beside one that is shown well`, async () => {
      for (const headers of [{}, key]) {
        const { status, body } = await knock(service.voicePort, `/ws/audio?${name}=${KEY}`, { headers });
        assert.equal(status, 401);
        assert.match(String(body.message), /^A key in an address is refused/);
      }
    });

  test('counts failures with those of the REST API', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    for (let times = 0; times < 5; times++) {
      const headers = { ...from, ...protocols('service-key.guess') };
      assert.equal((await knock(service.voicePort, '/ws/audio', { headers })).status, 401);
      assert.equal(
        (await service.get('/api/settings', { ...from, authorization: 'Bearer guess' })).status,
        401,
      );
    }
    const headers = { ...from, authorization: 'Bearer guess' };
    const { status, headers: answered, body } = await knock(service.port, '/ws/audio', { headers });
    assert.deepEqual([status, body.retryAfter, answered['retry-after']], [429, 60, '60']);
    assert.equal(answered['x-ratelimit-remaining'], '0');
    assert(isIn(await knock(service.port, '/ws/audio', { headers: { ...from, ...key } })));
  });

  test('comes from no page of another site, and under no other name', async () => {
    for (const port of ports()) {
      const refused = async (headers: Record<string, string>) =>
        (await knock(port, '/ws/audio', { headers: { ...key, ...headers } })).status;
      assert.equal(await refused({ origin: 'https://evil.example' }), 403);
      assert.equal(await refused({ origin: 'null' }), 403);
      assert.equal(await refused({ 'sec-fetch-site': 'cross-site' }), 403);
      assert.equal(await refused({ host: 'rebound.example' }), 421);
      const own = { ...key, origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` };
      assert(isIn(await knock(port, '/ws/audio', { headers: own })));
    }
  });

  test('is refused for a handshake that is none, in JSON', async () => {
    const old = await knock(service.voicePort, '/ws/audio', {
      headers: { ...key, 'sec-websocket-version': '12' },
    });
    assert.deepEqual([old.status, old.headers['sec-websocket-version']], [426, '13']);
    const headers = { ...key, 'sec-websocket-key': 'short' };
    const { status, body } = await knock(service.voicePort, '/ws/audio', { headers });
    assert.deepEqual([status, body.error], [400, 'Bad request']);
  });

  test('takes up no session that is not there', async () => {
    for (const path of PATHS)
      for (const id of ['unknown', '', '../x', 'x'.repeat(5_000)])
        assert.equal((await knock(service.port, `${path}?session=${id}`, { headers: key })).status, 404);
  });

  test('is for devices that hear or speak', async () => {
    const ear = await addDevice(service, { by: key, capabilities: { microphone: true } });
    const lamp = await addDevice(service, { by: key });
    const asks = (headers: Record<string, string>) => knock(service.voicePort, '/ws/audio', { headers });
    assert(isIn(await asks(ear.headers)));
    assert(isIn(await asks(protocols('hark.v1', `device-id.${ear.id}`, `device-secret.${ear.secret}`))));
    assert.equal((await asks(lamp.headers)).status, 403);
    assert.equal((await asks({ ...lamp.headers, ...key })).status, 403);
    assert.equal((await asks({ ...ear.headers, 'x-device-secret': 'x' })).status, 401);
    await changeDevice(service, ear.id, { status: 'suspended' }, key);
    assert.equal((await asks(ear.headers)).status, 401);
  });

  test('is all that there is on its port', async () => {
    const ask = (path: string, headers: Record<string, string> = key) =>
      fetch(`http://127.0.0.1:${service.voicePort}${path}`, { headers });
    for (const path of PATHS) {
      const answer = await ask(path);
      assert.deepEqual([answer.status, answer.headers.get('upgrade')], [426, 'websocket']);
      assert.match(await answer.text(), /A WebSocket is opened here/);
      assert.equal((await service.get(path, key)).status, 426);
      assert.equal((await ask(path, {})).status, 401);
    }
    for (const path of ['/', '/health', '/api/settings', '/ws/audio/', '/ws/audio/more', '/mcp']) {
      const answer = await ask(path);
      assert.deepEqual([answer.status, await answer.json()], [404, { error: 'Not found' }], path);
    }
    assert.equal((await knock(service.voicePort, '/nowhere', { headers: key })).status, 404);
    assert.equal((await knock(service.voicePort, '/ws/audio', { headers: key, method: 'POST' })).status, 404);
  });

  test('leaves requests alone that offer another protocol', async () => {
    const headers = { ...key, upgrade: 'h2c', 'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA' };
    assert.equal((await knock(service.port, '/api/settings', { headers })).status, 200);
    assert.equal((await knock(service.port, '/health', { headers: { upgrade: 'websocket' } })).status, 200);
  });
});

test('without a key all of this machine may speak, and no page of another site', async () => {
  const service = await InProcessService.start();
  assert(isIn(await knock(service.voicePort, '/ws/audio')));
  assert.equal(
    (await knock(service.voicePort, '/ws/audio', { headers: { origin: 'http://x.example' } })).status,
    403,
  );
  await service.stop();
});

test('TLS is spoken for it where it is for the rest', async () => {
  using folder = new TemporaryFolder();
  const service = await InProcessService.start(tlsIn(folder.path));
  for (const port of [service.port, service.voicePort])
    for (const path of PATHS) assert(isIn(await knock(port, path, { tls: true })));
  await service.stop();
});

test('its port is told, and may be any that is free', async () => {
  const service = await InProcessService.start();
  const { body } = await service.get('/api/system/info');
  assert.equal(Object(body.ports).voice, service.voicePort);
  assert(service.voicePort > 0 && service.voicePort !== service.port);
  await service.stop();
});
